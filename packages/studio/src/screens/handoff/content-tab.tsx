import type { Content } from '../../../../batonpass/src/core/content.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { isUnsure } from '../../../../batonpass/src/core/implied.ts';
import { List, Part, Quote, Said } from './content-parts.tsx';
import { Files } from './files.tsx';

/** What the handoff passes on, in the order of its weight for a reader; lists without entries are left out. */
export function ContentTab({ handoff }: { handoff: Handoff }) {
  const { content } = handoff;
  return (
    <div className="handoff-content">
      <AtTheEnd content={content} />
      <Part title="Summary">
        <p className="baton-text">
          <Said text={content.summary} />
        </p>
      </Part>
      <Texts title="Next steps" texts={content.next_steps} />
      <Decisions decisions={content.decisions} />
      <DeadEnds tried={content.tried} />
      <Texts title="Open questions" texts={content.open_questions} />
      <List title="Risks" entries={content.risks} toKey={({ id }) => id}>
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
      <Files key={handoff.content_sha256} handoff={handoff} />
      <Statements title="Environment" statements={content.environment} />
      <References references={content.references} />
      <EarlierWords words={content.words ?? []} />
      {content.body === undefined || content.body === '' ? null : (
        <Part title="Body">
          <pre className="handoff-text">{showHidden(content.body)}</pre>
        </Part>
      )}
    </div>
  );
}

/** Where the work is, and what the person wants of all that follows. */
function AtTheEnd({ content }: { content: Content }) {
  const facts = (content.where_it_stands ?? []).filter(({ kind }) => kind !== 'done');
  return (
    <>
      <List title="Where it stands" entries={facts} toKey={({ id }) => id}>
        {({ kind, content: fact, evidence }) => (
          <>
            <span className="handoff-mark">{kind}</span> <Said text={fact} />
            <Quote evidence={evidence} />
          </>
        )}
      </List>
      <Statements title="Standing instructions" statements={content.instructions} />
    </>
  );
}

/** What was ordered of all later work, or found out of the environment. */
function Statements({ title, statements = [] }: { title: string; statements: Content['instructions'] }) {
  return (
    <List title={title} entries={statements} toKey={({ id }) => id}>
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
    <List title="Decisions" entries={decisions} toKey={({ id }) => id}>
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

/** What was tried and did not do. */
function DeadEnds({ tried }: { tried: Content['tried'] }) {
  return (
    <List title="Dead ends" entries={tried} toKey={({ what }, index) => `${index}${what}`}>
      {({ what, outcome }) => (
        <>
          <Said text={what} />
          <p className="baton-hint">
            <Said text={outcome} />
          </p>
        </>
      )}
    </List>
  );
}

/** What is finished: as the conversation told it at its end, and what was reported of each part of the work. */
function Done({ content }: { content: Content }) {
  const facts = (content.where_it_stands ?? []).filter(({ kind }) => kind === 'done');
  const entries = [
    ...facts.map(({ content: description, evidence }) => ({ status: '', description, evidence, notes: undefined })),
    ...content.results.map((result) => ({ ...result, evidence: undefined })),
  ];
  return (
    <List title="Done" entries={entries} toKey={({ description }, index) => `${index}${description}`}>
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

function References({ references }: { references: Content['references'] }) {
  return (
    <List title="References" entries={references} toKey={({ identifier }, index) => `${index}${identifier}`}>
      {({ type, identifier, title, path, url }) =>
        showHidden([type, identifier, title, path ?? url].filter(Boolean).join(' · '))
      }
    </List>
  );
}

/** The conversation's own sentences, folded: there are many, and the parts above say the most of them. */
function EarlierWords({ words }: { words: NonNullable<Content['words']> }) {
  if (words.length === 0) return null;
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
    <List title={title} entries={texts} toKey={(text, index) => `${index}${text}`}>
      {(text) => <Said text={text} />}
    </List>
  );
}
