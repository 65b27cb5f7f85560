import type { Content, ContentInput } from '../../core/content.ts';
import type { Conversation } from '../../core/conversation.ts';
import type { Handoff } from '../../core/handoff.ts';
import type { Store } from '../../core/store.ts';
import { findAncestor } from '../../workspace/hosts/host-process.ts';
import { isLive, type SessionJob } from '../../workspace/hosts/host-sessions.ts';
import { addEarlier } from '../../written/add-earlier.ts';
import { keepWritten } from '../../written/keep-written.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import { isWaiting } from './received.ts';
import { isSameProcess } from './session-facts.ts';

/** Of a session that writes one after another, only the newest count. */
const CREATED_MAX = 10;

/**
 * Records that the agent of a session wrote a handoff for the next session, so that the session's save becomes one
 * with it. The session is the one that the client names, else the one whose host started this process. A handoff for
 * another agent, or for a queue, is not recorded.
 */
export function noteCreated({ id, content }: Handoff, context: OperationContext): void {
  if (context.actor.type !== 'agent' || context.confined !== undefined || !isForNext(content)) return;
  const sessions = hostSessionsOf(context);
  const live = sessions.list().filter((known) => isLive(known, context.now()));
  const named = live.find((known) => known.session === context.session);
  const host = named === undefined ? findAncestor(live.flatMap(({ process }) => process ?? [])) : undefined;
  const session = (named ?? live.find((known) => isSameProcess(known.process, host)))?.session;
  if (session === undefined) return;
  const created = [...sessions.readCreated(session), { handoff_id: id, is_saved: false }];
  sessions.writeCreated(session, created.slice(-CREATED_MAX));
}

function isForNext({ kind, target_agent, task_id, payload }: Content): boolean {
  return kind === 'context' && target_agent === undefined && task_id === undefined && payload === undefined;
}

/** What a session's agent handed over itself, as one. */
export interface CreatedByAgent {
  content: ContentInput;
  /** Those that nobody has yet, newest first: the save takes their place. */
  waiting: Handoff[];
  /** ISO 8601, of the newest. */
  created_at: string;
  /** Records that a save contains them, before the save is made: what it replaced is still the agent's then. */
  markSaved: () => void;
}

/**
 * What the agent of a session handed over itself, unless a session has that already, or somebody withdrew, approved or
 * edited it.
 */
export async function findCreated(
  { session }: SessionJob,
  store: Store,
  context: OperationContext,
): Promise<CreatedByAgent | undefined> {
  const sessions = hostSessionsOf(context);
  const created = sessions.readCreated(session);
  const found = await Promise.all(
    created.map(async ({ handoff_id, is_saved }) => {
      const handoff = await store.get(handoff_id);
      if (handoff === null || handoff.delivery.content_revision > 1 || handoff.delivery.approval !== undefined)
        return [];
      return isWaiting(handoff) || (is_saved && handoff.delivery.state === 'withdrawn') ? [handoff] : [];
    }),
  );
  const [newest, ...older] = found.flat().reverse();
  if (newest === undefined) return undefined;
  const handoffs = [newest, ...older];
  return {
    content: older.reduce<ContentInput>((all, { content }) => addEarlier(all, content, []), newest.content),
    waiting: handoffs.filter(isWaiting),
    created_at: newest.created_at,
    markSaved: () => {
      const saved = new Set(handoffs.map(({ id }) => id));
      const next = created.map((each) => (saved.has(each.handoff_id) ? { ...each, is_saved: true } : each));
      if (next.some(({ is_saved }, index) => is_saved !== created[index]?.is_saved))
        sessions.writeCreated(session, next);
    },
  };
}

/** What the session's agent has written so far, asked or by itself, as far as no continuing session has it. */
export function listWritten(saves: readonly Handoff[], created: CreatedByAgent | undefined): ContentInput[] {
  const asked = findAsked(saves) && saves.find(({ content: { origin } }) => origin?.asked && origin.extractor);
  const own = created !== undefined && (created.waiting.length > 0 || isOurs(saves[0])) ? [created.content] : [];
  return [...(asked ? [asked.content] : []), ...own];
}

/** What rules found, after what the session's agent wrote when it was asked, or handed over itself. */
export function withWritten(
  fresh: ContentInput,
  {
    saves,
    created,
    conversation,
  }: { saves: readonly Handoff[]; created: CreatedByAgent | undefined; conversation: Conversation | undefined },
): ContentInput {
  const messages = conversation?.messages ?? [];
  const asked = findAsked(saves)?.content;
  const isNew = created !== undefined && created.waiting.length > 0;
  if (asked !== undefined && !isNew) {
    return keepWritten(fresh, asked, { messages: messages.length, since: asked.origin?.asked?.messages ?? 0 });
  }
  if (created === undefined || !(isNew || isOurs(saves[0]))) return fresh;
  const since = messages.filter(({ at }) => at !== undefined && at <= created.created_at).length;
  const written =
    asked === undefined ? created.content : { ...addEarlier(created.content, asked, []), origin: asked.origin };
  return keepWritten(fresh, written, { messages: messages.length, since });
}

/** The newest save, where the session's own agent was asked for it. */
function findAsked([newest]: readonly Handoff[]): Handoff | undefined {
  return newest?.content.origin?.asked !== undefined && isOurs(newest) ? newest : undefined;
}

/** Whether no session that continues from a save has it, and nobody withdrew it. */
function isOurs(save: Handoff | undefined): boolean {
  if (save === undefined) return true;
  const { state, injected, offered } = save.delivery;
  const holder = injected?.session ?? offered?.session;
  return state !== 'withdrawn' && (isWaiting(save) || holder === save.content.origin?.session);
}
