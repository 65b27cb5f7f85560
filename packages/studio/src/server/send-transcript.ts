import { showHidden } from '../../../batonpass/src/core/hidden-characters.ts';
import { transcriptMediaType } from '../../../batonpass/src/core/transcript-media-type.ts';
import type { OperationName } from '../../../batonpass/src/operations/catalogue.ts';
import type { Progress } from '../../../batonpass/src/operations/context.ts';
import { ask } from './call.ts';

/** The request of an operation that reads a conversation: its input, and the file to read. */
export interface TranscriptInput {
  /** In place of a text: sent as it is, never loaded as text into the page. */
  file?: Blob | undefined;
}

/** The progress of a reading: the part of its file that is sent, from 0 to 1, or what the server reports. */
export type ReadingStep = { sent: number } | Progress;

/** Options of a reading. */
export interface Following {
  /** Cancels it: the server stops reading, and keeps nothing. */
  signal: AbortSignal;
  onProgress: (step: ReadingStep) => void;
}

/**
 * Calls an operation that reads a conversation. For a file it reports how much is sent.
 *
 * @throws ServerProblem; `AbortError` where the signal cancelled it; Error for a file without content.
 */
export function sendTranscript(
  name: OperationName,
  { file, ...input }: TranscriptInput,
  { accept = 'application/json', signal, onProgress }: Following & { accept?: string },
): Promise<Response> {
  const json = JSON.stringify(input);
  const init = { method: 'POST', signal };
  if (file === undefined) {
    return ask(`/api/${name}`, { ...init, body: json, headers: { 'content-type': 'application/json', accept } });
  }
  if (file.size === 0) throw new Error(describeEmpty(file));
  const headers = { 'content-type': transcriptMediaType, accept };
  return ask(`/api/${name}`, { ...init, body: new Blob([json, '\n', file]), headers }, (path, body) =>
    upload(path, body, (sent) => onProgress({ sent })),
  );
}

/** Why an empty file is not read. */
export function describeEmpty(file: Blob): string {
  return `${file instanceof File ? showHidden(file.name) : 'The file'} is empty: there is nothing to read in it.`;
}

/** `fetch` of a body that also reports how much of it is sent: `fetch` itself cannot. */
function upload(path: string, init: RequestInit, onSent: (part: number) => void): Promise<Response> {
  const { method = 'POST', headers, body, signal } = init;
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const encoder = new TextEncoder();
    let taken = 0;
    const answer = new ReadableStream<Uint8Array>({
      start(controller) {
        const take = () => {
          controller.enqueue(encoder.encode(request.responseText.slice(taken)));
          taken = request.responseText.length;
        };
        request.onprogress = take;
        request.onload = () => {
          take();
          controller.close();
        };
        const fail = (reason: unknown) => {
          controller.error(reason);
          reject(reason);
        };
        request.onerror = () => fail(new TypeError('The connection was lost.'));
        request.onabort = () => fail(signal?.reason);
      },
      cancel: () => request.abort(),
    });
    request.onreadystatechange = () => {
      if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED) return;
      resolve(new Response(answer, { status: request.status, statusText: request.statusText }));
    };
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
    request.open(method, path);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    signal?.addEventListener('abort', () => request.abort());
    request.send(body as XMLHttpRequestBodyInit);
  });
}
