import { parseInput } from '../../core/input.ts';
import { chatInputSchema, toChatMessages } from '../../extraction/chat/chat-input.ts';
import type { ModelPurpose } from '../../extraction/model/choose-model.ts';
import type { LoadedModel } from '../../extraction/model/load-model.ts';
import { machineSurroundings } from '../../extraction/model/machine-surroundings.ts';
import { ModelFailure, toModelFailure } from '../../extraction/model/model-failure.ts';
import { createSteadyModel } from '../../extraction/model/steady-model.ts';
import type { AnswerChunk, OperationContext } from '../context.ts';
import { loadChosenModel } from '../load-chosen-model.ts';

/** What an answer to a chat works with. */
export interface ChatContext extends Pick<OperationContext, 'configuration' | 'environment' | 'signal'> {
  /** Told of each part of the answer as it comes. It must not throw. */
  onChunk: (chunk: AnswerChunk) => void;
}

const instructions = [
  'You think a piece of software work through with its user before anybody begins it.',
  'Ask what is not clear, name ways to do it and what each costs, and say which one you would take and why.',
  'Name files by their paths. Say plainly when something is decided, when it is not, and what may go wrong.',
  'You see no files and run nothing here: what you need to know of the project, ask for.',
].join('\n');

/** A model answers a chat. */
export const answering: ModelPurpose = {
  verb: 'answer',
  without: 'Or brainstorm in your agent, and import the conversation: baton import',
  isJson: false,
};

/**
 * Answers the last message of a chat by the configured model, part by part. Nothing of it is kept. What the model's
 * server says goes wrong once the answer has begun is a part too, of type `error`.
 *
 * @param given - what `useChat` sends: see `chatInputSchema`.
 * @returns when the answer is whole, or the caller has left; the connection to the model's server is closed then.
 * @throws HandoffError before the first part: `invalid_input`, `too_large`, `unavailable` where no model can be asked.
 */
export async function answerChat(given: unknown, context: ChatContext): Promise<void> {
  const { configuration, environment, signal, onChunk } = context;
  const messages = toChatMessages(parseInput(chatInputSchema, given, 'chat'));
  const loaded = await loadChosenModel(configuration.model, environment, answering);
  const { streamText, toUIMessageStream } = loaded.library;
  const { stream } = streamText({
    model: createSteadyModel(loaded, machineSurroundings),
    instructions,
    messages,
    maxOutputTokens: loaded.chosen.settings.output_tokens_max,
    // Attempts are counted and waited for by the model itself.
    maxRetries: 0,
    abortSignal: signal,
    onError: () => {
      // Told as a part of the answer; the library's own way would be to write it to the log.
    },
  });
  const onError = (error: unknown) => explain(error, loaded);
  for await (const chunk of toUIMessageStream({ stream, onError })) onChunk(chunk);
}

/** What went wrong, in words without a key. */
function explain(error: unknown, loaded: LoadedModel): string {
  return (error instanceof ModelFailure ? error : toModelFailure(error, loaded)).message;
}
