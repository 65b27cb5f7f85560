import { completeContent } from '../../core/complete-content.ts';
import { HandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { NewHandoff } from '../../core/store.ts';
import { planAgentName } from '../../draft/plan-agent-name.ts';
import { callOf, type OperationContext } from '../context.ts';
import { isForPlanning, renderForReceiver } from '../receiver-text.ts';
import { resolveHandoff } from '../resolve-handoff.ts';

/** How many open handoffs an error names. */
const NAMED_MAX = 5;

/**
 * The handoff to plan: the named one, or the oldest open one that is addressed to the planning agent. With `again`, a
 * planned one is created again: the same content, with the first as its parent.
 *
 * @throws HandoffError `not_found` that names what is open; `conflict` for one that was planned already.
 */
export async function choosePlanned(
  { id, again }: { id?: string | undefined; again?: boolean | undefined },
  context: OperationContext,
): Promise<Handoff> {
  const handoff = id === undefined ? await oldestOpen(context) : await resolveHandoff(id, context);
  if (handoff.delivery.state !== 'acknowledged') return handoff;
  if (again === true) return createAnew(handoff, context);
  const { acknowledged_by } = handoff.delivery;
  throw new HandoffError('conflict', `Handoff ${handoff.id} was planned already, by ${acknowledged_by}.`, {
    details: { id: handoff.id, acknowledged_by },
    alternatives: [`See how: baton plan runs ${handoff.id}`, `Plan it again: baton plan run ${handoff.id} --again`],
  });
}

async function oldestOpen(context: OperationContext): Promise<Handoff> {
  const { project } = context;
  const store = await context.openStore();
  const filter = { project, state: ['open' as const] };
  const list = { first: 'oldest' as const, limit: 100 };
  const { handoffs } = await store.list({ filter: { ...filter, target_agent: planAgentName }, ...list });
  const now_ms = context.now();
  const oldest = handoffs.find(({ delivery }) => Date.parse(delivery.available_at) <= now_ms);
  if (oldest !== undefined) return oldest;
  const others = handoffs.length > 0 ? handoffs : (await store.list({ filter, ...list })).handoffs;
  const named = others.slice(0, NAMED_MAX).map(describe);
  throw new HandoffError('not_found', `No handoff that can be planned now is addressed to ${planAgentName}.`, {
    details: { project, open: others.map((each) => each.id).slice(0, NAMED_MAX), open_total: others.length },
    alternatives: [
      ...named.map((words) => `Open: ${words}`),
      'Name the one to plan: baton plan run ID',
      `Address one to it: baton create --for ${planAgentName} --summary "…"`,
    ],
  });
}

function describe({ id, content, delivery }: Handoff): string {
  const to = content.target_agent === undefined ? 'for anybody' : `for ${content.target_agent}`;
  return `${id} ${content.title} (${to}, from ${delivery.available_at})`;
}

/**
 * An approval is kept where it is still one of the same content and the same bytes; else somebody must review it again.
 * A repeated call names the same draft again, and plans it when it was approved.
 *
 * @throws HandoffError `conflict` that names the draft to be reviewed.
 */
async function createAnew(first: Handoff, context: OperationContext): Promise<Handoff> {
  const store = await context.openStore();
  const { approval } = first.delivery;
  const added = await copyOf(first, context);
  const isCarried = approval !== undefined && isStillApproved(first, added, context);
  const needsReview = approval !== undefined && !isCarried;
  const waiting = needsReview ? await findCopy(first, added, context) : undefined;
  const state = approval === undefined ? ('open' as const) : ('draft' as const);
  const { rendered_sha256 = '', budget = 0 } = approval ?? {};
  const copy = {
    ...added,
    project: context.project,
    state,
    ...(isCarried && { approval: { rendered_sha256, budget } }),
  };
  const [handoff] = waiting === undefined ? await store.create([copy], callOf(context, 'planning.run')) : [waiting];
  if (handoff === undefined) throw new Error('The store answered a create with nothing.');
  if (!needsReview || handoff.delivery.state === 'open') return handoff;
  throw new HandoffError('conflict', `The instructions of handoff ${first.id} would not be those that were approved.`, {
    details: { id: handoff.id, parent_id: first.id, approved_sha256: rendered_sha256 },
    alternatives: [
      `Review its current instructions: baton review ${handoff.id}`,
      `Then plan it: baton plan run ${handoff.id}`,
    ],
  });
}

/** The copy that an earlier call made of it for a review: a draft, or approved and not planned yet. */
async function findCopy(
  first: Handoff,
  { content_sha256 }: Copy,
  context: OperationContext,
): Promise<Handoff | undefined> {
  const filter = { project: context.project, state: ['draft' as const, 'open' as const], since: first.created_at };
  const { handoffs } = await (await context.openStore()).list({ filter, first: 'newest', limit: limits.list_max });
  return handoffs.find((each) => each.content.parent_id === first.id && each.content_sha256 === content_sha256);
}

type Copy = Omit<NewHandoff, 'project' | 'state' | 'approval'>;

/** Without the link to what it replaced, which is replaced already, and without a past expiry, which would end it at once. */
async function copyOf({ id, content }: Handoff, context: OperationContext): Promise<Copy> {
  const { supersedes_id: _replaced, expires_at, payload_ref, ...kept } = content;
  const payload = payload_ref && (await (await context.openStore()).readPayload(id));
  const isOver = expires_at !== undefined && Date.parse(expires_at) <= context.now();
  const input = {
    ...kept,
    parent_id: id,
    ...(expires_at !== undefined && !isOver && { expires_at }),
    ...(payload && { payload: JSON.parse(payload) as unknown }),
  };
  return completeContent(input, { source_agent: content.source_agent });
}

function isStillApproved(first: Handoff, { content }: Copy, context: OperationContext): boolean {
  const { approval } = first.delivery;
  if (approval === undefined || approval.content_sha256 !== first.content_sha256) return false;
  const room = { budget: approval.budget, budget_default: context.configuration.budget };
  return renderForReceiver(content, room).sha256 === approval.rendered_sha256 && isForPlanning(content);
}
