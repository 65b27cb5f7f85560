import type { FileDrift } from '../../core/drift.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { renderSituation } from '../../formats/situation.ts';
import type { OperationContext } from '../context.ts';
import { isForPlanning, renderForReceiver } from '../receiver-text.ts';

/** A text for a session's context; without a hash it is only a notice that there is a handoff. */
export interface SessionText {
  text: string;
  /** SHA-256 of the rendered content in it. */
  sha256?: string;
}

/** What a session gets, and what else it could continue from. */
export interface SessionRoom {
  characters_max: number;
  others: readonly Handoff[];
}

/**
 * Renders a handoff for a host with a limit of characters. What a person approved is given with exactly the
 * approved bytes or not at all, and so are a plan's instructions; the rest is cut until it fits, and the cuts are counted.
 */
export async function renderForSession(
  handoff: Handoff,
  { characters_max, others }: SessionRoom,
  context: OperationContext,
): Promise<SessionText> {
  const { approval } = handoff.delivery;
  const isForPlan = isForPlanning(handoff.content);
  const now_ms = context.now();
  const drift = await compare(handoff, context);
  const budget_default = context.configuration.budget;
  // A plan's instructions are whole, whatever their tokens: their bound here is the host's limit.
  let budget = isForPlan ? Number.MAX_SAFE_INTEGER : (approval?.budget ?? budget_default);
  while (budget >= limits.render_tokens_min) {
    const { text, sha256 } = renderForReceiver(handoff.content, { budget, budget_default });
    const situation = renderSituation({ handoff, now_ms, drift, others, offered_sha256: sha256 });
    const length = text.length + situation.length;
    if (length <= characters_max) return { text: text + situation, sha256 };
    if (isForPlan || approval !== undefined) break;
    budget = Math.floor((budget * characters_max * 0.95) / length);
  }
  return { text: named(handoff, ', too large for a hook') };
}

/** The comparison is loaded only where there is something to compare. A host waits: what takes longer is unknown. */
async function compare({ content }: Handoff, { workspace }: OperationContext): Promise<FileDrift[]> {
  if (content.files.every(({ git }) => git === undefined)) return [];
  const { compareFiles } = await import('../../workspace/drift/drift.ts');
  const { createFileReader } = await import('../../workspace/drift/file.ts');
  const { startTimeBudget } = await import('../../workspace/drift/time.ts');
  const reader = createFileReader(workspace.root, startTimeBudget(limits.hook_drift_ms));
  return compareFiles(workspace, content.files, reader);
}

/** A handoff by its name, for a session that claims and acknowledges it itself. */
export function nameForSession(handoff: Handoff): SessionText {
  return { text: named(handoff, '') };
}

/** A notice with the command to read more; the host would show no more than the beginning of the whole. */
function named({ id }: Handoff, why: string): string {
  return `A handoff waits for this branch${why}: ${id}. It can be taken with the tool handoff_claim (id "${id}") or the command "baton claim ${id}".`;
}
