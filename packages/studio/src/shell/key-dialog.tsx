import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { showHidden } from '../../../batonpass/src/core/hidden-characters.ts';
import { limits } from '../../../batonpass/src/core/limits.ts';
import { Button } from '../../../batonpass/src/react/button.tsx';
import { listHandoffs } from '../server/call.ts';
import { stateWords } from '../shown/state-mark.tsx';
import { isSingle, type KeyBinding, keyGroups } from './keys.ts';
import { preferences } from './preferences.ts';
import { navigate } from './router.ts';

/**
 * Every key that works now, made from the registry itself. As a palette it can be searched, with the titles of
 * handoffs, and runs the chosen command.
 */
export function KeyDialog({ isPalette, onClose }: { isPalette: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { groups } = useStore(keyGroups);
  const { hasSingleKeys } = useStore(preferences);
  const [wanted, setWanted] = useState('');
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const commands = groups.map(({ title, bindings }) => ({ title, bindings: bindings.filter(answers(wanted)) }));
  const titles = useFoundTitles(isPalette ? wanted : '');
  const all: { title: string; bindings: readonly Offered[] }[] = [...commands, { title: 'Handoffs', bindings: titles }];
  const found = all.filter(({ bindings }) => bindings.length > 0);
  const run = (binding: KeyBinding | undefined) => {
    if (binding === undefined) return;
    onClose();
    binding.run();
  };
  return (
    <dialog
      ref={dialog}
      className="studio-dialog"
      onClose={onClose}
      onKeyDown={moveByArrows}
      aria-label={isPalette ? 'Commands and handoffs' : 'Keys'}
    >
      {isPalette ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            run(found.flatMap(({ bindings }) => bindings)[0]);
          }}
        >
          <input
            className="baton-field"
            aria-label="Find a command or a handoff"
            placeholder="Find a command or a handoff"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </form>
      ) : (
        <h2>Keys</h2>
      )}
      {hasSingleKeys ? null : <p className="baton-hint">Single keys are switched off in the settings.</p>}
      {found.length === 0 ? <p className="baton-hint">No command and no title of a handoff has these words.</p> : null}
      {found.map(({ title, bindings }) => (
        <Group key={title} title={title} bindings={bindings} onRun={run} />
      ))}
      <Button label="Close" large onClick={onClose} />
    </dialog>
  );
}

interface GroupProps {
  title: string;
  bindings: readonly Offered[];
  onRun: (binding: Offered | undefined) => void;
}

/** The groups, each command with all its keys. */
function Group({ title, bindings, onRun }: GroupProps) {
  const { hasSingleKeys } = useStore(preferences);
  const areShown = ({ keys }: Offered) => keys !== '' && (hasSingleKeys || !isSingle(keys));
  return (
    <section aria-label={title}>
      <h3 className="baton-group">{title}</h3>
      <ul className="baton-list">
        {[...Map.groupBy(bindings, commandName)].map(([name, ways]) => (
          <li key={name}>
            <button type="button" className="studio-command" onClick={() => onRun(ways[0])}>
              <span className="studio-command-name">{ways[0]?.does}</span>
              <span className="studio-command-keys">
                {ways.filter(areShown).map(({ keys }) => (
                  <kbd key={keys}>{describeKeys(keys)}</kbd>
                ))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The identity of a command: bindings that share it are keys of one command. Titles of handoffs may be equal. */
const commandName = ({ does, id }: Offered) => id ?? does;

/** Moves from the field into the results, and back. */
function moveByArrows(event: KeyboardEvent<HTMLDialogElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .studio-command')];
  event.preventDefault();
  stops[stops.indexOf(document.activeElement as HTMLElement) + by]?.focus();
}

function answers(wanted: string): (binding: KeyBinding) => boolean {
  const words = wanted.toLowerCase().split(/\s+/);
  return ({ does }) => words.every((word) => does.toLowerCase().includes(word));
}

function describeKeys(keys: string): string {
  const control = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';
  return keys.replace('Mod', control).replace(/\b[a-z]\b/g, (letter) => letter.toUpperCase());
}

/** The pause in typing before titles are searched. */
const REST_MS = 150;

/** Titles that are offered: as many as fit without scrolling. */
const FOUND_MAX = 8;

/** A handoff in the palette, among commands. */
interface Offered extends KeyBinding {
  /** Distinguishes handoffs with equal titles. */
  id?: string;
}

/**
 * Handoffs whose title or summary contains the words, newest first; none while the field is empty or the server is
 * unreachable.
 */
function useFoundTitles(typed: string): readonly Offered[] {
  const [found, setFound] = useState<{ text: string; titles: readonly Offered[] }>({ text: '', titles: [] });
  const text = typed.trim().slice(0, limits.search_characters_max);
  useEffect(() => {
    if (text === '') return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      listHandoffs({ text, limit: FOUND_MAX }, leaving.signal).then(
        ({ handoffs }) =>
          setFound({
            text,
            titles: handoffs.map(({ id, content, delivery }) => ({
              id,
              keys: '',
              does: `${showHidden(content.title)} (${stateWords[delivery.state].word.toLowerCase()})`,
              run: () => navigate(`/h/${id}`),
            })),
          }),
        () => {
          // The commands are found all the same, and the connection's own banner shows the problem.
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return found.text === text ? found.titles : [];
}
