import type { Extractor, ModelSettingsInput } from '../core/model-settings.ts';
import { type BrainstormMessage, readBrainstorm } from '../extraction/brainstorm-messages.ts';
import { extractConversation, type ReportedExtraction } from '../extraction/extract-conversation.ts';
import type { ExtractionReport } from '../extraction/extraction-report.ts';
import type { EvidencedResult } from '../extraction/extraction-result.ts';
import { isModelChosen } from '../extraction/model/choose-model.ts';
import { readConfiguration } from '../workspace/configuration.ts';
import { openWorkspace } from '../workspace/project.ts';
import type { Progress } from './context.ts';
import { toProgress } from './extract-transcript.ts';

/** How to extract; every member has a default. */
export interface ExtractHandoffOptions {
  /** Default: the model where settings or environment name one, else the rules. */
  extractor?: Extractor;
  /** Settings of the model, which win over the environment and the file. */
  model?: ModelSettingsInput;
  /** The folder whose `baton.config.json` is read. Default: the process's. */
  cwd?: string;
  /** Default: the process's. */
  environment?: NodeJS.ProcessEnv;
  onProgress?: (progress: Progress) => void;
}

/** The result of an extraction, with where each item was said, and how it was extracted. */
export interface ExtractedHandoff extends EvidencedResult {
  report: ExtractionReport;
}

/**
 * Extracts what a brainstorm decided, which files matter and what may go wrong. Secrets are masked before
 * anything is sent. `evidence.message` counts the messages given. Where the model fails, the rules extract, and
 * `report.note` gives the reason.
 *
 * @throws AbortError where the signal aborts; then the rules do not extract either.
 * @throws HandoffError `unavailable` where a model is named that cannot be used: not installed, or without its key.
 */
export async function extractHandoff(
  messages: readonly BrainstormMessage[],
  signal: AbortSignal = new AbortController().signal,
  { extractor, model, cwd = process.cwd(), environment = process.env, onProgress }: ExtractHandoffOptions = {},
): Promise<ExtractedHandoff> {
  const { configuration } = readConfiguration(openWorkspace(cwd), environment, { model });
  const { model: settings } = configuration;
  const isChosen = isModelChosen(settings, environment);
  const conversation = readBrainstorm(messages);
  const { extraction, report } = await extractConversation(conversation, {
    extractor: extractor ?? (isChosen ? 'model' : 'rules'),
    settings,
    environment,
    signal,
    onRead: (progress) => onProgress?.(toProgress(progress)),
  });
  const note = extractor === undefined && !isChosen ? { note: noModel } : {};
  // An empty conversation has no summary that could replace an earlier one.
  const isEmpty = conversation.messages.every(({ text }) => text.trim() === '');
  return { ...toResult(extraction), ...(isEmpty && { summary: '' }), report: { ...report, ...note } };
}

const noModel =
  'No model is configured, so rules extracted. Set ANTHROPIC_API_KEY, or BATON_MODEL_BASE_URL and BATON_MODEL.';

function toResult(extraction: ReportedExtraction['extraction']): EvidencedResult {
  const proven = ({ evidence }: { evidence?: EvidencedResult['risks'][number]['evidence'] }) =>
    evidence === undefined ? {} : { evidence };
  return {
    decisions: extraction.decisions.map((item) => ({
      content: item.content,
      confidence: item.confidence,
      ...proven(item),
    })),
    filesReferenced: extraction.files.map((item) => ({
      path: item.path,
      relevance: item.relevance,
      context: item.context,
      ...proven(item),
    })),
    risks: extraction.risks.map((item) => ({
      description: item.description,
      severity: item.severity,
      ...proven(item),
    })),
    summary: extraction.summary,
  };
}
