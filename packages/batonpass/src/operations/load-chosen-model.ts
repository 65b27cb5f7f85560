import { HandoffError } from '../core/errors.ts';
import type { ModelSettings } from '../core/model-settings.ts';
import { chooseModel, isModelChosen, type ModelPurpose } from '../extraction/model/choose-model.ts';
import { type LoadedModel, loadModel } from '../extraction/model/load-model.ts';

/**
 * The model that settings and environment name, for an operation that cannot do without one.
 *
 * @throws HandoffError `unavailable` that reports what to set or install.
 */
export async function loadChosenModel(
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv,
  purpose: ModelPurpose,
): Promise<LoadedModel> {
  if (isModelChosen(settings, environment)) return loadModel(chooseModel(settings, environment, purpose), purpose);
  throw new HandoffError('unavailable', `No model is configured to ${purpose.verb}.`, {
    alternatives: [
      'Where Baton runs, set ANTHROPIC_API_KEY, or BATON_MODEL_BASE_URL and BATON_MODEL for a server of your own.',
      purpose.without,
    ],
  });
}
