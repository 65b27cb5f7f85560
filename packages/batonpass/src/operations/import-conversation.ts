import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { throwIfAborted } from '../core/aborted.ts';
import { type CompletedContent, completeContent } from '../core/complete-content.ts';
import { type Content, type ContentInput, contentInputSchema } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { markOfWords } from '../core/edit-marks.ts';
import type { Evidence } from '../core/evidence.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { maskSecrets } from '../core/masking.ts';
import { findSaid } from '../draft/find-said.ts';
import { type Edits, keepEdits } from '../draft/keep-edits.ts';
import { normalize, saysTheSame, toKept } from '../extraction/merge-extractions.ts';
import { isInside } from '../transcripts/session-head.ts';
import { callOf, type OperationContext } from './context.ts';
import { editsOf, meaningOf } from './edits-of.ts';
import { extractorInput, extractTranscript } from './extract-transcript.ts';
import { withFileFacts } from './file-facts.ts';
import { initialState } from './initial-state.ts';
import { maskSecretsIn } from './masked-values.ts';
import { originOf } from './origin.ts';
import { openTranscript, readingOf, transcriptSchema } from './transcript-input.ts';

const { title, task_id, target_agent, scope } = contentInputSchema.shape;

type Origin = NonNullable<ContentInput['origin']>;

/** The options of an import of a conversation. */
export const conversationImportSchema = transcriptSchema.extend({
  ...extractorInput,
  title,
  task_id,
  target_agent,
  scope,
  pins: z
    .array(z.string().trim().min(1).max(limits.entry_characters_max))
    .max(limits.entries_max)
    .optional()
    .describe('All that a person pinned in it, in its words: decisions that come first and override extracted ones'),
});

/**
 * Makes a handoff of a conversation. Where one with the same meaning exists, from whichever commit, it returns that one.
 *
 * A draft of the same session is extended by what the session has reached since; an open one is superseded. Items that
 * somebody added to an earlier one, reworded or removed win over what is extracted now: see `keepEdits`.
 */
export async function importConversation(
  {
    path,
    text,
    last,
    repository,
    conversation: wanted,
    extractor,
    model,
    pins,
    ...given
  }: z.output<typeof conversationImportSchema>,
  context: OperationContext,
) {
  const fields = maskSecretsIn(withoutAbsent(given));
  const conversation = await openTranscript({ path, text, last, repository, conversation: wanted }, context);
  const { content, report: extraction } = await extractTranscript(conversation, { extractor, model }, context);
  // Rules let no event in while they read: a browser's disconnect arrives in the third turn of the event loop.
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  throwIfAborted(context.signal, 'The import');
  const pinned = pins === undefined ? content : withPins(content, pins, conversation);
  const origin = originHere(conversation, context);
  const completed = complete({ input: { ...pinned, ...fields }, source_agent: conversation.host, origin }, context);
  const reading = readingOf(conversation, path);
  return { ...(await keep(completed, { fields, pins, origin }, context)), reading, extraction };
}

/** What the workspace shows of a conversation's origin: its branch is the session's only where the session worked here. */
function originHere({ cwd }: Conversation, context: OperationContext): Origin {
  const { branch, ...origin } = originOf(context);
  const isHere = cwd !== undefined && isInside(cwd, [context.workspace.root]);
  return { ...origin, ...(isHere && branch !== undefined && { branch }) };
}

async function keep(
  completed: CompletedContent,
  { fields, pins, origin }: { fields: ContentInput; pins: readonly string[] | undefined; origin: Origin },
  context: OperationContext,
): Promise<{ handoff: Handoff; existing: boolean }> {
  const store = await context.openStore();
  const { session } = completed.content.origin ?? {};
  const { handoffs } = await store.list({ filter: { project: context.project, session }, limit: 100 });
  const isSaid = ({ content }: CompletedContent) => {
    const meaning = meaningOf(content);
    return handoffs.find((earlier) => meaningOf(earlier.content) === meaning);
  };
  const same = isSaid(completed);
  if (same !== undefined) return { handoff: same, existing: true };
  // Without a session the conversation is unknown; the hook itself continues what a hook saved.
  const imports = session === undefined ? [] : handoffs.filter(({ content }) => content.origin?.trigger === undefined);
  const base = imports.find(({ delivery }) => delivery.state === 'draft' || delivery.state === 'open');
  if (base === undefined) return { handoff: await create(completed, context), existing: false };
  const edits = await editsOf(imports, store);
  const earlier = pins === undefined ? base.content : withoutUnpinned(base.content, pins, edits);
  const kept = { ...keepEdits(completed.content, { content: earlier, edits }), ...withoutAbsent(fields) };
  const isDraft = base.delivery.state === 'draft';
  const supersedes_id = isDraft ? base.content.supersedes_id : base.id;
  const { source_agent } = completed.content;
  const merged = complete({ input: { ...kept, supersedes_id }, source_agent, origin }, context);
  const known = isSaid({ ...merged, content: { ...merged.content, supersedes_id: base.content.supersedes_id } });
  if (known !== undefined) return { handoff: known, existing: true };
  if (!isDraft) return { handoff: await create(merged, context), existing: false };
  const step = { type: 'edit', extracted: true, if_version: base.delivery.version, ...merged } as const;
  return { handoff: await store.transition(base.id, step, callOf(context, 'handoff.import')), existing: true };
}

function complete(
  { input, source_agent, origin }: { input: ContentInput; source_agent: string; origin: Origin },
  context: OperationContext,
): CompletedContent {
  return completeContent(
    { ...withFileFacts(input, context), origin: { ...origin, ...input.origin } },
    { source_agent, decision_source: 'ai-extracted' },
  );
}

async function create(completed: CompletedContent, context: OperationContext): Promise<Handoff> {
  const store = await context.openStore();
  const [handoff] = await store.create(
    [{ ...completed, project: context.project, state: initialState(context) }],
    callOf(context, 'handoff.import'),
  );
  if (handoff === undefined) throw new Error('The store answered a create with nothing.');
  return handoff;
}

function withoutAbsent(fields: ContentInput): ContentInput {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A decision in the words in which a person pinned it, with their place in the conversation, where there is one. */
interface PinnedDecision {
  content: string;
  source: 'user-pinned';
  evidence?: Evidence;
}

/**
 * An extraction with what a person pinned in its conversation: the pins come first, in the person's order, and extracted
 * items with the same meaning as one of them are left out.
 *
 * @param pins - texts of the conversation; their secrets are masked.
 */
function withPins(content: ContentInput, pins: readonly string[], conversation: Conversation): ContentInput {
  const pinned = toPinned(pins, conversation);
  const kept = pinned.map(({ content: text, evidence }) => toKept(text, evidence));
  const others = (content.decisions ?? []).filter((decision) => {
    const { content: text, evidence } = typeof decision === 'string' ? { content: decision } : decision;
    return !kept.some((pin) => saysTheSame(pin, toKept(text, evidence)));
  });
  return { ...content, decisions: [...pinned, ...others] };
}

/** An earlier handoff of the conversation without the pins that were removed since; what a review added stays. */
function withoutUnpinned(earlier: Content, pins: readonly string[], { added }: Edits): Content {
  const still = new Set(pins.map((pin) => normalize(maskSecrets(pin).text)));
  const decisions = earlier.decisions.filter(
    (decision) =>
      decision.source !== 'user-pinned' ||
      still.has(normalize(decision.content)) ||
      added.has(markOfWords('decisions', decision)),
  );
  return { ...earlier, decisions };
}

function toPinned(pins: readonly string[], { messages }: Conversation): PinnedDecision[] {
  const said = messages.map(({ text }) => text);
  const pinned = new Map(pins.map((pin) => [normalize(pin), maskSecrets(pin.trim()).text]));
  return [...pinned.values()].map((content) => {
    const evidence = findSaid(content, said);
    return { content, source: 'user-pinned' as const, ...(evidence === undefined ? {} : { evidence }) };
  });
}
