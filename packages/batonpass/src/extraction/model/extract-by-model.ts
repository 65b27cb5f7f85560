import { throwIfAborted } from '../../core/aborted.ts';
import type { Conversation, Message } from '../../core/conversation.ts';
import { limits } from '../../core/limits.ts';
import type { Extraction } from '../extraction.ts';
import { countFound, type ExtractionProgress } from '../extraction-progress.ts';
import type { ModelReport } from '../extraction-report.ts';
import { mergeExtractions, saysTheSame, toKept } from '../merge-extractions.ts';
import type { PartlyEvidenced } from '../partly-evidenced.ts';
import { withinBounds } from '../within-bounds.ts';
import { type Asking, askModel, type ModelSurroundings, type Spending } from './ask-model.ts';
import type { ChosenModel } from './choose-model.ts';
import { addAnswer, createGathered, type Gathered, listGathered, saidFirst } from './gather-answers.ts';
import { loadModel } from './load-model.ts';
import { machineSurroundings } from './machine-surroundings.ts';
import { describeModel, ModelFailure } from './model-failure.ts';
import { createPrompt, knownMax } from './prompt.ts';
import { splitIntoWindows } from './windows.ts';

/** How a conversation is read by a model. */
export interface ModelReading {
  chosen: ChosenModel;
  /** What the rules found: facts of tool calls and the title are theirs. */
  rules: Extraction;
  signal: AbortSignal;
  /** Called before anything is read, and for each part when its items are known. */
  onRead: (progress: ExtractionProgress) => void;
  surroundings?: ModelSurroundings;
}

/** What a model made of a conversation; without an extraction it failed, and `failure` says why. */
export interface ModelOutcome {
  extraction?: PartlyEvidenced;
  failure?: string;
  report: ModelReport;
}

/**
 * Extracts by a language model, window after window: each is shown what the ones before decided, so that it can
 * reverse it. What the model answers is believed only as far as it can be checked. One window that fails fails all.
 *
 * @throws AbortError where the signal aborts; HandoffError `unavailable` where a package is not installed.
 */
export async function extractByModel(whole: Conversation, reading: ModelReading): Promise<ModelOutcome> {
  const { chosen, signal, rules, surroundings = machineSurroundings } = reading;
  throwIfAborted(signal, 'The extraction');
  const loaded = await loadModel(chosen);
  const { conversation } = withinBounds(whole);
  const { windows, left_out } = splitIntoWindows(conversation, chosen.settings.window_characters);
  const gathered = createGathered();
  const spending: Spending = { requests: 0, input_tokens: 0, output_tokens: 0, unread_tokens: 0 };
  const total = AbortSignal.timeout(chosen.settings.total_timeout_ms);
  const asking: Asking = { loaded, spending, surroundings, signal: AbortSignal.any([signal, total]) };
  const report = (): ModelReport => createReport(chosen, { windows: windows.length, gathered, spending });
  const tell = tellsOf(windows, gathered, reading.onRead);
  try {
    tell([]);
    for (const window of windows) await readWindow(window, { gathered, tell }, asking);
  } catch (error) {
    throwIfAborted(signal, 'The extraction');
    if (total.aborted) return { failure: tooSlow(chosen), report: report() };
    if (error instanceof ModelFailure) return { failure: error.message, report: report() };
    throw error;
  }
  throwIfAborted(signal, 'The extraction');
  if (isEmpty(gathered) && hasItems(rules)) {
    return { failure: `${describeModel(chosen)} found nothing.`, report: report() };
  }
  const extraction = toExtraction(rules, gathered);
  if (left_out > 0) {
    extraction.cut.push(`${left_out} of ${whole.messages.length} messages were left out: together they are too long.`);
  }
  return { extraction, report: report() };
}

/** Whether a model named nothing at all, not even what could not be believed. */
function isEmpty(gathered: Gathered): boolean {
  const { invented_quotes, refused_paths } = gathered.dropped;
  const listed = listGathered(gathered);
  const { instructions, done, tried, environment } = gathered;
  if ([instructions, done, tried, environment].some((items) => items.length > 0)) return false;
  return !hasItems(listed) && listed.files.length === 0 && invented_quotes + refused_paths === 0;
}

function hasItems(found: Pick<PartlyEvidenced, 'decisions' | 'risks' | 'next_steps' | 'open_questions'>): boolean {
  return [found.decisions, found.risks, found.next_steps, found.open_questions].some((items) => items.length > 0);
}

/** Reports the progress of the reading after the messages that were just read. */
type Tell = (read: readonly Message[]) => void;

/** Windows share messages: each counts once. */
function tellsOf(windows: readonly Message[][], gathered: Gathered, onRead: ModelReading['onRead']): Tell {
  const all = new Set(windows.flat());
  const read = new Set<Message>();
  return (window) => {
    for (const message of window) read.add(message);
    onRead({ read: read.size, messages: all.size, found: countFound(gathered) });
  };
}

/** A window whose answer does not fit the cap on tokens is read in halves. */
async function readWindow(
  window: readonly Message[],
  into: { gathered: Gathered; tell: Tell },
  asking: Asking,
): Promise<void> {
  const { gathered, tell } = into;
  const known = gathered.decisions.slice(-knownMax);
  const prompt = createPrompt({
    window,
    known: known.map(({ content }) => content),
    summary: gathered.summary,
    marker: asking.surroundings.createMarker(),
    charactersMax: asking.loaded.chosen.settings.window_characters,
  });
  try {
    addAnswer(gathered, await askModel(prompt, asking), { window, known });
    tell(window);
  } catch (error) {
    const isTooLong = error instanceof ModelFailure && error.remedy.kind === 'split';
    if (!isTooLong || window.length === 1) throw error;
    const half = Math.ceil(window.length / 2);
    await readWindow(window.slice(0, half), into, asking);
    await readWindow(window.slice(half), into, asking);
  }
}

/** What tool calls prove needs no judgement, and stays the rules'; so do files that only a tool call names. */
function toExtraction(rules: Extraction, gathered: Gathered): PartlyEvidenced {
  const listed = listGathered(gathered);
  // Windows that share messages say the same in other words.
  const merged = mergeExtractions([{ ...rules, ...listed, tried: [...rules.tried, ...gathered.tried] }]);
  const named = new Set(listed.files.map(({ path }) => path));
  const touched = rules.files.filter(({ path, evidence }) => evidence === undefined && !named.has(path));
  const cutTo = <T>(items: readonly T[]) => items.slice(0, limits.entries_max);
  return {
    ...rules,
    // The rules know the state from order and tool calls; what was finished, only the model can report.
    where_it_stands: cutTo([
      ...rules.where_it_stands,
      ...gathered.done.slice(-DONE_MAX).map((item) => ({ kind: 'done' as const, ...item })),
    ]),
    instructions: cutTo(
      addNew(
        rules.instructions,
        gathered.instructions.map((order) => ({ ...order, times: 1 })),
      ),
    ),
    environment: cutTo(addNew(rules.environment, gathered.environment)),
    tried: cutTo(merged.tried),
    title: gathered.title || rules.title,
    decisions: cutTo(saidFirst(merged.decisions)),
    files: cutTo([...saidFirst(listed.files), ...touched]),
    risks: cutTo(saidFirst(merged.risks)),
    next_steps: cutTo(saidFirst(merged.next_steps)),
    open_questions: cutTo(saidFirst(merged.open_questions)),
    summary: gathered.summary || rules.summary,
    ...(gathered.refused.length > 0 && { refused: gathered.refused }),
    cut: [...rules.cut],
  };
}

/** So many finished pieces of work are kept, the newest. */
const DONE_MAX = 15;

/** What the rules found, and what they did not. */
function addNew<T extends { content: string }>(known: readonly T[], given: readonly T[]): T[] {
  const all = known.map(({ content }) => toKept(content));
  return [...known, ...given.filter(({ content }) => !all.some((other) => saysTheSame(other, toKept(content))))];
}

interface ReportParts {
  windows: number;
  gathered: Gathered;
  spending: Spending;
}

function createReport(chosen: ChosenModel, { windows, gathered, spending }: ReportParts): ModelReport {
  const { provider, model, settings } = chosen;
  const { price } = settings;
  const { requests, input_tokens, output_tokens, unread_tokens } = spending;
  const amount = price && (input_tokens * price.input + output_tokens * price.output) / 1_000_000;
  return {
    provider,
    model,
    windows,
    requests,
    input_tokens,
    output_tokens,
    ...(unread_tokens === 0 ? {} : { unread_tokens }),
    ...(price === undefined || amount === undefined ? {} : { cost: { amount, currency: price.currency } }),
    dropped: gathered.dropped,
    moved_quotes: gathered.moved_quotes,
  };
}

function tooSlow(chosen: ChosenModel): string {
  return `${describeModel(chosen)} was not done within ${chosen.settings.total_timeout_ms / 1_000} s.`;
}
