import { askAgain, type ModelSurroundings } from './ask-model.ts';
import type { LoadedModel } from './load-model.ts';
import { brokenOff, ModelFailure, toModelFailure, tooLate } from './model-failure.ts';

type ProviderModel = LoadedModel['model'];
type Middleware = Parameters<LoadedModel['library']['wrapLanguageModel']>[0]['middleware'];
type WrapStream = NonNullable<Exclude<Middleware, readonly unknown[]>['wrapStream']>;
type Opened = Awaited<ReturnType<WrapStream>>;
type Parameter = Parameters<WrapStream>[0]['params'];
type Part = Opened['stream'] extends ReadableStream<infer Each> ? Each : never;

/**
 * A model for an agent of the library, whose every request goes as an extraction's do: sent again after a wait where
 * that can help, each within its own time, and what goes wrong is a `ModelFailure` in words. An answer that has begun is
 * not asked for again: its tools may have been called.
 */
export function createSteadyModel(loaded: LoadedModel, surroundings: ModelSurroundings): ProviderModel {
  const wrapStream: WrapStream = ({ params, model }) => {
    const signal = params.abortSignal ?? new AbortController().signal;
    return askAgain({ loaded, signal, surroundings }, () => open(model, { ...params, abortSignal: signal }, loaded));
  };
  return loaded.library.wrapLanguageModel({ model: loaded.model, middleware: { wrapStream } });
}

type Streaming = Parameters<WrapStream>[0]['model'];

async function open(
  model: Streaming,
  params: Parameter & { abortSignal: AbortSignal },
  loaded: LoadedModel,
): Promise<Opened> {
  const { chosen } = loaded;
  const timeout = AbortSignal.timeout(chosen.settings.timeout_ms);
  const abortSignal = AbortSignal.any([params.abortSignal, timeout]);
  try {
    const opened = await model.doStream({ ...params, abortSignal });
    const explain = (error: unknown) => (timeout.aborted ? tooLate(chosen) : brokenOff(error, chosen));
    return { ...opened, stream: explained(opened.stream, explain) };
  } catch (error) {
    if (error instanceof ModelFailure || params.abortSignal.aborted) throw error;
    throw timeout.aborted ? tooLate(chosen) : toModelFailure(error, loaded);
  }
}

/** The same parts; one that stops without an end, or with an error, is explained. */
function explained(stream: ReadableStream<Part>, explain: (error: unknown) => ModelFailure): ReadableStream<Part> {
  const reader = stream.getReader();
  let isFinished = false;
  return new ReadableStream<Part>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (done && !isFinished) controller.enqueue({ type: 'error', error: explain('the connection ended.') });
        if (done) return controller.close();
        if (value.type === 'finish') isFinished = true;
        controller.enqueue(value.type === 'error' ? { type: 'error', error: explain(value.error) } : value);
      } catch (error) {
        controller.enqueue({ type: 'error', error: explain(error) });
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
