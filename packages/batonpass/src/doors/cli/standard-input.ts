import { HandoffError } from '../../core/errors.ts';

/**
 * Reads standard input once; several readers get the same text. The stream is opened when it is read: opening it
 * costs every start some milliseconds.
 */
export function createStandardInputReader(open: () => NodeJS.ReadStream): () => Promise<string> {
  let read: Promise<string> | undefined;
  return () => {
    const stream = open();
    if (stream.isTTY) {
      throw new HandoffError('invalid_input', 'Standard input is the keyboard; a text was expected there.', {
        alternatives: ['Redirect a file: baton … - < FILE', 'Or name the file in place of "-".'],
      });
    }
    read ??= readWhole(stream);
    return read;
  };
}

/** The imports are loaded here, because few commands read and every start would load them. */
async function readWhole(stream: NodeJS.ReadStream): Promise<string> {
  const [{ buffer }, { decodeText }] = await Promise.all([
    import('node:stream/consumers'),
    import('./given-content.ts'),
  ]);
  return decodeText(await buffer(stream), '-');
}
