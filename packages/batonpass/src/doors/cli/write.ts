import { HandoffError } from '../../core/errors.ts';

/**
 * Writes a text and ends it with one newline; an empty one writes nothing. Waits until the process has written it.
 *
 * @returns whether it was written: a reader that closes early, as `head`, is no failure.
 * @throws HandoffError `unavailable` where the stream cannot be written, as on a full disk.
 */
export function write(stream: NodeJS.WriteStream, content: string): Promise<boolean> {
  if (content === '') return Promise.resolve(true);
  return new Promise((resolve, reject) => {
    const settle = (error?: NodeJS.ErrnoException | null) => {
      if (error === undefined || error === null) resolve(true);
      else if (error.code === 'EPIPE') resolve(false);
      else reject(cannotWrite(error));
    };
    // A stream on a file may throw at once instead of answering.
    try {
      stream.write(content.endsWith('\n') ? content : `${content}\n`, settle);
    } catch (error) {
      settle(error as NodeJS.ErrnoException);
    }
  });
}

function cannotWrite(cause: NodeJS.ErrnoException): HandoffError {
  const why = cause.code === 'ENOSPC' ? 'the disk is full (ENOSPC)' : (cause.code ?? cause.message);
  return new HandoffError('unavailable', `The answer cannot be written to standard output: ${why}.`, {
    details: { code: cause.code },
    cause,
    alternatives: [
      'The command itself ran; what it changed is kept. See what happened: baton log',
      'Free disk space, or redirect the output.',
    ],
  });
}
