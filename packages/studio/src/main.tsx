import 'batonpass/react/style.css';
import './shell/shell.css';
import { createRoot } from 'react-dom/client';
import { followEvents } from './server/events.ts';
import { enterByAddress } from './server/session.ts';
import { Application } from './shell/application.tsx';
import { listenToKeys } from './shell/keys.ts';
import { applyTheme } from './shell/preferences.ts';
import { followLinks, navigate } from './shell/router.ts';

applyTheme();
await enterByAddress();
if (location.pathname === '/') navigate('/inbox', { replace: true });
followEvents();
followLinks();
listenToKeys();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Application />);
