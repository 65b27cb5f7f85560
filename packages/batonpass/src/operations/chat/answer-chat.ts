import { parseInput } from '../../core/input.ts';
import { chatInputSchema, toChatMessages } from '../../extraction/chat/chat-input.ts';
import type { ModelPurpose } from '../../extraction/model/choose-model.ts';
import type { LoadedModel } from '../../extraction/model/load-model.ts';
import { machineSurroundings } from '../../extraction/model/machine-surroundings.ts';
import { ModelFailure, toModelFailure } from '../../extraction/model/model-failure.ts';
import { createSteadyModel } from '../../extraction/model/steady-model.ts';
import type { AnswerChunk, OperationContext } from '../context.ts';
import { loadChosenModel } from '../load-chosen-model.ts';

/** What an answer to a chat uses. */
export interface ChatContext extends Pick<OperationContext, 'configuration' | 'environment' | 'signal'> {
  /** Called with each part of the answer as it comes. It must not throw. */
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
 * Answers the last message of a chat by the configured model, part by part. Nothing of it is stored. An error that the
 * model's server reports after the answer has begun is a part too, of type `error`.
 *
 * @param given - what `useChat` sends: see `chatInputSchema`.
 * @returns when the answer is complete, or the caller has left; the connection to the model's server is closed then.
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
    // The model itself counts attempts and waits for them.
    maxRetries: 0,
    abortSignal: signal,
    onError: () => {
      // Sent as a part of the answer; the library would write it to the log.
    },
  });
  const onError = (error: unknown) => explain(error, loaded);
  for await (const chunk of toUIMessageStream({ stream, onError })) onChunk(chunk);
}

/** An error in words, without a key. */
function explain(error: unknown, loaded: LoadedModel): string {
  return (error instanceof ModelFailure ? error : toModelFailure(error, loaded)).message;
}
