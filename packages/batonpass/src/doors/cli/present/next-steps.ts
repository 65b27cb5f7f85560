import type { Handoff } from '../../../core/handoff.ts';
import { asAgent } from './command-words.ts';
import { endOf, shortId, timeOf } from './handoff-line.ts';
import { oneLine, type View } from './view.ts';

/** How an open handoff is claimed, and by whom. */
export function howToTake({ content, delivery }: Handoff, view: View): string {
  const { target_agent } = content;
  const later = Date.parse(delivery.available_at) > view.now_ms ? `From ${timeOf(delivery.available_at)} on: ` : '';
  if (target_agent === undefined) return `${later}Any receiver takes it with: baton claim`;
  return `${later}${oneLine(target_agent, 40)} takes it with: baton claim${asAgent(target_agent)}`;
}

/** What to do with a handoff that was just written. */
export function nextForNew(handoff: Handoff, view: View): string {
  const short = shortId(handoff.id);
  if (handoff.delivery.state !== 'draft')
    return joinSteps([howToTake(handoff, view), `withdraw it: baton withdraw ${short}`], view);
  return joinSteps(
    [`Review: baton review ${short}`, `see it: baton show ${short}`, `open it: baton approve ${short}`],
    view,
  );
}

/** Steps on one line, or one per line where they are too wide. */
function joinSteps(steps: readonly string[], view: View): string {
  const line = steps.join(' · ');
  return view.style('gray', line.length <= view.width ? line : steps.join('\n'));
}

/** What to do with a handoff that went back to its queue, or is dead. */
export function nextForOffered(handoff: Handoff, view: View): string {
  const { state, attempts } = handoff.delivery;
  if (state === 'open') return view.style('gray', howToTake(handoff, view));
  const short = shortId(handoff.id);
  return view.style(
    'gray',
    `Given up at attempt ${attempts}. Why: baton log ${short} · offer it again: baton reopen ${short}`,
  );
}

/** What the asker does until the answer arrives. */
export function nextForAsked({ id }: Handoff, view: View): string {
  const short = shortId(id);
  return view.style(
    'gray',
    `A person answers with: baton answer ${short} "…". Your token stays valid; read the answer with: baton show ${short}`,
  );
}

/** Who continues after an answer. */
export function nextForAnswered({ delivery }: Handoff, view: View): string {
  const { lease } = delivery;
  const until =
    lease?.expires_at === undefined ? '' : `, with the lease running until ${endOf(lease.expires_at, view)}`;
  return view.style('gray', `The holder ${oneLine(lease?.holder ?? '', 40)} goes on${until}.`);
}

/** The steps of a holder, with its token unless the terminal has it, and with its name where an agent holds it. */
export function nextForHolder({ id, delivery }: Handoff, view: View): string {
  const { lease } = delivery;
  const holder = lease?.holder_type === 'agent' ? lease.holder : undefined;
  const words = `${shortId(id)}${asAgent(holder)}${view.isTokenKept === true ? '' : ` --token ${lease?.token}`}`;
  return [
    view.style('bold', `Yours until ${lease?.expires_at && endOf(lease.expires_at, view)}. Then:`),
    `  baton ack ${words}`,
    `  baton fail ${words} --reason "…"`,
    `  baton release ${words}`,
  ].join('\n');
}
