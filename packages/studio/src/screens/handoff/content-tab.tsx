import type { Content } from '../../../../batonpass/src/core/content.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { List, Part, Quote } from './content-parts.tsx';
import { Files } from './files.tsx';

/** What the handoff passes on, in the order of its weight for a reader; lists without entries are left out. */
export function ContentTab({ handoff }: { handoff: Handoff }) {
  const { content } = handoff;
  return (
    <div className="handoff-content">
      <Part title="Summary">
        <p className="baton-text">{showHidden(content.summary)}</p>
      </Part>
      <AtTheEnd content={content} />
      <Decisions decisions={content.decisions} />
      <Texts title="Next steps" texts={content.next_steps} />
      <Files key={handoff.content_sha256} handoff={handoff} />
      <List title="Risks" entries={content.risks} toKey={({ id }) => id}>
        {({ description, severity, evidence }) => (
          <>
            <span className="handoff-mark" data-level={severity}>
              {severity}
            </span>{' '}
            {showHidden(description)}
            <Quote evidence={evidence} />
          </>
        )}
      </List>
      <List title="Tried" entries={content.tried} toKey={({ what }, index) => `${index}${what}`}>
        {({ what, outcome }) => (
          <>
            {showHidden(what)}
            <p className="baton-hint">{showHidden(outcome)}</p>
          </>
        )}
      </List>
      <Texts title="Open questions" texts={content.open_questions} />
      <List title="Results" entries={content.results} toKey={({ description }, index) => `${index}${description}`}>
        {({ description, status, notes }) => (
          <>
            <span className="handoff-mark">{status}</span> {showHidden(description)}
            {notes === undefined ? null : <p className="baton-hint">{showHidden(notes)}</p>}
          </>
        )}
      </List>
      <Texts title="Commands that worked" texts={(content.environment ?? []).map((fact) => fact.content)} />
      <List title="References" entries={content.references} toKey={({ identifier }, index) => `${index}${identifier}`}>
        {({ type, identifier, title, path, url }) =>
          showHidden([type, identifier, title, path ?? url].filter(Boolean).join(' · '))
        }
      </List>
      <Texts
        title="Earlier words"
        texts={(content.words ?? []).map(({ message, by, content: said }) => `${message} ${by}: ${said}`)}
      />
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
  return (
    <>
      <List title="Where it stands" entries={content.where_it_stands ?? []} toKey={({ id }) => id}>
        {({ kind, content: fact, evidence }) => (
          <>
            <span className="handoff-mark">{kind}</span> {showHidden(fact)}
            <Quote evidence={evidence} />
          </>
        )}
      </List>
      <List title="Standing instructions" entries={content.instructions ?? []} toKey={({ id }) => id}>
        {({ content: instruction, evidence }) => (
          <>
            {showHidden(instruction)}
            <Quote evidence={evidence} />
          </>
        )}
      </List>
    </>
  );
}

function Decisions({ decisions }: { decisions: Content['decisions'] }) {
  return (
    <List title="Decisions" entries={decisions} toKey={({ id }) => id}>
      {({ content, source, confidence, supersedes, evidence }) => (
        <>
          {showHidden(content)}
          <p className="baton-hint">
            {source.replace(/^(?:ai|user)-/, '')}
            {confidence === undefined ? '' : ` · ${Math.round(confidence * 100)} % sure`}
            {(supersedes ?? []).map((text) => (
              <span key={text}>
                {' · instead of '}
                <del>{showHidden(text)}</del>
              </span>
            ))}
          </p>
          <Quote evidence={evidence} />
        </>
      )}
    </List>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  return (
    <List title={title} entries={texts} toKey={(text, index) => `${index}${text}`}>
      {(text) => showHidden(text)}
    </List>
  );
}
