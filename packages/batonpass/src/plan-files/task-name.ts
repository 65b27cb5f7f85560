import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { faultOfName } from '../disk/safe-name.ts';

/**
 * The name of a plan, where it is one: lower-case words of letters and digits, joined by hyphens.
 *
 * @throws HandoffError `validation_failed` that proposes a name.
 */
export function assertTaskName(name: string): string {
  const isLong = name.length > limits.task_name_characters_max;
  if (!isLong && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && faultOfName(name) === null) return name;
  const proposal = propose(name);
  throw new HandoffError('validation_failed', 'Task name is not valid', {
    details: {
      details: `${JSON.stringify(name.slice(0, 80))} is not kebab-case of at most ${limits.task_name_characters_max} characters`,
    },
    alternatives: [...(proposal === '' ? [] : [`Use ${proposal}`]), 'Use lower-case letters, digits and hyphens'],
  });
}

/** The name with a number behind it, cut where it would be too long. */
export function numberTaskName(name: string, number: number): string {
  const suffix = `-${number}`;
  return name.slice(0, limits.task_name_characters_max - suffix.length).replace(/-$/, '') + suffix;
}

function propose(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, limits.task_name_characters_max)
    .replace(/-$/, '');
}
