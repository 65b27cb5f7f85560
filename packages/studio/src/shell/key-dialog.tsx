import { useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { isSingle, type KeyBinding, keyGroups } from './keys.ts';
import { preferences } from './preferences.ts';

/** Every key that works now, made of the registry itself; as a palette it is searched, and what is chosen is done. */
export function KeyDialog({ isPalette, onClose }: { isPalette: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { groups } = useStore(keyGroups);
  const { hasSingleKeys } = useStore(preferences);
  const [wanted, setWanted] = useState('');
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const found = groups.map(({ title, bindings }) => ({ title, bindings: bindings.filter(answers(wanted)) }));
  const run = (binding: KeyBinding | undefined) => {
    if (binding === undefined) return;
    onClose();
    binding.run();
  };
  return (
    <dialog ref={dialog} className="studio-dialog" onClose={onClose} aria-label={isPalette ? 'Commands' : 'Keys'}>
      {isPalette ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            run(found.flatMap(({ bindings }) => bindings)[0]);
          }}
        >
          <input
            className="baton-field"
            aria-label="Find a command"
            placeholder="Find a command"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </form>
      ) : (
        <h2>Keys</h2>
      )}
      {hasSingleKeys ? null : <p className="baton-hint">Single keys are switched off in the settings.</p>}
      {found
        .filter(({ bindings }) => bindings.length > 0)
        .map(({ title, bindings }) => (
          <section key={title} aria-label={title}>
            <h3 className="baton-group">{title}</h3>
            <ul className="baton-list">
              {[...Map.groupBy(bindings, ({ does }) => does)].map(([does, ways]) => (
                <li key={does}>
                  <button type="button" className="studio-command" onClick={() => run(ways[0])}>
                    <span>{does}</span>
                    <span className="studio-command-keys">
                      {ways
                        .filter(({ keys }) => hasSingleKeys || !isSingle(keys))
                        .map(({ keys }) => (
                          <kbd key={keys}>{describeKeys(keys)}</kbd>
                        ))}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      <button type="button" className="baton-button" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
}

function answers(wanted: string): (binding: KeyBinding) => boolean {
  const words = wanted.toLowerCase().split(/\s+/);
  return ({ does }) => words.every((word) => does.toLowerCase().includes(word));
}

function describeKeys(keys: string): string {
  const control = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';
  return keys.replace('Mod', control).replace(/\b[a-z]\b/g, (letter) => letter.toUpperCase());
}
