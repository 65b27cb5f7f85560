import { memo } from 'react';
import type { HandoffFileRef, HandoffRisk } from '../brainstorm/draft/handoff-draft.ts';
import { showHidden } from '../core/hidden-characters.ts';
import { Card } from './card.tsx';
import { OrphanEdits } from './orphan-edits.tsx';
import type { Level } from './review-actions.ts';
import { useReviewActions } from './review-context.ts';
import { Section } from './section.tsx';
import type { Subject } from './subjects.ts';

const levels: readonly Level[] = ['high', 'medium', 'low'];

/** The files of a review, each with why it matters. */
export function Files({ files }: { files: readonly HandoffFileRef[] }) {
  return (
    <Section kind="file" heading={`Files (${files.length})`}>
      {files.length === 0 ? <p className="baton-none">No files named.</p> : null}
      <ul className="baton-list">
        {files.map((file) => (
          <li key={file.id}>
            <FileCard file={file} />
          </li>
        ))}
      </ul>
      <OrphanEdits kind="file" ids={files.map(({ id }) => id)} label="Why this file matters" />
    </Section>
  );
}

/** The risks of a review. */
export function Risks({ risks }: { risks: readonly HandoffRisk[] }) {
  return (
    <Section kind="risk" heading={`Risks (${risks.length})`}>
      {risks.length === 0 ? <p className="baton-none">No risks named.</p> : null}
      <ul className="baton-list">
        {risks.map((risk) => (
          <li key={risk.id}>
            <RiskCard risk={risk} />
          </li>
        ))}
      </ul>
      <OrphanEdits kind="risk" ids={risks.map(({ id }) => id)} label="Risk" />
    </Section>
  );
}

const FileCard = memo(function FileCard({ file }: { file: HandoffFileRef }) {
  const subject: Subject = { kind: 'file', id: file.id };
  return (
    <Card
      subject={subject}
      text={file.context}
      placeholder="No reason given."
      label="Why this file matters"
      title={
        <code className="baton-path" dir="ltr">
          {showHidden(file.path)}
        </code>
      }
      evidence={file.evidence === undefined ? [] : [file.evidence]}
      className={`baton-level-${file.relevance}`}
    >
      <LevelChoice subject={subject} level={file.relevance} label="Relevance" />
    </Card>
  );
});

const RiskCard = memo(function RiskCard({ risk }: { risk: HandoffRisk }) {
  const subject: Subject = { kind: 'risk', id: risk.id };
  return (
    <Card
      subject={subject}
      text={risk.description}
      label="Risk"
      evidence={risk.evidence === undefined ? [] : [risk.evidence]}
      className={`baton-level-${risk.severity}`}
    >
      <LevelChoice subject={subject} level={risk.severity} label="Severity" />
    </Card>
  );
});

function LevelChoice({ subject, level, label }: { subject: Subject; level: Level; label: string }) {
  const actions = useReviewActions();
  return (
    <label className="baton-level">
      <span className="baton-unseen">{label}</span>
      <select
        value={level}
        onChange={(event) => {
          const chosen = levels.find((each) => each === event.target.value);
          if (chosen !== undefined) actions.setLevel(subject, chosen);
        }}
      >
        {levels.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
