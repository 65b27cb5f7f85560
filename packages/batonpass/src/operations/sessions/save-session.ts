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
import { extractorName } from '../extract-transcript.ts';
import { withFileFacts } from '../file-facts.ts';
import { originOf } from '../origin.ts';
import { askAgent } from './ask-agent.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import { isWaiting, listBefore, listReceived, listSaves, reserve, takeOver } from './received.ts';
import { releaseOffer } from './release-offer.ts';
import { settleInjections } from './settle-injections.ts';
import { unlessTaken } from './unless-taken.ts';
import { findCreated, listWritten, withWritten } from './written-by-agent.ts';

/** The result of a save. */
export interface SavedSession {
  /** Absent where there was nothing new to save. */
  id: string | undefined;
  /** Saves what the person's own model makes of the session, in minutes; returns the id where it replaced the first save. */
  improve: () => Promise<string | undefined>;
}

/**
 * Saves the results of a session as a handoff, which replaces the session's earlier one unless somebody has
 * claimed that. A session with nothing new, or without content, saves nothing.
 *
 * After a crash the save has happened whole or not at all; the job that asked for it is still there, and doing it again
 * changes nothing.
 *
 * @returns the handoff that was made, and the function by which a model improves it.
 */
export async function saveSession(job: SessionJob, context: OperationContext): Promise<SavedSession> {
  const store = await context.openStore();
  const unproved = await settleInjections(store, context);
  for (const handoff of unproved) {
    // A session that ends without proof gives back what it was offered: it can no longer show a proof.
    if (job.ended && handoff.delivery.offered?.session === job.session) await releaseOffer(handoff, store, context);
  }
  const conversation = await readSession(job, context);
  const received = await listReceived(job, store, context);
  const earlier = received.flatMap((handoff) => handoff.content.decisions);
  const given = received.map((handoff) => handoff.content);
  const fresh = await Promise.all(
    received.map(async (handoff) => withoutFaded(handoff.content, await listBefore(handoff, store))),
  );
  const known = received.flatMap((handoff) => handoff.content.files);
  const keepOwn = (
    own: ContentInput | undefined,
    revoked: readonly string[],
    { extractor, follows }: WrittenBy = {},
  ) => {
    // A session that added nothing passes on all of it.
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
      // Where a session took what rules saved, the same session also gets this, as its continuation.
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
    // The session that took what the rules saved has it: a second text on the same session would be offered as another.
    const [newest] = await listSaves(job, store, context);
    return newest !== undefined && isWaiting(newest) ? save(answer.extraction, answer.extractor) : undefined;
  };
  return { id, improve };
}

/** One worker saves the sessions of all hosts, each under its host's name. */
export function withHost({ host }: SessionJob, context: OperationContext): OperationContext {
  return { ...context, actor: { ...context.actor, name: context.configuration.agent ?? host } };
}

/** How a content was made that rules did not make. */
interface WrittenBy {
  /** The model or agent that read the session; absent where rules did. */
  extractor?: string | undefined;
  /** The save that a session took before. */
  follows?: string | undefined;
}

/** Whether the session is read next by somebody else, or by itself without its past. */
function isLast({ host, ended, event }: SessionJob): boolean {
  return ended || momentOf(host, event) === 'compaction';
}

/**
 * What the person's own model makes of a session that is over, or loses its past; nothing where none is configured, or
 * where it fails. The rules' findings are saved before, because a model takes minutes and the next session does not wait.
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
    return report.extractor === 'model' ? { extraction, extractor: extractorName(report) } : undefined;
  } catch (error) {
    // Without a key or its package no model answers, now or on a retry; the rules have.
    if (isHandoffError(error) && error.code === 'unavailable') return undefined;
    throw error;
  }
}

/** The session's own results; nothing where they are not worth a handoff. */
function readOwn(extraction: PartlyEvidenced, conversation: Conversation, job: SessionJob): ContentInput | undefined {
  const { decisions, results } = extraction;
  // Without a person a session is one of many, asked for a line or two: its results count, not its words.
  const isWorth = job.interactive
    ? hasSubstance(extraction, conversation)
    : decisions.length > 0 || results.some(({ artifacts = [] }) => artifacts.length > 0);
  return isWorth ? toContentInput(extraction, conversation) : undefined;
}

interface Occasion {
  job: SessionJob;
  /** Files that the session was given: their measurements are from then. */
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
  // An agent's answer contains what it wrote before.
  const input =
    occasion.extractor === undefined
      ? withWritten(given, { saves, created: byAgent, conversation: occasion.conversation })
      : given;
  // A draft would replace another handoff only when it is approved.
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
    // A handoff that a person works on stays where it is: what the session has done since is added to it.
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
  // Somebody claimed the earlier one at this moment: it is theirs, and this save becomes a second handoff.
  if (id === undefined) return keep(given, occasion, store, context);
  for (const older of waiting.filter((each) => each !== replaced && isUntouched(each))) {
    const step = { type: 'withdraw', reason: `Saved again as ${id}.` } as const;
    await unlessTaken(() => store.transition(older.id, step, call));
  }
  return id;
}

/** With what somebody added to earlier saves of the session, and without what they removed. */
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

/** Neither approved nor edited by a person: a person's words are theirs. */
function isUntouched({ delivery }: Handoff): boolean {
  return delivery.content_revision === 1 && delivery.approval === undefined;
}

/**
 * Whether the last save has the same meaning and the same branch already, whatever event asked for it. What the session
 * itself resumed, as after a compaction, is saved again for the next one.
 */
function isSaid({ content: before, delivery }: Handoff, content: Content): boolean {
  const words = ({ supersedes_id: _supersedes, expires_at: _expires, ...rest }: Content) => meaningOf(rest as Content);
  const isTakenBack = delivery.injected?.session === before.origin?.session && delivery.injected !== undefined;
  return !isTakenBack && before.origin?.branch === content.origin?.branch && words(before) === words(content);
}

function complete(input: ContentInput, { job, known, extractor }: Occasion, context: OperationContext) {
  const { host, session, branch, event } = job;
  const isHere = job.root === context.workspace.root && branch === readBranch(context.workspace);
  // Files of another work tree cannot be measured any more.
  const measured = isHere ? withFileFacts(input, context, known) : input;
  return completeContent(
    {
      ...measured,
      // A run without a person is a result to look at, not where the next session continues from.
      kind: job.interactive ? 'context' : 'result',
      expires_at: new Date(
        context.now() + (job.interactive ? limits.saved_offer_ms : limits.saved_result_ms),
      ).toISOString(),
      // The branch is the work tree's as its hook saw it, not the last one that the transcript names.
      origin: {
        ...(isHere ? originOf(context) : {}),
        ...{ branch, host, session, trigger: event, extractor },
        // The text of another session's agent is passed on as that agent's.
        asked: input.origin?.session === session ? input.origin.asked : undefined,
      },
    },
    { source_agent: context.actor.name, decision_source: 'ai-extracted' },
  );
}

/**
 * The conversation of a session so far; nothing where its transcript has no message of it yet, is gone, or cannot be
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
    // The last words of a session's helper are not the session's own.
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

/** The transcript is written with a delay: the last words that the host reports are added where they are missing. */
function withLastWords(conversation: Conversation, words: string | undefined): Conversation {
  const { messages } = conversation;
  const text = words?.trim() ?? '';
  const isThere = messages.slice(-3).some((message) => message.text.includes(text));
  if (text === '' || isThere) return conversation;
  const last = { index: messages.length, role: 'assistant' as const, text, tool_calls: [] };
  return { ...conversation, messages: [...messages, last] };
}
