import { isVersionNumber } from '../core/version-number.ts';
import type { FrontMatter, FrontMatterValue } from '../formats/markdown/front-matter-value.ts';
import { parseFileName } from './file-name.ts';
import { confidences, handoffStatuses, handoffTypes, severities } from './frontmatter.ts';

/** Fields as they are understood, and the repairs that this needed. */
export interface Repaired {
  fields: FrontMatter;
  repairs: string[];
}

/** What people and agents write instead of a word of the protocol. */
const synonyms: Readonly<Record<string, string>> = { finding: 'findings', completed: 'complete', done: 'complete' };

/** Fields with a closed set of words. */
const words: Readonly<Record<string, readonly string[]>> = {
  type: handoffTypes,
  status: handoffStatuses,
  confidence: confidences,
  severity: severities,
};

const texts = ['version', 'created', 'phase', 'agent', 'related_task'];

/**
 * Understands front matter that an agent wrote by hand: it repairs what has one meaning only, reports that, and leaves
 * everything else to the validation.
 *
 * @param fileName - of `findings-001.md` kind and version are taken where the front matter lacks them.
 */
export function repairFields(given: FrontMatter, fileName: string): Repaired {
  const fields: FrontMatter = { ...given };
  const repairs: string[] = [];
  const mend = (field: string, value: FrontMatterValue, says: string) => {
    fields[field] = value;
    repairs.push(`${field}: ${says}`);
  };
  // An unquoted 2 is the text "2" here: its text is known exactly.
  for (const field of texts) fields[field] = textOf(fields[field]);
  takeFromName(fields, fileName, mend);
  for (const [field, known] of Object.entries(words)) mendWord(field, { value: fields[field], known, mend });
  mendVersion(fields.version, mend);
  if (fields.type === 'plan') mendPlan(fields, mend);
  for (const field of texts) if (fields[field] === null) delete fields[field];
  return { fields, repairs };
}

type Mend = (field: string, value: FrontMatterValue, says: string) => void;

function textOf(value: FrontMatterValue | undefined): FrontMatterValue {
  if (value === undefined) return null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function takeFromName(fields: FrontMatter, fileName: string, mend: Mend): void {
  const named = parseFileName(fileName);
  if (named === null) return;
  if (fields.type === undefined || fields.type === null)
    mend('type', named.type, `was missing; the file's name says ${named.type}`);
  if (fields.version === null) mend('version', named.version, `was missing; the file's name says ${named.version}`);
}

interface Word {
  value: FrontMatterValue | undefined;
  known: readonly string[];
  mend: Mend;
}

function mendWord(field: string, { value, known, mend }: Word): void {
  if (typeof value !== 'string' || known.includes(value)) return;
  const lower = value.trim().toLowerCase();
  const found = Object.hasOwn(synonyms, lower) ? synonyms[lower] : lower;
  if (found !== undefined && known.includes(found)) mend(field, found, `${quote(value)} was read as ${found}`);
}

function mendVersion(value: FrontMatterValue | undefined, mend: Mend): void {
  if (typeof value !== 'string' || isVersionNumber(value)) return;
  const [, major, rest = ''] = /^v?(\d{1,15})((?:\.[1-9]\d{0,14})*)$/i.exec(value.trim()) ?? [];
  if (major === undefined) return;
  const version = `${major.padStart(3, '0')}${rest}`;
  mend('version', version, `${quote(value)} was read as ${version}`);
}

function mendPlan({ task_ids, tasks_created }: FrontMatter, mend: Mend): void {
  const ids = listOf(task_ids);
  if (ids !== null && !Array.isArray(task_ids)) mend('task_ids', ids, `${quote(task_ids)} was read as a list`);
  else if (ids !== null && Array.isArray(task_ids)) task_ids.splice(0, task_ids.length, ...ids);
  if (typeof tasks_created === 'string' && /^\d{1,9}$/.test(tasks_created.trim()))
    mend('tasks_created', Number(tasks_created), `the text ${quote(tasks_created)} was read as a number`);
  if (tasks_created === undefined && ids !== null)
    mend('tasks_created', ids.length, `was missing; ${ids.length} task_ids were counted`);
}

/** A list of texts; null where the value is no such list. */
function listOf(value: FrontMatterValue | undefined): string[] | null {
  if (value === undefined) return null;
  if (value === null || value === '') return [];
  const entries = (Array.isArray(value) ? value : [value]).map(textOf);
  return entries.every((entry) => typeof entry === 'string') ? (entries as string[]) : null;
}

function quote(value: FrontMatterValue | undefined): string {
  return JSON.stringify(value)?.slice(0, 80) ?? 'nothing';
}
