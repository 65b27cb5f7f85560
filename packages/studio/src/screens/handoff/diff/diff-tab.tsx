import './diff.css';
import type { Handoff } from '../../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../../server/call.ts';
import { useLive } from '../../../server/use-live.ts';
import { useRoute } from '../../../shell/router.ts';
import { Absent } from '../../../shown/absent.tsx';
import { describeAge, describeInstant, useNow } from '../../../shown/age.ts';
import { compareContents, type EntryChange, type PartChange } from './compare-contents.ts';
import { type KeptEdit, readEdits } from './edited-entries.ts';
import { diffLines, diffWords, type Part } from './line-diff.ts';

/** What changed: against what it replaces, against what it goes on from, and by the edits of its draft. */
export function DiffTab({ handoff }: { handoff: Handoff }) {
  const { query } = useRoute();
  const { id, content, delivery } = handoff;
  const { supersedes_id, parent_id } = content;
  const bases = [
    ...(supersedes_id === undefined ? [] : [{ name: 'replaced', title: 'What it replaces', id: supersedes_id }]),
    ...(parent_id === undefined ? [] : [{ name: 'parent', title: 'What it goes on from', id: parent_id }]),
    ...(delivery.content_revision > 1 ? [{ name: 'edits', title: 'Edits of its draft', id: undefined }] : []),
  ];
  const base = bases.find(({ name }) => name === query.get('against')) ?? bases[0];
  if (base === undefined) {
    return <p className="baton-none">It replaces no handoff, goes on from none, and was never edited.</p>;
  }
  return (
    <div className="handoff-part">
      <nav className="diff-bases" aria-label="Compared with">
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
        {parts.length === 0 ? 'Nothing that they say differs.' : summaryOf(parts)}
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

/** A text of some lines is compared by lines, a short one by words. */
function TextChange({ before, after }: { before: string; after: string }) {
  const isLong = before.includes('\n') || after.includes('\n');
  if (!isLong) {
    return (
      <p className="diff-line" data-kind="changed">
        <Word kind="changed" />
        <Words parts={diffWords(before, after)} />
      </p>
    );
  }
  return (
    <ol className="diff-lines">
      {diffLines(before, after).flatMap((part, place) =>
        part.text.split('\n').map((line, index) => (
          <li key={`${place}/${index}`} className="diff-line" data-kind={part.kind}>
            <Word kind={part.kind} />
            <span className="diff-words">{showHidden(line)}</span>
          </li>
        )),
      )}
    </ol>
  );
}

function ListChange({ changes, unchanged }: Extract<PartChange, { type: 'list' }>) {
  return (
    <>
      <ul className="diff-lines">
        {changes.map((change, place) => (
          <li key={`${place}${change.kind}`} className="diff-line" data-kind={change.kind}>
            <Word kind={change.kind} />
            <EntryWords change={change} />
          </li>
        ))}
      </ul>
      {unchanged === 0 ? null : <p className="baton-hint">{unchanged} unchanged</p>}
    </>
  );
}

function EntryWords({ change }: { change: EntryChange }) {
  if (change.kind === 'changed') return <Words parts={diffWords(change.before, change.after)} />;
  const words = showHidden(change.words);
  return <span className="diff-words">{change.kind === 'added' ? <ins>{words}</ins> : <del>{words}</del>}</span>;
}

function Words({ parts }: { parts: readonly Part[] }) {
  return (
    <span className="diff-words">
      {parts.map(({ kind, text }, place) => {
        const words = showHidden(text);
        if (kind === 'same') return <span key={place}>{words}</span>;
        const [lead, end] = kind === 'added' ? ['added: ', ' end of added. '] : ['removed: ', ' end of removed. '];
        const Mark = kind === 'added' ? 'ins' : 'del';
        return (
          <Mark key={place}>
            <span className="baton-unseen">{lead}</span>
            {words}
            <span className="baton-unseen">{end}</span>
          </Mark>
        );
      })}
    </span>
  );
}

const signs = { same: ' ', added: '+', removed: '−', changed: '±' } as const;

/** The kind of a line in a sign and in a word: colour is never all that tells it. */
function Word({ kind }: { kind: keyof typeof signs }) {
  return (
    <span className="diff-kind">
      <span aria-hidden="true">{signs[kind]}</span>
      {kind === 'same' ? null : <span className="diff-kind-word"> {kind}</span>}
    </span>
  );
}

/** The most events that are read: a draft has fewer edits. */
const EVENTS_MAX = 1_000;

function Edits({ handoff: { id, content } }: { handoff: Handoff }) {
  const { value, error, reload } = useLive((signal) => call('handoff.events', { id, limit: EVENTS_MAX }, { signal }), {
    filter: { handoff_id: id },
  });
  const now_ms = useNow();
  if (value === undefined) return <Absent what="history" name={id} error={error} onRetry={reload} />;
  return (
    <>
      <p className="baton-hint">
        The history keeps which words an edit put in, and never the words that somebody took out.
      </p>
      <ol className="handoff-timeline">
        {readEdits(value.events, content).map((edit) => (
          <li key={edit.seq}>
            <Edit edit={edit} now_ms={now_ms} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Edit({ edit: { at, by, revision, added, others, isUnmarked }, now_ms }: { edit: KeptEdit; now_ms: number }) {
  return (
    <>
      <p className="handoff-facts">
        <strong>Revision {revision}</strong>
        <span>{showHidden(by)}</span>
        <time dateTime={at} title={describeInstant(at)}>
          {describeAge(at, now_ms)} ago
        </time>
      </p>
      {isUnmarked ? (
        <p className="baton-hint">An extraction, or a change of order or weight: no words of it are kept.</p>
      ) : null}
      <ul className="diff-lines">
        {added.map((words) => (
          <li key={words} className="diff-line" data-kind="added">
            <Word kind="added" />
            <span className="diff-words">
              <ins>{showHidden(words)}</ins>
            </span>
          </li>
        ))}
      </ul>
      {others === 0 ? null : <p className="baton-hint">It also took words out, or put in what was changed later.</p>}
    </>
  );
}
