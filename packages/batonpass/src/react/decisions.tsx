import { memo } from 'react';
import { useStore } from 'zustand';
import { isUnsure } from '../core/implied.ts';
import type { HandoffDecision } from '../draft/handoff-draft.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { groupDecisions } from './decision-groups.ts';
import { InlineText } from './inline-text.tsx';
import { OrphanEdits } from './orphan-edits.tsx';
import { useEdit, useReviewActions, useReviewParts } from './review-context.ts';
import { countShown, Section } from './section.tsx';
import { newSubject, toKey } from './subjects.ts';
import { TextEditor } from './text-editor.tsx';

/** The author of a decision's text, on its card. */
const sourceLabels = { 'user-pinned': 'PINNED', 'ai-extracted': 'AI', 'user-edited': 'EDITED' } as const;

/**
 * The decisions of a review: the stated ones, below the line the implied ones, and those that planning added. @param
 * all - before the filter.
 */
export function Decisions({
  decisions,
  all,
}: {
  decisions: readonly HandoffDecision[];
  all: readonly HandoffDecision[];
}) {
  const { said, implied, fromPlanning } = groupDecisions(decisions);
  const actions = useReviewActions();
  const add = <Button label="Add decision" look="quiet" onClick={() => actions.add()} />;
  return (
    <Section
      kind="decision"
      heading={countShown('Decisions', decisions, all)}
      note={countSources(decisions)}
      tools={add}
    >
      <CardList decisions={said} />
      <NewDecision />
      <OrphanEdits kind="decision" ids={all.map(({ id }) => id)} label="Decision" />
      {implied.length === 0 ? null : (
        <div className="baton-below baton-implied">
          <h4 className="baton-group">Implied ({implied.length})</h4>
          <CardList decisions={implied} />
        </div>
      )}
      {fromPlanning.length === 0 ? null : (
        <div className="baton-below">
          <h4 className="baton-group">New from planning ({fromPlanning.length})</h4>
          <CardList decisions={fromPlanning} />
        </div>
      )}
    </Section>
  );
}

function CardList({ decisions }: { decisions: readonly HandoffDecision[] }) {
  if (decisions.length === 0) return null;
  return (
    <ul className="baton-list">
      {decisions.map((decision) => (
        <li key={decision.id}>
          <DecisionCard decision={decision} />
        </li>
      ))}
    </ul>
  );
}

const DecisionCard = memo(function DecisionCard({ decision }: { decision: HandoffDecision }) {
  const { id, content, source, confidence = 1, evidence, support = [], supersedes = [] } = decision;
  return (
    <Card
      subject={{ kind: 'decision', id }}
      text={content}
      label="Decision"
      className={`baton-from-${source}`}
      evidence={evidence === undefined ? support : [evidence, ...support]}
      notes={<DoubtNotes id={id} />}
      {...(decision.fromPlanning === true ? { verdict: <Verdict id={id} /> } : {})}
    >
      <span className="baton-label">{sourceLabels[source]}</span>
      {isUnsure(decision) ? <span>confidence {Math.round(confidence * 100)} %</span> : null}
      {[...new Set(supersedes)].map((text) => (
        <span key={text} className="baton-instead">
          instead of{' '}
          <del dir="auto">
            <InlineText text={text} />
          </del>
        </span>
      ))}
    </Card>
  );
});

/** The answers to a decision that the plan agent added; it can be edited once it is accepted. */
function Verdict({ id }: { id: string }) {
  const actions = useReviewActions();
  return (
    <>
      <Button label="Accept" onClick={() => actions.accept(id)} />
      <Button label="Reject" onClick={() => actions.remove({ kind: 'decision', id })} />
    </>
  );
}

/** The editor of a new decision. */
function NewDecision() {
  const edit = useEdit(newSubject);
  if (edit === undefined) return null;
  return (
    <div className="baton-card" data-baton-item={toKey(newSubject)}>
      <div className="baton-body">
        <TextEditor subject={newSubject} edit={edit} stored="" label="New decision" />
      </div>
    </div>
  );
}

function countSources(decisions: readonly HandoffDecision[]): string {
  const count = (source: HandoffDecision['source']) => decisions.filter((each) => each.source === source).length;
  const parts: [number, string][] = [
    [count('user-pinned'), 'pinned'],
    [count('ai-extracted'), 'extracted'],
    [count('user-edited'), 'edited'],
  ];
  return parts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`])).join(', ');
}

/** Below a decision: its duplicates and contradictions. */
function DoubtNotes({ id }: { id: string }) {
  const { doubts } = useReviewParts();
  const doubt = useStore(doubts, (all) => all.get(id));
  if (doubt === undefined) return null;
  const { duplicates, contradictions } = doubt;
  return (
    <>
      {duplicates.length === 0 ? null : <Duplicates id={id} others={duplicates} />}
      {contradictions.map((other) => (
        <p key={other} className="baton-doubt baton-contradiction">
          <span className="baton-doubt-word">Contradicts</span> <Named id={other} />
        </p>
      ))}
    </>
  );
}

function Duplicates({ id, others }: { id: string; others: readonly string[] }) {
  const actions = useReviewActions();
  return (
    <p className="baton-doubt">
      <span className="baton-doubt-word">Says the same as</span>{' '}
      {others.map((other) => (
        <Named key={other} id={other} />
      ))}
      <Button label="Merge" onClick={() => actions.merge([id, ...others])} />
    </p>
  );
}

function Named({ id }: { id: string }) {
  const { store } = useReviewParts();
  const content = useStore(store, ({ decisions }) => findContent(decisions, id));
  return content === undefined ? null : (
    <q dir="auto">
      <InlineText text={content} />
    </q>
  );
}

function findContent(decisions: readonly HandoffDecision[], id: string): string | undefined {
  return decisions.find((each) => each.id === id)?.content;
}
