import { useStore } from 'zustand';
import { Button } from '../../../batonpass/src/react/button.tsx';
import { version } from '../../../batonpass/src/version.ts';
import { connection } from '../server/events.ts';
import type { ScreenName } from './router.ts';

const places: readonly { path: string; name: string; screens: readonly ScreenName[] }[] = [
  { path: '/', name: 'Home', screens: ['home'] },
  { path: '/b', name: 'Brainstorm', screens: ['brainstorm', 'import'] },
  { path: '/inbox', name: 'Inbox', screens: ['inbox', 'handoff', 'review', 'lineage'] },
  { path: '/run', name: 'Runs', screens: ['run'] },
  { path: '/plans', name: 'Plans', screens: ['plans'] },
  { path: '/settings', name: 'Settings', screens: ['settings'] },
];

const words = { connecting: 'Connecting', live: 'Live', lost: 'Not connected' } as const;

/** The navigation, and the state of the connection. */
export function Rail({ screen, onHelp }: { screen: ScreenName; onHelp: () => void }) {
  const { state } = useStore(connection);
  return (
    <header className="studio-rail">
      <p className="studio-name" title={`Baton ${version}`}>
        Baton
      </p>
      <nav aria-label="Screens">
        {places.map(({ path, name, screens }) => (
          <a key={path} href={path} aria-current={screens.includes(screen) ? 'page' : undefined}>
            <RailIcon path={path} />
            {name}
          </a>
        ))}
      </nav>
      <p className="studio-connection" data-state={state}>
        <span>{words[state]}</span>
      </p>
      <Button label="Keys" hotkey="?" look="quiet" onClick={onHelp} aria-keyshortcuts="?" />
    </header>
  );
}

/**
 * A line icon for each entry of the rail, on a grid of 16: a house, two thoughts, a tray, a run, a ticked list, two
 * sliders.
 */
const shapes: Readonly<Record<string, string>> = {
  '/': 'M2 8l6-5.5L14 8M3.5 6.75V13.5h9V6.75M6.5 13.5v-4h3v4',
  '/b': 'M2.5 3.5h8v5.5H6L3.5 11V9h-1zM13 6.5h.5V12h-1v2L10 12H7.5',
  '/inbox': 'M4 2.5h8l2 6.5v4.5H2V9zM2 9h3.5l1 2h3l1-2H14',
  '/run': 'M2.5 8A5.5 5.5 0 1 0 8 2.5 5.5 5.5 0 0 0 2.5 8zM6.75 5.75 10.5 8l-3.75 2.25z',
  '/plans': 'm2.5 4 1 1 2-2M8 4h5.5M2.5 8.5l1 1 2-2M8 8.5h5.5M3 12.5h2M8 12.5h5.5',
  '/settings':
    'M2.5 5h5M11.5 5h2M7.5 5a2 2 0 1 0 4 0 2 2 0 1 0-4 0M2.5 11h2M8.5 11h5M4.5 11a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
};

/** The icon of an entry; its name is next to it. */
function RailIcon({ path }: { path: string }) {
  return (
    <svg className="studio-rail-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[path]} />
    </svg>
  );
}
