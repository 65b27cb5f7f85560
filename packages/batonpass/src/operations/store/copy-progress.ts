import type { CopyOptions } from '../../stores/sqlite/copy-database.ts';
import type { OperationContext } from '../context.ts';

const MEBIBYTE = 1024 * 1024;

/** Reports how far the copying of a file has come: `12 of 40 MiB copied`. */
export function progressOf(what: string, { onProgress }: OperationContext): CopyOptions['onProgress'] {
  return ({ done_bytes, total_bytes }) =>
    onProgress?.({ what, done: Math.ceil(done_bytes / MEBIBYTE), total: Math.ceil(total_bytes / MEBIBYTE) });
}
