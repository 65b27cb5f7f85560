import { Component, type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../../batonpass/src/react/button.tsx';
import { connection, reconnect } from '../server/events.ts';
import { describeProblem } from '../server/server-problem.ts';
import { enter, session } from '../server/session.ts';
import { announcements, clearAnnouncement, undoLast } from './announcements.ts';
import { KeyDialog } from './key-dialog.tsx';
import { useKeys } from './keys.ts';
import { Rail } from './rail.tsx';
import { navigate, type ScreenName, useRoute } from './router.ts';
import { loadScreen, readScreen, type ScreenPart, type ScreenProps, screens } from './screens.ts';

/** The whole studio: the rail, one screen, and the announcements. */
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
      <main id="main" ref={main} className="studio-main" tabIndex={-1} aria-label={screens[screen].title}>
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
      {/* A dialog that is opened while the other one closes is a new dialog. */}
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

/** The lineage of the current handoff; without one the list to choose from. */
function lineagePath(screen: ScreenName, id: string | undefined): string {
  const isOfHandoff = ['handoff', 'review', 'run'].includes(screen) && id !== undefined;
  return isOfHandoff ? `/lineage/${id}` : '/lineage';
}

/** A new screen starts at its top: title and focus follow the address, except for the first screen. */
function useFocusOnScreen(place: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(place);
  useLayoutEffect(() => {
    const screen = place.split('/')[0] as ScreenName;
    document.title = `${screens[screen].title} · Baton`;
    if (last.current !== place) main.current?.focus({ preventScroll: true });
    last.current = place;
  }, [place]);
  return main;
}

/** Shows that the server is unreachable, since when, and that the data is from that time. */
function ConnectionBanner() {
  const { state, lost_at_ms } = useStore(connection);
  return (
    <div role="status">
      {state === 'lost' && lost_at_ms !== undefined ? (
        <div className="baton-banner">
          <p>
            The server does not answer. This is as of {new Date(lost_at_ms).toLocaleTimeString()}; nothing is lost.
            Start it again in the same folder: <code>baton studio</code>
          </p>
          <Button label="Try now" onClick={reconnect} />
        </div>
      ) : null}
    </div>
  );
}

/** The sign-in. The screen stays behind it, and the address is kept. */
function Enter() {
  const { reason } = useStore(session);
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const secret = String(new FormData(form).get('token') ?? '').trim();
    setBusy(true);
    try {
      await enter(secret);
    } catch (error) {
      setSaid(describeProblem(error));
      form.reset();
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="studio-enter" aria-labelledby="enter-title">
      <h1 id="enter-title">This browser is not signed in</h1>
      <p>
        A server forgets its browsers when it restarts. Run <code>baton studio</code> in the same folder: it opens a
        browser that is signed in, and this page continues. Or enter a token.
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor="token">Token</label>
        <input id="token" name="token" type="password" autoComplete="off" required className="baton-field" />
        <Button label="Enter" type="submit" large look="primary" disabled={isBusy} />
      </form>
      <p role="alert" className="baton-failed">
        {said}
      </p>
      {said === '' && reason !== '' ? <p className="baton-hint">{reason}</p> : null}
    </section>
  );
}

/** Shows a screen, or that it failed: the rest of the studio continues to work. */
class Failure extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (!('error' in this.state)) return this.props.children;
    return (
      <div className="baton-empty" role="alert">
        <p className="baton-empty-title">This screen crashed</p>
        <p>{describeProblem(this.state.error)} Nothing stored on the server is lost.</p>
        <Button label="Load the page again" large onClick={() => location.reload()} />
      </div>
    );
  }
}

/**
 * A screen, as soon as its chunk is loaded. React's own `Suspense` would keep the placeholder for 300 ms, even if the
 * chunk arrives earlier.
 */
function Screen({ name, ...props }: ScreenProps & { name: ScreenName }) {
  const [found, setFound] = useState<{ part?: ScreenPart } | { error: unknown }>(() => {
    const part = readScreen(name);
    return part === undefined ? {} : { part };
  });
  const isThere = 'part' in found;
  useEffect(() => {
    if (isThere) return;
    loadScreen(name).then(
      (part) => setFound({ part }),
      (error: unknown) => setFound({ error }),
    );
  }, [name, isThere]);
  if ('error' in found) throw found.error;
  if (found.part === undefined) return <p className="studio-loading">Loading…</p>;
  return <found.part {...props} />;
}

/** How long an undo button stays, unless the pointer or the focus is on it. */
const SHOWN_MS = 8_000;

/** The announcements, visible and for screen readers. Results politely, failures at once. */
function Toasts() {
  const { number, polite, urgent, shown } = useStore(announcements);
  const [isHeld, setHeld] = useState(false);
  const isUndoable = shown !== undefined;
  useEffect(() => {
    if (number === 0 || isHeld || urgent !== '') return;
    const timer = setTimeout(clearAnnouncement, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [number, isHeld, urgent]);
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) };
  const focus = { onFocus: () => setHeld(true), onBlur: () => setHeld(false) };
  const text = urgent === '' ? polite : urgent;
  return (
    <div className="studio-toasts" data-urgent={urgent !== ''} data-empty={text === ''} {...hold} {...focus}>
      <p role="status" className="studio-said">
        {polite}
      </p>
      <p role="alert" className="studio-said">
        {urgent}
      </p>
      {isUndoable ? <Button label="Undo" hotkey="Z" onClick={() => void undoLast()} /> : null}
      {text === '' ? null : <Button label="Close" look="quiet" onClick={clearAnnouncement} />}
    </div>
  );
}
