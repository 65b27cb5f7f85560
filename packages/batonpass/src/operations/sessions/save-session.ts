import { type CompletedContent, completeContent } from '../../core/complete-content.ts';
import type { Content, ContentInput } from '../../core/content.ts';
import type { Conversation } from '../../core/conversation.ts';
import { isHandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { momentOf } from '../../core/hosts.ts';
import { limits } from '../../core/limits.ts';
import type { Store } from '../../core/store.ts';
import { keepEdits } from '../../draft/keep-edits.ts';
import { carryOn, hasSubstance } from '../../extraction/carry-on.ts';
import { extractByRules } from '../../extraction/extract-by-rules.ts';
import { extractConversation } from '../../extraction/extract-conversation.ts';
import { withoutFaded } from '../../extraction/fading.ts';
import type { PartlyEvidenced } from '../../extraction/partly-evidenced.ts';
import { toContentInput } from '../../extraction/to-content-input.ts';
import { continueTranscript, type TranscriptProgress } from '../../transcripts/continue-transcript.ts';
import { readOwnExtractor } from '../../workspace/configured-model.ts';
import type { HostSessions, SessionJob } from '../../workspace/hosts/host-sessions.ts';
import { readBranch } from '../../workspace/project.ts';
import { addEarlier } from '../../written/add-earlier.ts';
import { callOf, type OperationContext } from '../context.ts';
import { editsOf, meaningOf } from '../edits-of.ts';
import { nameOf } from '../extract-transcript.ts';
import { withFileFacts } from '../file-facts.ts';
import { originOf } from '../origin.ts';
import { askAgent } from './ask-agent.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import { isWaiting, listBefore, listReceived, reserve, takeOver } from './received.ts';
import { settleInjections } from './settle-injections.ts';
import { takeBack } from './take-back.ts';
import { unlessTaken } from './unless-taken.ts';
import { findCreated, listWritten, withWritten } from './written-by-agent.ts';

/** What became of a save. */
export interface SavedSession {
  /** Absent where there was nothing new to save. */
  id: string | undefined;
  /** Saves what the person's own model makes of the session, in minutes; the id where that took the first save's place. */
  improve: () => Promise<string | undefined>;
}

/**
 * Saves what a session has come to as a handoff, which takes the place of the session's earlier one unless somebody has
 * claimed that. A session that says nothing new, or nothing at all, saves nothing.
 *
 * After a crash the save has happened whole or not; the job that asked for it is still there, and doing it again
 * changes nothing.
 *
 * @returns the handoff that was made, and how a model makes more of it.
 */
export async function saveSession(job: SessionJob, context: OperationContext): Promise<SavedSession> {
  const store = await context.openStore();
  const unproved = await settleInjections(store, context);
  for (const handoff of unproved) {
    // A session that ends without proof gives back what it was offered: it can show nothing any more.
    if (job.ended && handoff.delivery.offered?.session === job.session) await takeBack(handoff, store, context);
  }
  const conversation = await readSession(job, context);
  const received = await listReceived(job, store, context);
  const earlier = received.flatMap((handoff) => handoff.content.decisions);
  const given = received.map((handoff) => handoff.content);
  const fresh = await Promise.all(
    received.map(async (handoff) => withoutFaded(handoff.content, await listBefore(handoff, store))),
  );
  const known = received.flatMap((handoff) => handoff.content.files);
  const keepOwn = (own: ContentInput | undefined, revoked: readonly string[], { extractor, follows }: Written = {}) => {
    // A session that only looked on hands on all of it.
    const all = carryOn(own, own === undefined ? given : fresh, revoked);
    const content = all && { ...all, parent_id: follows ?? received.at(-1)?.id };
    return content && keep(content, { job, known, extractor, conversation }, store, context);
  };
  const save = (extraction: PartlyEvidenced | undefined, extractor?: string) => {
    const own = conversation && extraction && readOwn(extraction, conversation, job);
    return keepOwn(own, extraction?.revoked ?? [], { extractor });
  };
  const rules = conversation && extractByRules(conversation, { earlier });
  const id = await save(rules);
  await takeOver(job, id, store, context);
  const improve = async () => {
    const mechanical = rules && isLast(job) && readOwn(rules, conversation, job);
    const writing = mechanical && (await askAgent({ job, conversation, mechanical }, context));
    if (writing) {
      // Where somebody took up what rules saved, the same session is given this too, as what followed it.
      const saves = await listSaves(job, store, context);
      const [newest] = saves;
      const created = await findCreated(job, store, context);
      const own = listWritten(saves, created).reduce<ContentInput>(
        (all, each) => addEarlier(all, each, writing.reversed),
        writing.content,
      );
      const taken = newest === undefined || isWaiting(newest) ? undefined : newest;
      const written = { extractor: writing.extractor, follows: taken?.id };
      const id = await keepOwn(own, rules.revoked, written);
      if (id !== undefined && taken !== undefined) reserve(id, taken, context);
      return id;
    }
    const answer = conversation && (await askOwnModel(conversation, { job, earlier }, context));
    if (answer === undefined) return undefined;
    // Whoever took up what the rules saved has it: a second text on the same session would be offered as another.
    const [newest] = await listSaves(job, store, context);
    return newest !== undefined && isWaiting(newest) ? save(answer.extraction, answer.extractor) : undefined;
  };
  return { id, improve };
}

/** One worker saves the sessions of all hosts, each under its host's name. */
export function withHost({ host }: SessionJob, context: OperationContext): OperationContext {
  return { ...context, actor: { ...context.actor, name: context.configuration.agent ?? host } };
}

/** How a content came about that was not made by rules. */
interface Written {
  /** The model or agent that read the session; absent where rules did. */
  extractor?: string | undefined;
  /** The save that somebody took up before. */
  follows?: string | undefined;
}

/** Whether the session is read next by somebody else, or by itself without its past. */
function isLast({ host, ended, event }: SessionJob): boolean {
  return ended || momentOf(host, event) === 'compaction';
}

/**
 * What the person's own model makes of a session that is over, or loses its past; nothing where he configured none, or
 * where it fails. What the rules found is saved before, because a model takes minutes and the next session does not wait.
 */
async function askOwnModel(
  conversation: Conversation,
  { job, earlier }: { job: SessionJob; earlier: Content['decisions'] },
  { environment, signal }: OperationContext,
): Promise<{ extraction: PartlyEvidenced; extractor: string } | undefined> {
  const { extractor, settings } = readOwnExtractor(environment);
  if (extractor === 'rules' || !isLast(job)) return undefined;
  try {
    const request = { extractor, settings, environment, signal, earlier };
    const { extraction, report } = await extractConversation(conversation, request);
    return report.extractor === 'model' ? { extraction, extractor: nameOf(report) } : undefined;
  } catch (error) {
    // Without a key or its package no model answers, today or at a second try; the rules have.
    if (isHandoffError(error) && error.code === 'unavailable') return undefined;
    throw error;
  }
}

/** What the session came to itself; nothing where that is not worth a handoff. */
function readOwn(extraction: PartlyEvidenced, conversation: Conversation, job: SessionJob): ContentInput | undefined {
  const { decisions, results } = extraction;
  // Without a person before it a session is one of many, asked for a line or two: what it left counts, not what it said.
  const isWorth = job.interactive
    ? hasSubstance(extraction, conversation)
    : decisions.length > 0 || results.some(({ artifacts = [] }) => artifacts.length > 0);
  return isWorth ? toContentInput(extraction, conversation) : undefined;
}

interface Occasion {
  job: SessionJob;
  /** Files that the session was given: what was measured of them is from then. */
  known: Content['files'];
  /** The model that read the session; absent where rules did. */
  extractor?: string | undefined;
  /** Absent where its transcript cannot be read. */
  conversation: Conversation | undefined;
}

async function keep(
  given: ContentInput,
  occasion: Occasion,
  store: Store,
  context: OperationContext,
): Promise<string | undefined> {
  const { job } = occasion;
  const saves = await listSaves(job, store, context);
  const byAgent = await findCreated(job, store, context);
  // What an agent answered holds what it wrote before.
  const input =
    occasion.extractor === undefined
      ? withWritten(given, { saves, created: byAgent, conversation: occasion.conversation })
      : given;
  // A draft would take another's place only when it is approved.
  const isDraft = context.configuration.review === 'always';
  const waiting = [...(byAgent?.waiting ?? []), ...saves.filter(isWaiting)];
  const replaced = isDraft ? waiting.find(({ delivery }) => delivery.state === 'open') : waiting[0];
  const plain = complete({ ...input, supersedes_id: replaced?.id }, occasion, context);
  const completed = await withEdits(plain, { saves, occasion }, context);
  if (saves[0] !== undefined && isSaid(saves[0], completed.content)) return undefined;
  const call = callOf(context, 'session.work');
  byAgent?.markSaved();
  const drafted = waiting.find((each) => each.delivery.state === 'draft' && !isUntouched(each));
  if (drafted !== undefined) {
    // What somebody is at stays where it is: it takes in what the session has come to since.
    const { version } = drafted.delivery;
    const content = { ...completed.content, supersedes_id: drafted.content.supersedes_id };
    const step = {
      type: 'edit',
      extracted: true,
      if_version: version,
      ...complete(content, occasion, context),
    } as const;
    const edited = await unlessTaken(() => store.transition(drafted.id, step, call));
    return edited === undefined ? keep(given, occasion, store, context) : edited.id;
  }
  const state = isDraft ? 'draft' : 'open';
  const created = await unlessTaken(() => store.create([{ ...completed, project: context.project, state }], call));
  const id = created?.[0]?.id;
  // Somebody claimed the earlier one at this moment: it is his, and this one stands beside it.
  if (id === undefined) return keep(given, occasion, store, context);
  for (const older of waiting.filter((each) => each !== replaced && isUntouched(each))) {
    const step = { type: 'withdraw', reason: `Saved again as ${id}.` } as const;
    await unlessTaken(() => store.transition(older.id, step, call));
  }
  return id;
}

/** With what somebody put into earlier saves of the session, and without what he took out of them. */
async function withEdits(
  plain: CompletedContent,
  { saves, occasion }: { saves: readonly Handoff[]; occasion: Occasion },
  context: OperationContext,
): Promise<CompletedContent> {
  const last = saves.find(({ delivery }) => delivery.state !== 'withdrawn');
  if (last === undefined || saves.every(isUntouched)) return plain;
  const edits = await editsOf(saves, await context.openStore());
  return complete(keepEdits(plain.content, { content: last.content, edits }), occasion, context);
}

/** Neither approved nor worked at by a person: his words are his. */
function isUntouched({ delivery }: Handoff): boolean {
  return delivery.content_revision === 1 && delivery.approval === undefined;
}

/** What hooks saved of this session before, whatever has become of it, newest first. */
async function listSaves({ session }: SessionJob, store: Store, context: OperationContext): Promise<Handoff[]> {
  const filter = { project: context.project, session };
  const { handoffs } = await store.list({ filter, limit: limits.received_max });
  return handoffs.filter(({ content }) => content.origin?.trigger !== undefined);
}

/**
 * Whether the last save says the same of the same branch already, whatever moment asked for it. What the session took
 * up again itself, as after a compaction, is said anew for the next one.
 */
function isSaid({ content: before, delivery }: Handoff, content: Content): boolean {
  const words = ({ supersedes_id: _supersedes, expires_at: _expires, ...rest }: Content) => meaningOf(rest as Content);
  const isTakenBack = delivery.injected?.session === before.origin?.session && delivery.injected !== undefined;
  return !isTakenBack && before.origin?.branch === content.origin?.branch && words(before) === words(content);
}

function complete(input: ContentInput, { job, known, extractor }: Occasion, context: OperationContext) {
  const { host, session, branch, event } = job;
  const isHere = job.root === context.workspace.root && branch === readBranch(context.workspace);
  // What stands elsewhere now cannot be measured any more.
  const measured = isHere ? withFileFacts(input, context, known) : input;
  return completeContent(
    {
      ...measured,
      // What ran without a person before it is a result to look at, not where the next session goes on from.
      kind: job.interactive ? 'context' : 'result',
      expires_at: new Date(
        context.now() + (job.interactive ? limits.saved_offer_ms : limits.saved_result_ms),
      ).toISOString(),
      // The branch is the work tree's as its hook saw it, not the one that the transcript has last heard of.
      origin: {
        ...(isHere ? originOf(context) : {}),
        ...{ branch, host, session, trigger: event, extractor },
        // What the agent of another session wrote is handed on as that one's.
        asked: input.origin?.session === session ? input.origin.asked : undefined,
      },
    },
    { source_agent: context.actor.name, decision_source: 'ai-extracted' },
  );
}

/**
 * What a session has said so far; nothing where its transcript holds no word of it yet, is gone, or is none that can be
 * read. Of a transcript that has grown only the new part is read where its format allows it.
 */
async function readSession(
  { session, transcript, event, last_words }: SessionJob,
  context: OperationContext,
): Promise<Conversation | undefined> {
  if (transcript === undefined) return undefined;
  const sessions = hostSessionsOf(context);
  try {
    const conversation = await readOn(session, transcript, sessions);
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

/** Long transcripts are read from where the last reading ended. */
async function readOn(session: string, transcript: string, sessions: HostSessions): Promise<Conversation> {
  const earlier = sessions.readProgress(session) as TranscriptProgress | undefined;
  const { conversation, progress } = await continueTranscript(transcript, earlier);
  keepProgress(session, progress, sessions);
  return conversation;
}

function keepProgress(session: string, progress: TranscriptProgress | undefined, sessions: HostSessions): void {
  try {
    sessions.writeProgress(session, progress);
  } catch {
    // It only saves time: without it the next reading is whole.
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
