import { throwIfAborted } from '../core/aborted.ts';
import type { Conversation } from '../core/conversation.ts';
import type { Extractor, ModelSettings } from '../core/model-settings.ts';
import { type Before, extractByRules } from './extract-by-rules.ts';
import type { ExtractionProgress } from './extraction-progress.ts';
import type { ExtractionReport } from './extraction-report.ts';
import { interruptible } from './interruptible.ts';
import type { ModelSurroundings } from './model/ask-model.ts';
import { chooseModel } from './model/choose-model.ts';
import { extractByModel } from './model/extract-by-model.ts';
import type { PartlyEvidenced } from './partly-evidenced.ts';

/** Who extracts, and what a model needs. */
export interface ExtractionRequest {
  extractor: Extractor;
  settings: ModelSettings;
  /** The environment variables that hold the key. */
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Decisions that the conversation was given, which it may revoke; default none. */
  earlier?: Before['earlier'];
  /** Called before a model reads, and after each part that it has read. */
  onRead?: (progress: ExtractionProgress) => void;
  /** Chance and time of requests. Default: the machine's. */
  surroundings?: ModelSurroundings;
}

/** An extraction, and how it came about. */
export interface ReportedExtraction {
  extraction: PartlyEvidenced;
  report: ExtractionReport;
}

/**
 * Extracts by rules or by a model. If a model fails, the rules extract instead and the report's `note` states it; rules
 * never replace a model silently.
 *
 * @throws AbortError where the signal aborts, by rules or by a model: an abort asks for no answer at all.
 * @throws HandoffError `unavailable` where a model is asked for but not chosen, without its key, or not installed.
 */
export async function extractConversation(
  conversation: Conversation,
  { extractor, settings, environment, signal, earlier, onRead = () => {}, surroundings }: ExtractionRequest,
): Promise<ReportedExtraction> {
  throwIfAborted(signal, 'The extraction');
  const extract = () => interruptible(() => extractByRules(conversation, { earlier }));
  if (extractor === 'rules') return { extraction: extract(), report: { extractor } };
  const chosen = chooseModel(settings, environment);
  const rules = extract();
  const { extraction, failure, report } = await extractByModel(conversation, {
    chosen,
    rules,
    signal,
    onRead,
    surroundings,
  });
  if (extraction !== undefined) return { extraction, report: { extractor, model: report } };
  return {
    extraction: rules,
    report: { extractor: 'rules', note: `${failure} The rules extracted instead.`, model: report },
  };
}
