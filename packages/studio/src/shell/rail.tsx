import { useStore } from 'zustand';
import { version } from '../../../batonpass/src/version.ts';
import { connection } from '../server/events.ts';
import { RailIcon } from './rail-icon.tsx';
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

/** Where one can go, and how the studio is connected. */
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
      <button type="button" className="baton-button baton-small baton-quiet" onClick={onHelp} aria-keyshortcuts="?">
        Keys <kbd>?</kbd>
      </button>
    </header>
  );
}
