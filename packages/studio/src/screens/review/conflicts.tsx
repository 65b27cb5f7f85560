import { useId } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from 'zustand';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { announce } from '../../shell/announcements.ts';
import { type DraftEntry, type DraftParts, entriesOf, levelOf, textOf } from './draft-parts.ts';
import type { DraftSync } from './draft-sync.ts';
import type { Conflict } from './merge-drafts.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

const nouns = { decisions: 'decision', filesReferenced: 'file', risks: 'risk', summary: 'summary' } as const;

/** Conflicting changes: both texts, and a choice. No approval is possible before it. */
export function Conflicts({ store, sync }: SyncedDraft) {
  const conflicts = useStore(sync.state, (state) => state.conflicts);
  const id = useId();
  return (
    <div role="alert">
      {conflicts.length === 0 ? null : (
        <section className="flow-conflicts" aria-labelledby={id}>
          <h2 id={id} className="flow-subtitle">
            Changed elsewhere meanwhile ({conflicts.length})
          </h2>
          <ul className="baton-list">
            {conflicts.map((conflict) => (
              <li key={`${conflict.list} ${conflict.id}`}>
                <Choice conflict={conflict} store={store} sync={sync} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Choice({ conflict, store, sync }: SyncedDraft & { conflict: Conflict }) {
  const theirs = useStore(store, (state) => wordsNow(state, conflict));
  const noun = nouns[conflict.list];
  return (
    <div className="flow-conflict">
      <p>You and somebody else changed this {noun}.</p>
      <div className="flow-versions">
        <Version heading="Yours" words={wordsOf(conflict, conflict.mine)} />
        <Version heading="Theirs, as it is now" words={theirs} />
      </div>
      <div className="studio-buttons">
        <Resolve sync={sync} conflict={conflict} way="mine" label="Keep mine" />
        <Resolve sync={sync} conflict={conflict} way="theirs" label="Take theirs" />
      </div>
    </div>
  );
}

function Version({ heading, words }: { heading: string; words: string | null }) {
  return (
    <div>
      <h3 className="baton-group">{heading}</h3>
      <p className={words === null ? 'baton-none' : 'baton-text'} dir="auto">
        {words === null ? 'Removed' : showHidden(words)}
      </p>
    </div>
  );
}

interface ResolveProps {
  sync: DraftSync;
  conflict: Conflict;
  way: 'mine' | 'theirs';
  label: string;
}

function Resolve({ sync, conflict, way, label }: ResolveProps) {
  const resolve = () => {
    flushSync(() => sync.resolve(conflict, way));
    announce(way === 'mine' ? 'Your words are kept.' : 'Their words are taken.');
    // The button is removed: focus the next choice, else the review.
    document.querySelector<HTMLElement>('.flow-conflict button, .baton-review .baton-title')?.focus();
  };
  return <Button label={label} onClick={resolve} />;
}

function wordsNow(parts: DraftParts, conflict: Conflict): string | null {
  const { list, id } = conflict;
  if (list === 'summary') return parts.brainstormSummary;
  return wordsOf(conflict, entriesOf(parts, list).find((entry) => entry.id === id) ?? null);
}

/** The text of one version; null where it was removed. Next to it the other changed fields. */
function wordsOf({ list }: Conflict, version: DraftEntry | string | null): string | null {
  if (version === null || typeof version === 'string' || list === 'summary') return version as string | null;
  const level = levelOf(version);
  const path = 'path' in version ? `${version.path}: ` : '';
  return `${path}${textOf(list, version)}${level === undefined ? '' : ` (${level})`}`;
}
