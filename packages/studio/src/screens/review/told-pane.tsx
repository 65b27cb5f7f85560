import { useDeferredValue, useId, useMemo } from 'react';
import { useStore } from 'zustand';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { estimateTokens } from '../../../../batonpass/src/formats/token-estimate.ts';
import { renderPlanPrompt } from '../../../../batonpass/src/planning/render-plan-prompt.ts';
import { partsIn } from './draft-parts.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

/** Beside the lists: the very text that the planner will be told, as the draft is now. */
export function ToldPane({ draft, address }: { draft: SyncedDraft; address: string }) {
  const { store, sync } = draft;
  const parts = useDeferredValue(useStore(store));
  const handoff = useDeferredValue(useStore(sync.state, (state) => state.handoff));
  const text = useMemo(() => toldText({ parts, content: handoff.content }), [parts, handoff]);
  const id = useId();
  return (
    <section className="review-told" aria-labelledby={id}>
      <h3 id={id} className="baton-heading">
        What the planner will be told
      </h3>
      <p className="baton-hint">
        {estimateTokens(text).toLocaleString('en')} tokens ·{' '}
        <a href={address}>Full width, or approve without planning</a>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reached by the keyboard. */}
      <pre tabIndex={0}>{showHidden(text)}</pre>
    </section>
  );
}

/** What the planner is told of a draft: rendered as the server does, whose bytes are compared before anything is approved. */
export function toldOf({ store, sync }: SyncedDraft): string {
  return toldText({ parts: store.getState(), content: sync.state.getState().handoff.content });
}

type ToldInput = {
  parts: Parameters<typeof partsIn>[0];
  content: Parameters<typeof renderPlanPrompt>[0];
};

function toldText({ parts, content }: ToldInput): string {
  const { decisions, filesReferenced: files, risks, brainstormSummary: summary } = partsIn(parts);
  return renderPlanPrompt({ ...content, decisions, files, risks, summary });
}
