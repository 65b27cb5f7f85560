import './diff.css';
import type { Handoff } from '../../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../../server/call.ts';
import { useLive } from '../../../server/use-live.ts';
import { useRoute } from '../../../shell/router.ts';
import { Absent } from '../../../shown/absent.tsx';
import { compareContents, type PartChange } from './compare-contents.ts';
import { ChangedLines, ChangedWords, DiffLine, WholeWords } from './diff-words.tsx';
import { Edits } from './edits.tsx';
import { isReworded } from './line-diff.ts';

/** The changes: against the replaced handoff, against the continued one, and by the edits of its draft. */
export function DiffTab({ handoff }: { handoff: Handoff }) {
  const { query } = useRoute();
  const { id, content, delivery } = handoff;
  const { supersedes_id, parent_id } = content;
  const bases = [
    ...(supersedes_id === undefined ? [] : [{ name: 'replaced', title: 'What it replaces', id: supersedes_id }]),
    ...(parent_id === undefined ? [] : [{ name: 'parent', title: 'What it continues', id: parent_id }]),
    ...(delivery.content_revision > 1 ? [{ name: 'edits', title: 'Edits of its draft', id: undefined }] : []),
  ];
  const base = bases.find(({ name }) => name === query.get('against')) ?? bases[0];
  if (base === undefined) {
    return <p className="baton-none">It replaces no handoff, continues none, and was never edited.</p>;
  }
  return (
    <div className="handoff-part">
      <nav className="studio-chips diff-bases" aria-label="Compared with">
        {bases.map(({ name, title, id: of }) => (
          <a
            key={name}
            href={`/h/${id}?tab=diff&against=${name}`}
            aria-current={name === base.name ? 'true' : undefined}
          >
            {title} {of === undefined ? null : <code>…{showHidden(of.slice(-8))}</code>}
          </a>
        ))}
      </nav>
      {base.id === undefined ? (
        <Edits key={delivery.version} handoff={handoff} />
      ) : (
        <Against key={base.id} handoff={handoff} base={base.id} />
      )}
    </div>
  );
}

function Against({ handoff, base }: { handoff: Handoff; base: string }) {
  const { value, error, reload } = useLive((signal) => call('handoff.get', { id: base }, { signal }), {
    filter: { handoff_id: base },
  });
  if (value === undefined) return <Absent what="handoff" name={base} error={error} onRetry={reload} />;
  const parts = compareContents(value.content, handoff.content);
  return (
    <>
      <p className="baton-hint">
        From <a href={`/h/${value.id}`}>{showHidden(value.content.title)}</a> to this one.{' '}
        {parts.length === 0 ? 'Their contents are the same.' : summaryOf(parts)}
      </p>
      {parts.map((part) => (
        <section key={part.title} className="diff-part">
          <h2 className="baton-heading">{part.title}</h2>
          {part.type === 'text' ? <TextChange {...part} /> : <ListChange {...part} />}
        </section>
      ))}
    </>
  );
}

function summaryOf(parts: readonly PartChange[]): string {
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const part of parts) {
    if (part.type === 'text') counts.changed += 1;
    else for (const { kind } of part.changes) counts[kind] += 1;
  }
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  return `${told.map(([kind, count]) => `${count} ${kind}`).join(', ')}.`;
}

/** A text of several lines is compared by lines, a short one by words. */
function TextChange({ before, after }: { before: string; after: string }) {
  if (before.includes('\n') || after.includes('\n')) return <ChangedLines before={before} after={after} />;
  if (isReworded(before, after)) {
    return (
      <DiffLine kind="changed" as="p">
        <ChangedWords before={before} after={after} />
      </DiffLine>
    );
  }
  // A few words in common would merge two sentences into an unreadable one.
  return [before, after].map((words, place) => {
    const kind = place === 0 ? 'removed' : 'added';
    if (words === '') return null;
    return (
      <DiffLine key={kind} kind={kind} as="p">
        <WholeWords kind={kind} words={words} />
      </DiffLine>
    );
  });
}

function ListChange({ changes, unchanged }: Extract<PartChange, { type: 'list' }>) {
  return (
    <>
      <ul className="diff-lines">
        {changes.map((change, place) => (
          <DiffLine key={`${place}${change.kind}`} kind={change.kind}>
            {change.kind === 'changed' ? <ChangedWords {...change} /> : <WholeWords {...change} />}
          </DiffLine>
        ))}
      </ul>
      {unchanged === 0 ? null : <p className="baton-hint">{unchanged} unchanged</p>}
    </>
  );
}
