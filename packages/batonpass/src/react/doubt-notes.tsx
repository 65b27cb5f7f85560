import { useStore } from 'zustand';
import type { HandoffDecision } from '../draft/handoff-draft.ts';
import { InlineText } from './inline-text.tsx';
import { useReviewActions, useReviewParts } from './review-context.ts';

/** Below a decision: which others say the same, and which cannot hold beside it. */
export function DoubtNotes({ id }: { id: string }) {
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
      <button type="button" className="baton-button baton-small" onClick={() => actions.merge([id, ...others])}>
        Merge
      </button>
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
