import 'batonpass/react/style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrainstormApp } from './brainstorm-app.tsx';

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <BrainstormApp />
  </StrictMode>,
);
