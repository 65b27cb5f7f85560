import { type ReactNode, useEffect, useState } from 'react';
import type { Content } from '../../../../batonpass/src/core/content.ts';
import { describeDrift, type FileDrift } from '../../../../batonpass/src/core/drift.ts';
import type { Evidence } from '../../../../batonpass/src/core/evidence.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../server/call.ts';

/** What the handoff passes on, in the order of its weight for a reader; lists without entries are left out. */
export function ContentTab({ handoff }: { handoff: Handoff }) {
  const { content } = handoff;
  return (
    <div className="handoff-content">
      <Part title="Summary">
        <p className="baton-text">{showHidden(content.summary)}</p>
      </Part>
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
      <List title="References" entries={content.references} toKey={({ identifier }, index) => `${index}${identifier}`}>
        {({ type, identifier, title, path, url }) =>
          showHidden([type, identifier, title, path ?? url].filter(Boolean).join(' · '))
        }
      </List>
      {content.body === undefined || content.body === '' ? null : (
        <Part title="Body">
          <pre className="handoff-text">{showHidden(content.body)}</pre>
        </Part>
      )}
    </div>
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

/** The files, and what became of them in the work tree of the server. */
function Files({ handoff: { id, content } }: { handoff: Handoff }) {
  const [drift, setDrift] = useState<readonly FileDrift[]>();
  const hasFiles = content.files.length > 0;
  useEffect(() => {
    const leaving = new AbortController();
    if (hasFiles) {
      // Files of another project are not on the server: then the references alone are shown.
      call('handoff.check', { id }, { signal: leaving.signal }).then(
        ({ handoffs }) => setDrift(handoffs[0]?.files ?? []),
        () => setDrift([]),
      );
    }
    return () => leaving.abort();
  }, [id, hasFiles]);
  return (
    <List title="Files" entries={content.files} toKey={({ id: key }) => key}>
      {({ id: fileId, path, relevance, context, evidence }) => {
        const found = drift?.find((each) => each.id === fileId);
        return (
          <>
            <span className="handoff-mark" data-level={relevance}>
              {relevance}
            </span>{' '}
            <code className="baton-path">{showHidden(path)}</code>
            {context === '' ? null : <p>{showHidden(context)}</p>}
            {found === undefined ? null : (
              <p className="baton-hint" data-verdict={found.verdict}>
                {describeDrift(found, showHidden)}
              </p>
            )}
            <Quote evidence={evidence} />
          </>
        );
      }}
    </List>
  );
}

function Quote({ evidence }: { evidence: Evidence | undefined }) {
  if (evidence === undefined) return null;
  return (
    <blockquote className="handoff-quote">
      <span className="baton-place">Message {evidence.message}</span> <q>{showHidden(evidence.quote)}</q>
    </blockquote>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  return (
    <List title={title} entries={texts} toKey={(text, index) => `${index}${text}`}>
      {(text) => showHidden(text)}
    </List>
  );
}

interface ListProps<Entry> {
  title: string;
  entries: readonly Entry[];
  toKey: (entry: Entry, index: number) => string;
  children: (entry: Entry) => ReactNode;
}

function List<Entry>({ title, entries, toKey, children }: ListProps<Entry>) {
  if (entries.length === 0) return null;
  return (
    <Part title={`${title} ${entries.length}`}>
      <ul className="handoff-list">
        {entries.map((entry, index) => (
          <li key={toKey(entry, index)}>{children(entry)}</li>
        ))}
      </ul>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="handoff-part">
      <h2 className="baton-heading">{title}</h2>
      {children}
    </section>
  );
}
