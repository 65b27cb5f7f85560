import { memo } from 'react';
import { useStore } from 'zustand';
import { showHidden } from '../core/hidden-characters.ts';
import type { HandoffFileRef, HandoffRisk } from '../draft/handoff-draft.ts';
import { Card } from './card.tsx';
import { OrphanEdits } from './orphan-edits.tsx';
import type { Level } from './review-actions.ts';
import { useReviewActions, useReviewParts } from './review-context.ts';
import { countShown, Section } from './section.tsx';
import type { Subject } from './subjects.ts';

const levels: readonly Level[] = ['high', 'medium', 'low'];

/** The files of a review, each with why it matters. @param all - before the filter. */
export function Files({ files, all }: { files: readonly HandoffFileRef[]; all: readonly HandoffFileRef[] }) {
  return (
    <Section kind="file" heading={countShown('Files', files, all)}>
      {all.length === 0 ? <p className="baton-none">No files named.</p> : null}
      <ul className="baton-list">
        {files.map((file) => (
          <li key={file.id}>
            <FileCard file={file} />
          </li>
        ))}
      </ul>
      <OrphanEdits kind="file" ids={all.map(({ id }) => id)} label="Why this file matters" />
    </Section>
  );
}

/** The risks of a review. @param all - before the filter. */
export function Risks({ risks, all }: { risks: readonly HandoffRisk[]; all: readonly HandoffRisk[] }) {
  return (
    <Section kind="risk" heading={countShown('Risks', risks, all)}>
      {all.length === 0 ? <p className="baton-none">No risks named.</p> : null}
      <ul className="baton-list">
        {risks.map((risk) => (
          <li key={risk.id}>
            <RiskCard risk={risk} />
          </li>
        ))}
      </ul>
      <OrphanEdits kind="risk" ids={all.map(({ id }) => id)} label="Risk" />
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
      <OnDisk id={file.id} />
    </Card>
  );
});

/** The state of a file on the disk, where it was checked. */
function OnDisk({ id }: { id: string }) {
  const note = useStore(useReviewParts().fileNotes, (notes) => notes.get(id));
  if (note === undefined) return null;
  return (
    <span className={note.isWarning ? 'baton-disk baton-disk-warning' : 'baton-disk'}>{showHidden(note.text)}</span>
  );
}

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
