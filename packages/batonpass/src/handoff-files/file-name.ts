import { HandoffError } from '../core/errors.ts';
import { isVersionNumber } from '../core/version-number.ts';
import { assertSafeName } from '../disk/safe-name.ts';
import { type HandoffType, handoffTypes, isHandoffType } from './frontmatter.ts';

const form = /^(findings|plan|problem)-([\d.]+)\.md$/;

/** The kind and version in a file's name; null for the name of any other file. */
export function parseFileName(name: string): { type: HandoffType; version: string } | null {
  const [, type, version = ''] = form.exec(name) ?? [];
  return isHandoffType(type) && isVersionNumber(version) ? { type, version } : null;
}

/** The name of a handoff file: `findings-001.md`. @throws HandoffError `invalid_input` for what is no safe name. */
export function formatFileName(type: HandoffType, version: string): string {
  return assertSafeName(`${type}-${version}.md`, 'file name');
}

/** The kind itself. @throws HandoffError `invalid_input` for any other value, a path among them. */
export function assertHandoffType(type: unknown): HandoffType {
  if (isHandoffType(type)) return type;
  const reason = `must be one of: ${handoffTypes.join(', ')}`;
  throw new HandoffError('invalid_input', `The type ${JSON.stringify(String(type).slice(0, 80))} ${reason}.`, {
    details: { field: 'type', reason },
    alternatives: handoffTypes.map((known) => `Use ${known}.`),
  });
}
