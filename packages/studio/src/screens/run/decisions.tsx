import { useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { call, createKey } from '../../server/call.ts';
import { isReplaceable, writeNewVersion } from '../../server/new-version.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { announce, announceFailure, followStep, offerUndo } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import type { Attempt } from './use-planning.ts';

interface DecisionsProps {
  attempt: Attempt;
  /** The handoff that continues the plan of this attempt; null where there is none. */
  next: Handoff | null;
  /** Called with the next handoff after a change, where that is known: the next choice applies to it. */
  onChange: (next?: Handoff) => void;
}

/** Accepts the focused decision, else focuses the first one. */
function acceptByKey(): void {
  const line = document.activeElement?.closest('.run-decision');
  const button = (line ?? document).querySelector<HTMLElement>('.run-choice');
  if (button === null) announce('There is no decision to accept.');
  else if (line === null || line === undefined) button.focus();
  else button.click();
}

/**
 * The agent's decisions during planning. The next handoff has them with the plan; the user keeps or removes each, as
 * far as the life cycle allows changes.
 */
export function Decisions({ attempt, next, onChange }: DecisionsProps) {
  const texts = [...new Set(attempt.decisions)];
  const [isBusy, setBusy] = useState(false);
  useKeys('Decisions', texts.length === 0 ? [] : [{ keys: 'a', does: 'accept a decision', run: acceptByKey }]);
  if (texts.length === 0) return null;
  const settle = async (text: string, isAccepted: boolean) => {
    if (next === null || isBusy) return;
    setBusy(true);
    try {
      onChange(await followStep(isAccepted ? accept(next, text) : reject(next, text, onChange)));
    } catch (error) {
      announceFailure(describeProblem(error));
      onChange();
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="run-decisions" aria-label="New from planning">
      <h2 className="run-attempt-title">
        <span aria-hidden="true">◆ </span>New from planning ({texts.length})
      </h2>
      <p className="baton-hint">{describeWay(attempt, next)}</p>
      <ul>
        {texts.map((text) => (
          <Line key={text} text={text} next={next} isBusy={isBusy} onSettle={(is) => void settle(text, is)} />
        ))}
      </ul>
    </section>
  );
}

interface LineProps {
  text: string;
  next: Handoff | null;
  isBusy: boolean;
  onSettle: (isAccepted: boolean) => void;
}

function Line({ text, next, isBusy, onSettle }: LineProps) {
  const isIn = next !== null && findIn(next, text) !== undefined;
  const mayChange = next !== null && isReplaceable(next.delivery.state);
  return (
    <li className="run-decision" data-in={next === null || isIn}>
      <span className="run-decision-words" dir="auto">
        {showHidden(text)}
      </span>
      {next === null || mayChange ? null : <span className="baton-hint">{isIn ? 'handed on' : 'rejected'}</span>}
      {mayChange ? (
        <span className="studio-buttons">
          {([true, false] as const).map((isAccepted) => (
            <Button
              label={isAccepted ? 'Accept' : 'Reject'}
              key={String(isAccepted)}
              className="run-choice"
              aria-pressed={isIn === isAccepted}
              aria-label={`${isAccepted ? 'Accept' : 'Reject'}: ${showHidden(text)}`}
              aria-disabled={isBusy}
              onClick={() => {
                if (isIn !== isAccepted) onSettle(isAccepted);
                else announce(isAccepted ? 'It is in the next handoff already.' : 'It is rejected already.');
              }}
            />
          ))}
        </span>
      ) : null}
    </li>
  );
}

function describeWay({ outcome }: Attempt, next: Handoff | null): string {
  if (outcome === 'running') return 'They are handed on with the plan, once it is complete.';
  if (next === null) return 'This run handed nothing on: nobody received them.';
  const { state, lease, acknowledged_by } = next.delivery;
  if (state === 'draft')
    return 'The next handoff is a draft: what you reject is taken out of it before it is approved.';
  if (state === 'open') {
    return 'The next handoff is open, and an open handoff never changes: rejecting writes a new version without it, as a draft. Until that is approved, the open one can be claimed as it is.';
  }
  const who = lease?.holder ?? acknowledged_by;
  return `The next handoff is ${state}${who === undefined ? '' : ` by ${showHidden(who)}`}: its content can no longer change.`;
}

const comparable = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();

function findIn({ content }: Handoff, text: string) {
  return content.decisions.find((decision) => comparable(decision.content) === comparable(text));
}

/** Removes a decision from the next handoff. @returns the next handoff without it. @throws ServerProblem */
async function reject(next: Handoff, text: string, onChange: (next: Handoff) => void): Promise<Handoff> {
  const found = findIn(next, text);
  if (found === undefined) return next;
  if (next.delivery.state === 'draft') {
    const without = await edit(next, { remove: [found.id] });
    offerUndo('Rejected: it is not in the next handoff any more.', async () => onChange(await putBack(next, found)));
    return without;
  }
  const others = (decisions: Handoff['content']['decisions']) => decisions.filter(({ id }) => id !== found.id);
  const draft = await writeNewVersion(next.id, (content) => ({ ...content, decisions: others(content.decisions) }));
  announce('Rejected: a new version without it waits for review.');
  return draft;
}

/** Adds a rejected decision to the next handoff again. @returns the next handoff with it. @throws ServerProblem */
async function accept(next: Handoff, text: string): Promise<Handoff> {
  const decision = { content: text, source: 'ai-extracted' as const };
  if (next.delivery.state === 'draft') return putBack(next, decision);
  const draft = await writeNewVersion(next.id, (content) => ({
    ...content,
    decisions: [...content.decisions, { ...decision, id: `planned-${createKey().slice(0, 8)}` }],
  }));
  announce('Accepted: a new version with it waits for review.');
  return draft;
}

async function putBack(
  next: Handoff,
  decision: { content: string; id?: string; source?: 'ai-extracted' | 'user-pinned' | 'user-edited' },
): Promise<Handoff> {
  const whole = await edit(next, { add: { decisions: [decision] } });
  announce('Accepted: it is in the next handoff.');
  return whole;
}

function edit(
  { id }: Handoff,
  changes: { remove: string[] } | { add: { decisions: { content: string }[] } },
): Promise<Handoff> {
  return call('handoff.edit', { id, changes }, { idempotencyKey: createKey() });
}
