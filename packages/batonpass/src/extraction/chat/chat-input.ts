import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { maskReply } from '../../core/masking.ts';

const partSchema = z.looseObject({ type: z.string().max(200), text: z.string().optional() });

/** A chat as the AI SDK's `useChat` sends it by itself; what is no text of its messages is not looked at. */
export const chatInputSchema = z.strictObject({
  id: z.string().max(limits.name_characters_max).optional(),
  messages: z
    .array(
      z.looseObject({
        // The right to ask does not include the right to set the system prompt.
        role: z.enum(['user', 'assistant']),
        parts: z.array(partSchema).max(limits.entries_max),
      }),
    )
    .min(1)
    .max(limits.chat_messages_max),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().max(limits.name_characters_max).optional(),
});

export type ChatInput = z.output<typeof chatInputSchema>;

/** A message as a model is asked with it. */
export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/**
 * The texts of a chat as they are sent to a model: without secrets, and without messages that say nothing.
 *
 * @throws HandoffError `too_large` above `limits.chat_characters_max`, `invalid_input` for files and where no question of
 * the user's is at the end.
 */
export function toChatMessages({ messages }: ChatInput): ChatMessage[] {
  const said = messages.map(({ role, parts }) => ({ role, content: parts.map(textOf).join('') }));
  const characters = said.reduce((sum, { content }) => sum + content.length, 0);
  if (characters > limits.chat_characters_max) throw tooLong(characters);
  const shown = said
    .map(({ role, content }, index) => {
      const before =
        role === 'user' ? said.slice(0, index).findLast((message) => message.role === 'assistant') : undefined;
      return { role, content: maskReply(before?.content ?? '', content).text };
    })
    .filter(({ content }) => content.trim() !== '');
  if (shown.at(-1)?.role === 'user') return shown;
  throw new HandoffError('invalid_input', 'The last message of the chat is no question of the user’s.', {
    alternatives: ['Send what the user says as the last message, with a part of type text.'],
  });
}

/** Reasoning, calls and tool results of a model are not sent to a model again; a file is refused, not left out silently. */
function textOf({ type, text = '' }: ChatInput['messages'][number]['parts'][number]): string {
  if (type !== 'file') return type === 'text' ? text : '';
  throw new HandoffError('invalid_input', 'A chat has texts here, no files.', {
    alternatives: ['Name the path of the file in the text, or paste the lines that matter.'],
  });
}

function tooLong(characters: number): HandoffError {
  return new HandoffError(
    'too_large',
    `The chat has ${characters} characters; ${limits.chat_characters_max} are the most that one answer is asked with.`,
    {
      details: { characters, characters_max: limits.chat_characters_max },
      alternatives: ['Hand over what was decided, and go on in a new chat.'],
    },
  );
}
