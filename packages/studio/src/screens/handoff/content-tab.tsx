import type { ReactNode } from 'react';
import type { Content } from '../../../../batonpass/src/core/content.ts';
import { describeDrift, type FileDrift, hasDrifted } from '../../../../batonpass/src/core/drift.ts';
import type { Evidence } from '../../../../batonpass/src/core/evidence.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { isUnsure } from '../../../../batonpass/src/core/implied.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { InlineText } from '../../../../batonpass/src/react/inline-text.tsx';
import { call } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useLive } from '../../server/use-live.ts';

/** The content of the handoff, in the order of its weight for a reader; empty lists are left out. */
export function ContentTab({ handoff }: { handoff: Handoff }) {
  const { content } = handoff;
  const facts = content.where_it_stands ?? [];
  return (
    <div className="handoff-content">
      <List title="Where it stands" entries={facts.filter(({ kind }) => kind !== 'done')}>
        {({ kind, content: fact, evidence }) => (
          <>
            <span className="handoff-mark">{kind}</span> <Said text={fact} />
            <Quote evidence={evidence} />
          </>
        )}
      </List>
      <Statements title="Standing instructions" statements={content.instructions} />
      <Part title="Summary">
        <p className="baton-text">
          <Said text={content.summary} />
        </p>
      </Part>
      <Texts title="Next steps" texts={content.next_steps} />
      <Decisions decisions={content.decisions} />
      <List title="Dead ends" entries={content.tried}>
        {({ what, outcome }) => (
          <>
            <Said text={what} />
            <p className="baton-hint">
              <Said text={outcome} />
            </p>
          </>
        )}
      </List>
      <Texts title="Open questions" texts={content.open_questions} />
      <List title="Risks" entries={content.risks}>
        {({ description, severity, evidence }) => (
          <>
            <span className="handoff-mark" data-level={severity}>
              {severity}
            </span>{' '}
            <Said text={description} />
            <Quote evidence={evidence} />
          </>
        )}
      </List>
      <Done content={content} />
      {content.files.length === 0 ? null : <Files key={handoff.content_sha256} handoff={handoff} />}
      <Statements title="Environment" statements={content.environment} />
      <List title="References" entries={content.references}>
        {({ type, identifier, title, path, url }) =>
          showHidden([type, identifier, title, path ?? url].filter(Boolean).join(' · '))
        }
      </List>
      {content.words === undefined || content.words.length === 0 ? null : <EarlierWords words={content.words} />}
      {content.body === undefined || content.body === '' ? null : (
        <Part title="Body">
          <pre className="handoff-text">{showHidden(content.body)}</pre>
        </Part>
      )}
    </div>
  );
}

/** Standing instructions for all later work, and facts about the environment. */
function Statements({ title, statements = [] }: { title: string; statements: Content['instructions'] }) {
  return (
    <List title={title} entries={statements}>
      {({ content, evidence, times }) => (
        <>
          <Said text={content} />
          {times === undefined ? null : <span className="baton-hint"> said {times} times</span>}
          <Quote evidence={evidence} />
        </>
      )}
    </List>
  );
}

function Decisions({ decisions }: { decisions: Content['decisions'] }) {
  return (
    <List title="Decisions" entries={decisions}>
      {(decision) => (
        <>
          <Said text={decision.content} />
          <p className="baton-hint">
            {decision.source.replace(/^(?:ai|user)-/, '')}
            {isUnsure(decision) ? ` · ${Math.round((decision.confidence ?? 1) * 100)} % sure` : ''}
            {(decision.supersedes ?? []).map((text) => (
              <span key={text}>
                {' · instead of '}
                <del>
                  <Said text={text} />
                </del>
              </span>
            ))}
          </p>
          <Quote evidence={decision.evidence} />
        </>
      )}
    </List>
  );
}

/** Finished work: from the end of the conversation, and from the reports on each part. */
function Done({ content }: { content: Content }) {
  const facts = (content.where_it_stands ?? []).filter(({ kind }) => kind === 'done');
  const entries = [
    ...facts.map(({ content: description, evidence }) => ({ status: '', description, evidence, notes: undefined })),
    ...content.results.map((result) => ({ ...result, evidence: undefined })),
  ];
  return (
    <List title="Done" entries={entries}>
      {({ description, status, notes, evidence }) => (
        <>
          {status === '' ? null : <span className="handoff-mark">{status} </span>}
          <Said text={description} />
          {notes === undefined ? null : (
            <p className="baton-hint">
              <Said text={notes} />
            </p>
          )}
          <Quote evidence={evidence} />
        </>
      )}
    </List>
  );
}

/** Sentences of the conversation, folded: there are many, and the parts above cover most of them. */
function EarlierWords({ words }: { words: NonNullable<Content['words']> }) {
  return (
    <Part title={`Earlier words ${words.length}`}>
      <details className="handoff-details">
        <summary>Show them</summary>
        <ul className="handoff-list">
          {words.map(({ id, message, by, content }) => (
            <li key={id}>
              <span className="handoff-mark">
                {message} {by}
              </span>{' '}
              <Said text={content} />
            </li>
          ))}
        </ul>
      </details>
    </Part>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  return (
    <List title={title} entries={texts}>
      {(text) => <Said text={text} />}
    </List>
  );
}

/** The files, and how each has changed since, in the server's work tree. */
function Files({ handoff: { id, content } }: { handoff: Handoff }) {
  const { value, error, reload } = useLive((signal) => call('handoff.check', { id }, { signal }), {
    filter: { handoff_id: id },
  });
  const checked = value?.handoffs[0]?.files;
  return (
    <div className="handoff-files">
      <List title="Files" entries={content.files}>
        {(file) => (
          <File file={file} drift={checked?.find((each) => each.id === file.id)} branch={content.origin?.branch} />
        )}
      </List>
      <p className="handoff-check" role="status">
        {checked === undefined && error !== undefined
          ? `Their state is not known here. ${describeProblem(error)}`
          : describeCheck(checked)}{' '}
        <Button label="Check again" onClick={() => void reload()} />
      </p>
    </div>
  );
}

function describeCheck(checked: readonly FileDrift[] | undefined): string {
  if (checked === undefined) return 'Checking them…';
  const drifted = checked.filter(hasDrifted).length;
  const unknown = checked.filter(({ verdict }) => verdict === 'unknown' || verdict === 'no-git').length;
  if (drifted + unknown === 0) return 'None has changed since.';
  const told = [`${drifted} of ${checked.length} changed since`, ...(unknown === 0 ? [] : [`${unknown} not known`])];
  return `${told.join(', ')}.`;
}

/** A verdict in one word. */
const words: Readonly<Record<FileDrift['verdict'], string>> = {
  unchanged: 'Unchanged',
  edited: 'Changed',
  renamed: 'Moved',
  deleted: 'Missing',
  'not-on-this-branch': 'Missing here',
  'uncommitted-and-missing': 'Missing',
  'no-git': 'Not known',
  unknown: 'Not known',
};

interface FileProps {
  file: Content['files'][number];
  drift: FileDrift | undefined;
  branch: string | undefined;
}

function File({ file: { path, relevance, context, evidence }, drift, branch }: FileProps) {
  return (
    <>
      <span className="handoff-mark" data-level={relevance}>
        {relevance}
      </span>{' '}
      <code className="baton-path">{showHidden(path)}</code>
      {context === '' ? null : <p>{showHidden(context)}</p>}
      {drift === undefined ? null : (
        <p className="handoff-drift" data-verdict={drift.verdict}>
          <strong>{drift.reason === 'path-refused' ? 'Outside the project' : words[drift.verdict]}</strong>{' '}
          {drift.verdict === 'unchanged' ? null : (
            <>
              <span>{describeDrift(drift, showHidden)}.</span> <span>{adviceFor(drift, branch)}</span>
            </>
          )}
        </p>
      )}
      <Quote evidence={evidence} />
    </>
  );
}

/** What to do about a file that has changed. */
function adviceFor({ verdict, renamed_to, touches_lines, reason }: FileDrift, branch: string | undefined): string {
  switch (verdict) {
    case 'edited':
      return touches_lines === false
        ? 'The lines that matter are as they were.'
        : 'Read it again before relying on what is said about it.';
    case 'renamed':
      return `Look at ${showHidden(renamed_to ?? 'its new place')} instead.`;
    case 'deleted':
      return 'Check whether what is said about it still holds.';
    case 'not-on-this-branch':
      return branch === undefined ? 'Look on the branch that it was written on.' : `Look on ${showHidden(branch)}.`;
    case 'uncommitted-and-missing':
      return 'Ask its author: it was never committed.';
    case 'unknown':
      return reason === 'path-refused' ? 'It is not checked.' : 'Check it yourself.';
    default:
      return '';
  }
}

/** A text as it was written, with its inline code marked up. */
function Said({ text }: { text: string }) {
  return (
    <span className="handoff-said" dir="auto">
      <InlineText text={text} />
    </span>
  );
}

/** The place and the quote of a statement. */
function Quote({ evidence }: { evidence: Evidence | undefined }) {
  if (evidence === undefined) return null;
  return (
    <blockquote className="handoff-quote">
      <span className="baton-place">Message {evidence.message}</span>{' '}
      <q>
        <Said text={evidence.quote} />
      </q>
    </blockquote>
  );
}

interface ListProps<Entry> {
  title: string;
  entries: readonly Entry[];
  children: (entry: Entry) => ReactNode;
}

/** A part that is a list; an empty one is left out. */
function List<Entry>({ title, entries, children }: ListProps<Entry>) {
  if (entries.length === 0) return null;
  return (
    <Part title={`${title} ${entries.length}`}>
      <ul className="handoff-list">
        {entries.map((entry, index) => (
          <li key={index}>{children(entry)}</li>
        ))}
      </ul>
    </Part>
  );
}

/** A part of the content under its title. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="handoff-part">
      <h2 className="baton-heading">{title}</h2>
      {children}
    </section>
  );
}
