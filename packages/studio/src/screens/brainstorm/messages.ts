import type { UIMessage } from 'ai';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';

/** The text of a message. */
export function textOf({ parts }: UIMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** A tool call of a message as text: `Read src/queue.ts`. */
export function toolsOf({ parts }: UIMessage): string[] {
  return parts.flatMap((part) => {
    if (part.type !== 'dynamic-tool') return [];
    const { file_path = '', command = '' } = (part.input ?? {}) as { file_path?: string; command?: string };
    return [`${part.toolName} ${file_path || command}`.trim()];
  });
}

/** The messages of a transcript in the format of a chat. */
export function toMessages({ messages }: OperationOutput<'conversation.read'>): UIMessage[] {
  return messages.map(({ role, text, tools }, index) => ({
    id: `m${index}`,
    role,
    parts: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...tools.map(({ name, path, command }, place) => ({
        type: 'dynamic-tool' as const,
        toolName: name,
        toolCallId: `m${index}-${place}`,
        state: 'output-available' as const,
        input: { ...(path === undefined ? {} : { file_path: path }), ...(command === undefined ? {} : { command }) },
        output: undefined,
      })),
    ],
  }));
}

const TITLE_CHARACTERS_MAX = 80;

/** A title in one line: the beginning of the conversation. */
export function titleOf(messages: readonly UIMessage[]): string {
  const first = messages.find(({ role }) => role === 'user') ?? messages[0];
  const [line = ''] = first === undefined ? [] : textOf(first).trim().split('\n');
  return line.length > TITLE_CHARACTERS_MAX ? `${line.slice(0, TITLE_CHARACTERS_MAX - 1)}…` : line || 'Brainstorm';
}

/** The conversation as the server reads it, without empty messages, which the server would also skip. */
export function toTranscript(session: string, messages: readonly UIMessage[]): string {
  const said = messages.filter(isShown).map(({ role, parts }) => ({
    role,
    parts: parts.filter(({ type }) => type === 'text' || type === 'dynamic-tool'),
  }));
  return JSON.stringify({ session, messages: said });
}

/** Whether a message has text or tool calls. */
export function isShown(message: UIMessage): boolean {
  return textOf(message).trim() !== '' || toolsOf(message).length > 0;
}
