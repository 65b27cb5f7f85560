import { carryOn, hasSubstance } from '../brainstorm/carry-on.ts';
import { extractByRules } from '../brainstorm/extract-by-rules.ts';
import { toContentInput } from '../brainstorm/to-content-input.ts';
import { completeContent } from '../core/complete-content.ts';
import type { Content, ContentInput } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { isHandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import type { Store } from '../core/store.ts';
import { continueTranscript, type TranscriptProgress } from '../transcripts/continue-transcript.ts';
import type { HostSession, SessionJob } from '../workspace/host-sessions.ts';
import { claimUnlessTaken } from './claim-unless-taken.ts';
import { callOf, type OperationContext } from './context.ts';
import { wordsOf } from './conversation-import.ts';
import { withFileFacts } from './file-facts.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import { originOf } from './origin.ts';
import { settleInjections } from './settle-injections.ts';

/**
 * Saves what a session has come to as a handoff, which takes the place of the session's earlier one unless somebody has
 * claimed that. A session that says nothing new, or nothing at all, saves nothing.
 *
 * After a crash the save has happened whole or not; the job that asked for it is still there.
 *
 * @returns the handoff's id, where one was made.
 */
export async function saveSession(
  name: string,
  job: SessionJob,
  context: OperationContext,
): Promise<string | undefined> {
  const session = hostSessionsOf(context).read(name);
  if (session === undefined) return undefined;
  const store = await context.openStore();
  const unproved = await settleInjections(store, context);
  if (session.ended_at !== undefined) await releaseUnproved(unproved, session, store, context);
  const conversation = await readConversation(session, job, context);
  if (conversation === undefined) return undefined;
  const extraction = extractByRules(conversation);
  const own = hasSubstance(extraction, conversation) ? toContentInput(extraction, conversation) : undefined;
  const received = await findReceived(session, store);
  const content = received === undefined ? own : { ...carryOn(own, received.content), parent_id: received.id };
  const occasion = { session, job, known: received?.content.files ?? [] };
  return content && keep(content, occasion, store, context);
}

/** A session that ends without proof gives back what it was offered: it can show nothing any more. */
async function releaseUnproved(
  unproved: readonly Handoff[],
  { session }: HostSession,
  store: Store,
  context: OperationContext,
): Promise<void> {
  for (const { id, delivery } of unproved) {
    if (delivery.offered?.session !== session || delivery.state !== 'claimed') continue;
    const step = { type: 'release', session, reason: 'The session ended without having shown it.' } as const;
    await claimUnlessTaken(async () => ({
      handoffs: [await store.transition(id, step, callOf(context, 'session.work'))],
    }));
  }
}

/** What was said so far; nothing where the transcript holds no word of it yet, or is none that can be read. */
async function readConversation(
  { session, transcript }: HostSession,
  { event, last_words }: SessionJob,
  context: OperationContext,
): Promise<Conversation | undefined> {
  if (transcript === undefined) return undefined;
  const sessions = hostSessionsOf(context);
  try {
    const earlier = sessions.readProgress(session) as TranscriptProgress | undefined;
    const { conversation, progress } = await continueTranscript(transcript, earlier);
    sessions.writeProgress(session, progress);
    // What a helper of the session said last is no word of the session's own.
    const words = event === 'SubagentStop' ? undefined : last_words;
    return withLastWords({ ...conversation, session }, words);
  } catch (error) {
    const isNoTranscript =
      isHandoffError(error) && ['file_not_found', 'parse_error', 'invalid_input'].includes(error.code);
    if (isNoTranscript) return undefined;
    throw error;
  }
}

/** The transcript is written behind time: what the host says was said last is added where it is not there yet. */
function withLastWords(conversation: Conversation, words: string | undefined): Conversation {
  const { messages } = conversation;
  const text = words?.trim() ?? '';
  const isThere = messages.slice(-3).some((message) => message.text.includes(text));
  if (text === '' || isThere) return conversation;
  const last = { index: messages.length, role: 'assistant' as const, text, tool_calls: [] };
  return { ...conversation, messages: [...messages, last] };
}

/** What another session had saved and this one was given: the newest of it that really arrived. */
async function findReceived({ session, received }: HostSession, store: Store): Promise<Handoff | undefined> {
  for (const id of received.toReversed()) {
    const handoff = await store.get(id);
    const { injected } = handoff?.delivery ?? {};
    if (handoff !== null && injected?.session === session && handoff.content.origin?.session !== session)
      return handoff;
  }
  return undefined;
}

interface Occasion {
  session: HostSession;
  job: SessionJob;
  /** Files that the session was given: what was measured of them is from then. */
  known: Content['files'];
}

async function keep(
  input: ContentInput,
  occasion: Occasion,
  store: Store,
  context: OperationContext,
): Promise<string | undefined> {
  const { session, job, known } = occasion;
  const earlier = await listUnclaimed(session, store, context);
  const [newest] = earlier;
  // A draft would take another's place only when it is approved.
  const isDraft = context.configuration.review === 'always';
  const completed = completeContent(
    {
      ...withFileFacts(input, context, known),
      // What ran without a person before it is a result to look at, not where the next session goes on from.
      kind: session.interactive ? 'context' : 'result',
      expires_at: new Date(context.now() + limits.saved_offer_ms).toISOString(),
      // The branch is the work tree's, not the one that the transcript has last heard of.
      origin: { ...originOf(context), host: session.host, session: session.session, trigger: job.event },
      supersedes_id: isDraft ? undefined : newest?.id,
    },
    { source_agent: context.actor.name, decision_source: 'ai-extracted' },
  );
  if (newest !== undefined && isSameSave(newest.content, completed.content)) return undefined;
  const state = isDraft ? 'draft' : 'open';
  const call = callOf(context, 'session.work');
  const [created] = await claimUnlessTaken(async () => ({
    handoffs: await store.create([{ ...completed, project: context.project, state }], call),
  }));
  // Somebody claimed the earlier one at this moment: it is his, and this one stands beside it.
  if (created === undefined) return keep(input, occasion, store, context);
  for (const older of isDraft ? earlier.filter(isUntouched) : earlier.slice(1)) {
    const step = { type: 'withdraw', reason: `Saved again as ${created.id}.` } as const;
    await claimUnlessTaken(async () => ({ handoffs: [await store.transition(older.id, step, call)] }));
  }
  return created.id;
}

/** A draft that a person has worked at is his. */
function isUntouched({ delivery }: Handoff): boolean {
  return delivery.content_revision === 1;
}

/** What hooks saved of this session before and nobody has claimed, newest first. */
async function listUnclaimed(session: HostSession, store: Store, context: OperationContext): Promise<Handoff[]> {
  const each = (['open', 'draft'] as const).map(async (state) => {
    const filter = { project: context.project, session: session.session, state: [state] };
    return (await store.list({ filter, limit: limits.received_max })).handoffs;
  });
  const found = (await Promise.all(each)).flat();
  return found.filter(({ content }) => content.origin?.trigger !== undefined);
}

/** Whether two saves say the same of the same branch, whatever moment asked for them. */
function isSameSave(left: Content, right: Content): boolean {
  const words = ({ supersedes_id: _supersedes, expires_at: _expires, ...rest }: Content) => wordsOf(rest as Content);
  return left.origin?.branch === right.origin?.branch && words(left) === words(right);
}
