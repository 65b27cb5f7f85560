import { isHandoffError } from '../../core/errors.ts';
import type { OperationContext } from '../context.ts';
import { loadChosenModel } from '../load-chosen-model.ts';
import { answering } from './answer-chat.ts';

/** Whether a chat can be answered here. */
export type ChatFacts =
  | { can_answer: true; model: string }
  /** Why not, and the steps that change it. */
  | { can_answer: false; reason: string; alternatives: readonly string[] };

/** Reports whether a model is configured and installed, without asking it anything. */
export async function describeChat({
  configuration,
  environment,
}: Pick<OperationContext, 'configuration' | 'environment'>): Promise<ChatFacts> {
  try {
    const { chosen } = await loadChosenModel(configuration.model, environment, answering);
    return { can_answer: true, model: chosen.model };
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    return { can_answer: false, reason: error.message, alternatives: error.alternatives };
  }
}
