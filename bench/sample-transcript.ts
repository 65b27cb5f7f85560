import type { Message } from '../packages/batonpass/src/core/conversation.ts';
import { createMessages } from './sample-conversation.ts';

/** A session's transcript as Claude Code writes it, of any size: its messages, and three times as much output of tools. */

const session = '3f0c5a1e-7b9d-4c7e-9a55-0d1f6f2b8c31';
const cwd = '/repositories/tidepool';
const toolRows = 3;

/** Rows of text, each with its line break, until they have about this many bytes; made as they are asked for. */
export function* createTranscriptLines(bytes: number): Generator<string> {
  let made = 0;
  let number = 0;
  let parent: string | null = null;
  const row = (type: 'user' | 'assistant', content: unknown) => {
    const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const at = new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString();
    const head = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: session,
      version: '2.1.0',
    };
    const message = type === 'user' ? { role: type, content } : { role: type, id: `msg_${number}`, content };
    parent = uuid;
    number += 1;
    const line = `${JSON.stringify({ ...head, gitBranch: 'main', type, message, uuid, timestamp: at })}\n`;
    made += line.length;
    return line;
  };
  for (const message of createMessages(Number.POSITIVE_INFINITY)) {
    if (made >= bytes) return;
    if (message.role === 'user') yield row('user', message.text);
    else {
      for (const content of toolContents(message))
        yield row(content.type === 'tool_use' ? 'assistant' : 'user', [content]);
      yield row('assistant', [{ type: 'text', text: message.text }]);
    }
  }
}

/** Uses of tools before an answer, each with its result. */
function toolContents({ index, text }: Message): { type: string }[] {
  return Array.from({ length: toolRows }, (_, place) => {
    const id = `toolu_${index}_${place}`;
    const file_path = `${cwd}/src/part${(index + place) % 40}/file${place}.ts`;
    const use = { type: 'tool_use', id, name: place === 0 ? 'Edit' : 'Read', input: { file_path } };
    const result = { type: 'tool_result', tool_use_id: id, content: `     1\t${text.replaceAll('\n', '\n     2\t')}` };
    return [use, result];
  }).flat();
}
