import { z } from 'zod';
import type { Handoff } from './handoff.ts';
import { limits } from './limits.ts';
import { isScopeMatch } from './scope.ts';
import { type State, stateSchema } from './state.ts';

const name = z.string().trim().min(1).max(limits.name_characters_max);

/** What a list asks for; every member narrows it. */
export const filterSchema = z.strictObject({
  project: name.optional(),
  state: z.array(stateSchema).min(1).optional(),
  kind: name.optional(),
  task_id: name.optional(),
  source_agent: name.optional(),
  target_agent: name.optional(),
  /** Matched by segment, in both directions. */
  scope: name.optional(),
  /** Whether handoffs without a scope answer a scoped filter. Default: no, and they are counted. */
  include_unscoped: z.boolean().optional(),
  phase: name.optional(),
  session: name.optional(),
  branch: name.optional(),
  /** Only handoffs that a hook put into a session that has not proved it yet. */
  awaiting_proof: z.literal(true).optional(),
  /** Only what failed at its last attempt, whether it is offered again or was given up. */
  failed: z.literal(true).optional(),
  /** Created at or after this instant, compared as an instant. */
  since: z.iso.datetime({ offset: true }).optional(),
  /** A part of the title or the summary; the letters A to Z in either case. */
  text: z.string().trim().min(1).max(limits.search_characters_max).optional(),
  /** One of its files has a path that begins so. */
  file: name.optional(),
  /** The last characters of an id, in capitals. */
  id_suffix: z.string().min(limits.id_suffix_characters_min).max(26).optional(),
});

export type Filter = z.infer<typeof filterSchema>;

/** The result of a scope filter for a handoff: in, out, or left out because it has no scope of its own. */
export type ScopeVerdict = 'in' | 'out' | 'unscoped';

/**
 * Whether a handoff answers a filter, scope apart: the reference that every store's statement is tested against.
 */
export function matches(handoff: Handoff, filter: Filter): boolean {
  const { content, delivery } = handoff;
  const same = (wanted: string | undefined, found: string | undefined) => wanted === undefined || wanted === found;
  return (
    same(filter.project, handoff.project) &&
    (filter.state === undefined || (filter.state as State[]).includes(delivery.state)) &&
    same(filter.kind, content.kind) &&
    same(filter.task_id, content.task_id) &&
    same(filter.source_agent, content.source_agent) &&
    same(filter.target_agent, content.target_agent) &&
    same(filter.phase, content.phase) &&
    same(filter.session, content.origin?.session) &&
    same(filter.branch, content.origin?.branch) &&
    (filter.awaiting_proof === undefined || delivery.offered !== undefined) &&
    (filter.failed === undefined || delivery.failure !== undefined) &&
    (filter.since === undefined || Date.parse(handoff.created_at) >= Date.parse(filter.since)) &&
    (filter.id_suffix === undefined || handoff.id.endsWith(filter.id_suffix)) &&
    (filter.text === undefined || hasText(content, foldCase(filter.text))) &&
    (filter.file === undefined || content.files.some(({ path }) => path.startsWith(filter.file ?? '')))
  );
}

/** A text with its letters A to Z in lower case: every database folds these alike, in every locale. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether a filter has to read contents, which no index has. */
export function isSearch({ text, file }: Filter): boolean {
  return text !== undefined || file !== undefined;
}

function hasText({ title, summary }: Handoff['content'], folded: string): boolean {
  return foldCase(title).includes(folded) || foldCase(summary).includes(folded);
}

/** How a scoped question takes a handoff; without a scope in the question everything is in. */
export function judgeScope(handoff: Handoff, filter: Pick<Filter, 'scope' | 'include_unscoped'>): ScopeVerdict {
  if (filter.scope === undefined) return 'in';
  const { scope } = handoff.content;
  if (scope === undefined) return filter.include_unscoped === true ? 'in' : 'unscoped';
  return isScopeMatch(scope, filter.scope) ? 'in' : 'out';
}
