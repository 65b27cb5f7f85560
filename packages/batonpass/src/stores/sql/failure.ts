import { HandoffError, type HandoffErrorCode } from '../../core/errors.ts';
import { howToInstall } from '../../core/how-to-install.ts';

/** What an error says of the store, and the ways out. */
export type Explanation = readonly [says: string, ...alternatives: readonly string[]];

/** The error of a store that cannot do what it is asked for. Default: `unavailable`. */
export function storeError(
  name: string,
  [says, ...alternatives]: Explanation,
  given: { details: Readonly<Record<string, unknown>>; code?: HandoffErrorCode; cause?: unknown },
): HandoffError {
  const { details, code = 'unavailable', cause } = given;
  return new HandoffError(code, `The store ${name} ${says}.`, { details, alternatives, cause });
}

/** The error of a store whose schema another version of Baton made. @param elsewhere - how to name another store. */
export function otherSchema(
  name: string,
  details: { schema_version: number; known: number },
  elsewhere: string,
): HandoffError {
  const { schema_version, known } = details;
  const says = `was written by another version of Baton: its schema is ${schema_version}, this one knows ${known}`;
  const code = 'unsupported_version';
  return storeError(name, [says, `Update this Baton: ${howToInstall}`, elsewhere], { details, code });
}
