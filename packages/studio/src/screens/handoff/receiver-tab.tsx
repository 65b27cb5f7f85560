import { useEffect, useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';

type Rendered = OperationOutput<'handoff.render'>;

/** The exact text that goes into the receiver's context, what it costs, and whether a reviewer has approved it. */
export function ReceiverTab({ handoff: { id, delivery } }: { handoff: Handoff }) {
  const [rendered, setRendered] = useState<Rendered>();
  const [error, setError] = useState<unknown>();
  const { version } = delivery;
  useEffect(() => {
    const leaving = new AbortController();
    // The version is what another text comes with.
    if (version > 0) {
      call('handoff.render', { id }, { signal: leaving.signal }).then(setRendered, (problem: unknown) => {
        if (!leaving.signal.aborted) setError(problem);
      });
    }
    return () => leaving.abort();
  }, [id, version]);
  if (error !== undefined) {
    return (
      <p className="baton-banner baton-banner-fault" role="alert">
        {describeProblem(error)}
      </p>
    );
  }
  if (rendered === undefined) return <p className="studio-loading">Rendering…</p>;
  return <Text rendered={rendered} />;
}

function Text({ rendered: { text, tokens, budget, sha256, cut, situation, is_as_approved } }: { rendered: Rendered }) {
  const cuts = Object.entries(cut).filter(([, count]) => count > 0);
  return (
    <div className="handoff-part">
      <p className="handoff-facts">
        <span>
          about {tokens.toLocaleString()} of {budget.toLocaleString()} tokens
        </span>
        <span>
          SHA-256 <code title={sha256}>{sha256.slice(0, 12)}</code>
        </span>
        <span data-approved={is_as_approved ?? 'nobody'}>{describeApproval(is_as_approved)}</span>
      </p>
      {cuts.length === 0 ? null : (
        <p className="baton-banner">
          Cut to fit: {cuts.map(([section, count]) => `${count} of ${section}`).join(', ')}. The receiver is told so.
        </p>
      )}
      <section className="handoff-text" aria-label="The text as the receiver gets it">
        {showHidden(text)}
      </section>
      <h2 className="baton-heading">Beside it, as it holds now</h2>
      <section className="handoff-text" aria-label="Age, state and files">
        {showHidden(situation)}
      </section>
    </div>
  );
}

function describeApproval(is_as_approved: boolean | undefined): string {
  if (is_as_approved === undefined) return 'nobody has reviewed it';
  return is_as_approved ? 'exactly as approved' : 'not the text that was approved';
}
