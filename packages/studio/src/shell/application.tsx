import { useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { session } from '../server/session.ts';
import { undoLast } from './announcements.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { Enter } from './enter.tsx';
import { Failure } from './failure.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { useKeys } from './keys.ts';
import { Rail } from './rail.tsx';
import { navigate, type ScreenName, useRoute } from './router.ts';
import { Screen } from './screen.tsx';
import { Toasts } from './toasts.tsx';

const titles: Readonly<Record<ScreenName, string>> = {
  home: 'Home',
  brainstorm: 'Brainstorm',
  inbox: 'Inbox',
  handoff: 'Handoff',
  review: 'Review',
  run: 'Plan run',
  lineage: 'Lineage',
  plans: 'Plans',
  import: 'Import',
  settings: 'Settings',
};

/** The whole studio: the rail, one screen, and what is said. */
export function Application() {
  const { screen, id } = useRoute();
  const { isIn, number } = useStore(session);
  const [dialog, setDialog] = useState<'help' | 'palette' | null>(null);
  const main = useFocusOnScreen(`${screen}/${id ?? ''}`);
  useKeys('Everywhere', [
    { keys: '?', does: 'show the keys', run: () => setDialog('help') },
    { keys: 'Mod+k', does: 'find a command', run: () => setDialog('palette') },
    { keys: 'g h', does: 'go home', run: () => navigate('/') },
    { keys: 'g i', does: 'go to the inbox', run: () => navigate('/inbox') },
    { keys: 'g b', does: 'go to the brainstorm', run: () => navigate('/b') },
    { keys: 'g m', does: 'go to the import', run: () => navigate('/import') },
    { keys: 'g u', does: 'go to the plan runs', run: () => navigate('/run') },
    { keys: 'g l', does: 'go to the lineage', run: () => navigate(lineagePath(screen, id)) },
    { keys: 'g p', does: 'go to the plans', run: () => navigate('/plans') },
    { keys: 'g s', does: 'go to the settings', run: () => navigate('/settings') },
    { keys: 'z', does: 'undo', run: () => void undoLast() },
    { keys: 'Mod+z', does: 'undo', run: () => void undoLast() },
  ]);
  return (
    <div className="baton studio">
      <button type="button" className="studio-skip" onClick={() => main.current?.focus()}>
        Skip to the screen
      </button>
      <Rail screen={screen} onHelp={() => setDialog('help')} />
      <main id="main" ref={main} className="studio-main" tabIndex={-1} aria-label={titles[screen]}>
        {isIn ? <ConnectionBanner /> : <Enter />}
        {isIn || number > 0 ? (
          <div className="studio-screen" inert={!isIn}>
            <Failure key={`${screen}/${id ?? ''}/${number}`}>
              <Screen name={screen} {...(id === undefined ? {} : { id })} />
            </Failure>
          </div>
        ) : null}
      </main>
      <Toasts />
      {/* One that was asked for while the other closes is a dialog of its own. */}
      {dialog === null ? null : (
        <KeyDialog
          key={dialog}
          isPalette={dialog === 'palette'}
          onClose={() => setDialog((shown) => (shown === dialog ? null : shown))}
        />
      )}
    </div>
  );
}

/** The lineage of the handoff that is shown; elsewhere the choice of one. */
function lineagePath(screen: ScreenName, id: string | undefined): string {
  const isOfHandoff = ['handoff', 'review', 'run'].includes(screen) && id !== undefined;
  return isOfHandoff ? `/lineage/${id}` : '/lineage';
}

/** A new screen is read from its beginning: title and focus follow the address, except for the first one. */
function useFocusOnScreen(place: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(place);
  useLayoutEffect(() => {
    const screen = place.split('/')[0] as ScreenName;
    document.title = `${titles[screen]} · Baton`;
    if (last.current !== place) main.current?.focus({ preventScroll: true });
    last.current = place;
  }, [place]);
  return main;
}
