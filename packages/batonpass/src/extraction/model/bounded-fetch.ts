import { limits } from '../../core/limits.ts';

/**
 * A `fetch` for models' servers: it follows no redirect, which would take key and conversation along to somebody else,
 * and breaks off an answer above `limits.model_answer_bytes_max`.
 */
export function createBoundedFetch(): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const { status, statusText, headers } = response;
    return new Response(response.body?.pipeThrough(createBound()) ?? null, { status, statusText, headers });
  };
}

function createBound(): TransformStream<Uint8Array, Uint8Array> {
  let left = limits.model_answer_bytes_max;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left >= 0) controller.enqueue(chunk);
      else controller.error(new Error(`The answer has more than ${limits.model_answer_bytes_max} bytes.`));
    },
  });
}
