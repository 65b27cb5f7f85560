import { HandoffError, type HandoffErrorCode } from '../../core/errors.ts';
import { howToInstall } from '../../core/how-to-install.ts';

/** The error's code, what it says of the store, and the ways out. */
export type Explanation = readonly [code: HandoffErrorCode, says: string, ...alternatives: readonly string[]];

/** The error of a store that cannot do what it is asked for. */
export function storeError(
  name: string,
  [code, says, ...alternatives]: Explanation,
  details: Readonly<Record<string, unknown>>,
  cause?: unknown,
): HandoffError {
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
  return storeError(name, ['unsupported_version', says, `Update this Baton: ${howToInstall}`, elsewhere], details);
}
