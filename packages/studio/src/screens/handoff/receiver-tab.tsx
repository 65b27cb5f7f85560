import { useId } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { limits } from '../../../../batonpass/src/core/limits.ts';
import { planAgentName } from '../../../../batonpass/src/draft/plan-agent-name.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { call } from '../../server/call.ts';
import { useLoaded } from '../../server/use-live.ts';
import { changeQuery, useRoute } from '../../shell/router.ts';
import { Absent } from '../../shown/absent.tsx';

type Rendered = OperationOutput<'handoff.render'>;

/** The maximum of the slider: what a long session's handoff fills, several times the budget of a hook. */
const BUDGET_MAX = 16_000;
const STEP = 100;

/** The exact text in the receiver's context within a budget, and whether a reviewer has approved it. */
export function ReceiverTab({ handoff: { id, delivery, content } }: { handoff: Handoff }) {
  const asked = useBudget();
  const input = asked === undefined ? { id } : { id, budget: asked };
  // The text can differ between versions.
  const { value, error, reload } = useLoaded(
    (signal) => call('handoff.render', input, { signal }),
    `${delivery.version} ${asked}`,
  );
  if (value === undefined) return <Absent what="text" name={id} error={error} onRetry={reload} />;
  return (
    <div className="handoff-part">
      {content.target_agent === planAgentName ? (
        <p className="baton-hint">The planner gets all of it, regardless of length.</p>
      ) : (
        <Budget budget={asked ?? value.budget} approved={delivery.approval?.budget} isOwn={asked === undefined} />
      )}
      <Text rendered={value} />
    </div>
  );
}

/** The budget in the address; undefined for the receiver's own. */
function useBudget(): number | undefined {
  const asked = Number(useRoute().query.get('budget') ?? Number.NaN);
  return Number.isInteger(asked) && asked >= limits.render_tokens_min ? asked : undefined;
}

interface BudgetProps {
  budget: number;
  /** The budget that the reviewer approved, where there was one. */
  approved: number | undefined;
  /** Whether it is the receiver's default. */
  isOwn: boolean;
}

/** A slider over the budgets of receivers: the text below follows it. */
function Budget({ budget, approved, isOwn }: BudgetProps) {
  const id = useId();
  return (
    <div className="handoff-budget">
      <label htmlFor={id}>Budget</label>
      <input
        id={id}
        type="range"
        min={limits.render_tokens_min}
        max={Math.max(BUDGET_MAX, budget)}
        step={STEP}
        value={budget}
        aria-valuetext={`${budget.toLocaleString('en')} tokens`}
        onChange={(event) => changeQuery({ budget: event.target.value })}
      />
      <output htmlFor={id}>{budget.toLocaleString('en')} tokens</output>
      <Button
        label={approved === undefined ? 'As it is given' : 'As it was approved'}
        aria-disabled={isOwn}
        onClick={() => changeQuery({ budget: '' })}
      />
    </div>
  );
}

function Text({ rendered: { text, tokens, budget, sha256, cut, situation, is_as_approved } }: { rendered: Rendered }) {
  const cuts = Object.entries(cut).filter(([, count]) => count > 0);
  return (
    <>
      <p className="handoff-facts" role="status">
        <span>
          about {tokens.toLocaleString('en')} of {budget.toLocaleString('en')} tokens
        </span>
        <span>
          SHA-256 <code title={sha256}>{sha256.slice(0, 12)}</code>
        </span>
        <span data-approved={is_as_approved ?? 'nobody'}>{describeApproval(is_as_approved)}</span>
      </p>
      {cuts.length === 0 ? null : (
        <p className="baton-banner">
          Cut to fit: {cuts.map(([section, count]) => `${count} of ${section.replaceAll('_', ' ')}`).join(', ')}. The
          text names what is missing.
        </p>
      )}
      <section className="handoff-text" aria-label="The text as the receiver gets it">
        {showHidden(text)}
      </section>
      <h2 className="baton-heading">The current state, in its own block</h2>
      <section className="handoff-text" aria-label="Age, state and files">
        {showHidden(situation)}
      </section>
    </>
  );
}

function describeApproval(is_as_approved: boolean | undefined): string {
  if (is_as_approved === undefined) return 'nobody has reviewed it';
  return is_as_approved ? 'exactly as approved' : 'not the text that was approved';
}
