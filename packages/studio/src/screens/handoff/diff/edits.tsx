import type { EditChange } from '../../../../../batonpass/src/core/edit-changes.ts';
import type { Handoff } from '../../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../../server/call.ts';
import { useLive } from '../../../server/use-live.ts';
import { Absent } from '../../../shown/absent.tsx';
import { Ago } from '../../../shown/age.tsx';
import { ChangedLines, ChangedWords, DiffLine, WholeWords } from './diff-words.tsx';
import { foldChanges, type KeptEdit, partNames, readEdits } from './edited-entries.ts';
import { isReworded } from './line-diff.ts';

/** The most events that are loaded: a draft has fewer edits. */
const EVENTS_MAX = 1_000;

/** What was removed from a draft and added to it since it was created: all together, then edit by edit. */
export function Edits({ handoff: { id } }: { handoff: Handoff }) {
  const { value, error, reload } = useLive((signal) => call('handoff.events', { id, limit: EVENTS_MAX }, { signal }), {
    filter: { handoff_id: id },
  });
  if (value === undefined) return <Absent what="history" name={id} error={error} onRetry={reload} />;
  const edits = readEdits(value.events);
  return (
    <>
      {edits.length < 2 ? null : <Together edits={edits} />}
      <ol className="handoff-timeline">
        {edits.toReversed().map((edit) => (
          <li key={edit.seq}>
            <Edit edit={edit} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** From the original draft to the present one. */
function Together({ edits }: { edits: readonly KeptEdit[] }) {
  const changes = foldChanges(edits);
  return (
    <section className="diff-part" aria-labelledby="diff-together">
      <h2 id="diff-together" className="baton-heading">
        All {edits.length} edits together
      </h2>
      {changes.length === 0 ? (
        <p className="baton-none">It says what it said originally.</p>
      ) : (
        <Changes changes={changes} />
      )}
    </section>
  );
}

function Edit({ edit: { at, by, revision, changes, left_out, note } }: { edit: KeptEdit }) {
  return (
    <>
      <p className="handoff-facts">
        <strong>Revision {revision}</strong>
        <span>{showHidden(by)}</span>
        <Ago instant={at} />
      </p>
      {note === '' ? null : <p className="baton-hint">{note}</p>}
      <Changes changes={changes} />
      {left_out === 0 ? null : (
        <p className="baton-hint">
          {left_out} more {left_out === 1 ? 'change is' : 'changes are'} too long to be kept.
        </p>
      )}
    </>
  );
}

function Changes({ changes }: { changes: readonly EditChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className="diff-lines">
      {changes.map((change, place) => (
        <Change key={place} change={change} />
      ))}
    </ul>
  );
}

/** A reworded sentence is one line; a completely different text is two. */
function Change({ change: { part, before, after } }: { change: EditChange }) {
  const name = <span className="diff-name">{partNames[part]}</span>;
  if (before !== undefined && after !== undefined) {
    if (isReworded(before, after)) {
      return (
        <DiffLine kind="changed">
          <div>
            {name} <ChangedWords before={before} after={after} />
          </div>
        </DiffLine>
      );
    }
    if (before.includes('\n') || after.includes('\n')) {
      return (
        <li>
          {name}
          <ChangedLines before={before} after={after} />
        </li>
      );
    }
  }
  return [before, after].map((words, place) => {
    const kind = place === 0 ? 'removed' : 'added';
    if (words === undefined) return null;
    return (
      <DiffLine key={kind} kind={kind}>
        <div>
          {name} <WholeWords kind={kind} words={words} />
        </div>
      </DiffLine>
    );
  });
}
