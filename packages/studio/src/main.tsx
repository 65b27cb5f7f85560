import 'batonpass/react/style.css';
import './shell/shell.css';
import './shell/rail.css';
import './shell/said.css';
import './shell/dialog.css';
import './shown/parts.css';
import { createRoot } from 'react-dom/client';
import { followEvents } from './server/events.ts';
import { enterByAddress } from './server/session.ts';
import { Application } from './shell/application.tsx';
import { listenToKeys } from './shell/keys.ts';
import { applyTheme } from './shell/preferences.ts';
import { followLinks, parseRoute } from './shell/router.ts';
import { loadScreen } from './shell/screens.ts';

applyTheme();
// A failure here happens again where the screen is shown, and is reported there.
loadScreen(parseRoute(location.href).screen).catch(() => {});
await enterByAddress();
followEvents();
followLinks();
listenToKeys();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Application />);
