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
  const proposal = joinWords(name);
  throw new HandoffError('validation_failed', 'Task name is not valid', {
    details: {
      details: `${JSON.stringify(name.slice(0, 80))} is not kebab-case of at most ${limits.task_name_characters_max} characters`,
    },
    alternatives: [...(proposal === '' ? [] : [`Use ${proposal}`]), 'Use lower-case letters, digits and hyphens'],
  });
}

/** The name with a number after it, cut where it would be too long. */
export function numberTaskName(name: string, number: number): string {
  const suffix = `-${number}`;
  return name.slice(0, limits.task_name_characters_max - suffix.length).replace(/-$/, '') + suffix;
}

/**
 * The name of a plan from its title: its words in plain letters, cut where a word ends.
 *
 * @param fallback - the name where the title has no such letter; must be one.
 */
export function nameFromTitle(title: string, fallback: string): string {
  // Two more letters show whether the last word is whole.
  const name = joinWords(title, limits.task_name_characters_max + 2);
  const { task_name_characters_max } = limits;
  const cut = name.length <= task_name_characters_max ? name : cutAtWord(name, task_name_characters_max);
  return cut === '' || faultOfName(cut) !== null ? fallback : cut;
}

/** A first word that is too long alone is cut itself. */
function cutAtWord(name: string, characters_max: number): string {
  const end = name.slice(0, characters_max + 1).lastIndexOf('-');
  return name.slice(0, end > 0 ? end : characters_max);
}

function joinWords(text: string, characters_max: number = limits.task_name_characters_max): string {
  return text
    .slice(0, 200)
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, characters_max)
    .replace(/-$/, '');
}
