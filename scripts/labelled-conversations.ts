import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversation } from '../packages/batonpass/src/core/conversation.ts';
import type { PartlyEvidenced } from '../packages/batonpass/src/extraction/partly-evidenced.ts';
import type { LabelledConversation, Prediction } from './extraction-score.ts';

/** The labelled conversations of a folder, by name. A folder that cannot be read holds none. */
export async function readLabelled(folder: string): Promise<LabelledConversation[]> {
  const names = await readdir(folder).catch(() => []);
  const texts = names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(texts)).map((text) => JSON.parse(text) as LabelledConversation);
}

/** A message without words stays in its place, so that evidence points where the labels do. */
export function toConversation({ id, messages }: LabelledConversation): Conversation {
  return {
    host: 'messages',
    session: id,
    messages: messages.map(({ role, content }, index) => ({
      index,
      role: role === 'user' ? 'user' : 'assistant',
      text: content,
      tool_calls: [],
    })),
    unread: { lines: 0, reasons: {} },
    masked: {},
  };
}

/** What is scored of an extraction. */
export function toPrediction({ decisions, files, risks }: PartlyEvidenced): Prediction {
  const placeOf = (evidence: { message: number } | undefined) =>
    evidence === undefined ? {} : { message: evidence.message };
  return {
    decisions: decisions.map(({ content, evidence }) => ({ content, ...placeOf(evidence) })),
    filesReferenced: files.map(({ path, relevance }) => ({ path, relevance })),
    risks: risks.map(({ description, severity, evidence }) => ({ description, severity, ...placeOf(evidence) })),
  };
}
