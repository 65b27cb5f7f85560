import { readFile } from 'node:fs/promises';
import { completeContent } from '../packages/batonpass/src/core/complete-content.ts';
import { extractByRules } from '../packages/batonpass/src/extraction/extract-by-rules.ts';
import { toContentInput } from '../packages/batonpass/src/extraction/to-content-input.ts';
import { renderContent } from '../packages/batonpass/src/formats/prompt.ts';
import { readTranscript } from '../packages/batonpass/src/transcripts/read-transcript.ts';
import { writeContent } from '../packages/batonpass/src/written/write-content.ts';
import type { SessionHandoff } from './handoff-of-session.ts';

/**
 * The handoff that Baton makes where the session's agent answered: read, checked, merged with what rules found, and
 * rendered by the code of the background worker.
 *
 * @param answer - the file with the answer exactly as a model gave it.
 */
export async function writeOver(
  transcript: string,
  answer: string,
  budgets: readonly number[],
): Promise<SessionHandoff> {
  const conversation = await readTranscript({ path: transcript });
  const mechanical = toContentInput(extractByRules(conversation), conversation);
  const { content: input, told, note } = writeContent(mechanical, conversation, await readFile(answer, 'utf8'));
  console.error(`${answer}: ${JSON.stringify(told ?? {})} ${note ?? ''}`);
  const { content } = completeContent(input, { source_agent: conversation.host, decision_source: 'ai-extracted' });
  return { content, texts: new Map(budgets.map((budget) => [budget, renderContent(content, budget).text])) };
}
