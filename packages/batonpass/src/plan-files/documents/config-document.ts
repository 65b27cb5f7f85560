import { HandoffError } from '../../core/errors.ts';
import { editLines, firstPlace, type LineEdit, readLines } from './document-lines.ts';
import { cellValue, inlineValue } from './inline-value.ts';
import { readHeading, readLabel, readListItem, replaceValue, unwrapValue } from './markdown-line.ts';
import { phaseSets } from './plan-content.ts';
import { error, type Finding, warning } from './plan-findings.ts';
import { isDelimiterRow, readRow, replaceCells } from './table-row.ts';

/** The choices of each setting that has some. */
export const configChoices = {
  plan_type: Object.keys(phaseSets) as [keyof typeof phaseSets, ...(keyof typeof phaseSets)[]],
  technology: ['java', 'javascript', 'mixed', 'none'],
  build_system: ['maven', 'gradle', 'npm', 'npx', 'none'],
  compatibility: ['breaking', 'deprecations'],
  commit_strategy: ['fine-granular', 'phase-specific', 'complete'],
  finalizing: ['commit-only', 'pr-workflow'],
} as const;

type Chosen = { [Name in keyof typeof configChoices]: (typeof configChoices)[Name][number] };

/** The eight settings of a plan. */
export interface PlanConfiguration extends Chosen {
  branch: string;
  /** A reference in words, as `#123 - Add tokens`, a link in Markdown, or `none`. */
  issue: string;
}

type Setting = keyof PlanConfiguration;

/** The defaults of the settings. */
export const configDefaults = {
  technology: 'none',
  build_system: 'none',
  compatibility: 'deprecations',
  commit_strategy: 'fine-granular',
  finalizing: 'pr-workflow',
  issue: 'none',
} as const satisfies Partial<PlanConfiguration>;

/** How each setting is called in the document, in the order of it. */
const names = {
  plan_type: 'Plan Type',
  technology: 'Technology',
  build_system: 'Build System',
  compatibility: 'Compatibility',
  commit_strategy: 'Commit Strategy',
  finalizing: 'Finalizing',
  branch: 'Branch',
  issue: 'Issue',
} as const satisfies Record<Setting, string>;

const settings = Object.keys(names) as Setting[];

/** The sections of the form. */
const sectionTitles = ['Build Configuration', 'Workflow Configuration', 'Context'] as const;

/** A setting in a document. */
interface WrittenSetting {
  value: string;
  /** The same line with another value. */
  write: (value: string) => LineEdit;
}

/**
 * Reads a `config.md`; settings that it does not contain have their defaults.
 *
 * @throws HandoffError `parse_error` for a value that is none of a setting's choices, `invalid_structure` without plan
 * type or branch.
 */
export function readConfig(text: string): PlanConfiguration {
  const { said, wrong } = readSettings(text);
  if (wrong !== undefined) throw parseFailure(`Invalid value for ${wrong} field`);
  const missing = (['plan_type', 'branch'] as const).filter((setting) => !said[setting]);
  if (missing.length > 0) throw incomplete(missing.map((setting) => names[setting]));
  return { ...configDefaults, ...said } as PlanConfiguration;
}

/** The settings of a `config.md`, and the first of them whose value is none of the choices. */
export function readSettings(text: string): { said: Partial<PlanConfiguration>; wrong: Setting | undefined } {
  const written = [...findSettings(text)].filter(([, { value }]) => value !== '');
  const wrong = written.filter(([setting, { value }]) => !isChoice(setting, value)).map(([setting]) => setting);
  const sound = written.filter(([setting]) => !wrong.includes(setting));
  const said = Object.fromEntries(sound.map(([setting, { value }]) => [setting, normalize(setting, value)]));
  return { said, wrong: settings.find((setting) => wrong.includes(setting)) };
}

/** What is wrong with a configuration; a sound one has no findings. */
export function findConfigFaults(text: string): Finding[] {
  const written = findSettings(text);
  const value = (setting: Setting) => written.get(setting)?.value ?? '';
  const type = value('plan_type');
  const wrong = settings.filter(
    (setting) => setting !== 'plan_type' && value(setting) && !isChoice(setting, value(setting)),
  );
  const faults: Finding[] = [
    ...(type === '' ? [error('MISSING_PLAN_TYPE', 'Plan Type not found')] : []),
    ...(type !== '' && !isChoice('plan_type', type) ? [error('INVALID_PLAN_TYPE', `Plan Type is "${type}"`)] : []),
    ...(value('branch') === '' ? [error('MISSING_BRANCH', 'Branch not found')] : []),
    ...(value('technology') === '' ? [warning('MISSING_TECHNOLOGY', 'Technology not found')] : []),
    ...wrong.map((setting) => error('INVALID_VALUE', `Invalid value for ${setting} field`)),
  ];
  if (faults.some(({ severity }) => severity === 'error')) return faults;
  const broken = brokenRule(readConfig(text));
  return broken === undefined ? faults : [...faults, error('INVALID_COMBINATION', broken.details)];
}

/** A new `config.md`. */
export function renderConfig(config: PlanConfiguration): string {
  const [build, workflow, context] = sectionTitles;
  const row = (setting: Setting) => `| ${names[setting]} | ${cellValue(config[setting])} |`;
  const table = (title: string, rows: readonly Setting[]) => [
    `## ${title}`,
    '',
    '| Property | Value |',
    '|----------|-------|',
    ...rows.map(row),
    '',
  ];
  return [
    '# Configuration',
    '',
    `**Plan Type**: ${config.plan_type}`,
    '',
    ...table(build, ['technology', 'build_system']),
    ...table(workflow, ['compatibility', 'commit_strategy', 'finalizing']),
    ...table(context, ['branch', 'issue']),
    '---',
    '',
    '**Generated by**: plan-init skill',
    '',
  ].join('\n');
}

/** A `config.md` with other settings: only their lines change, and those that it does not have are added. */
export function changeConfig(text: string, changes: Partial<PlanConfiguration>): string {
  const lines = readLines(text);
  const written = findSettings(text);
  const edits: LineEdit[] = [];
  const missing: string[] = [];
  for (const setting of settings) {
    const value = changes[setting];
    const present = written.get(setting);
    if (value === undefined) continue;
    if (present === undefined) missing.push(`**${names[setting]}**: ${inlineValue(value)}`);
    else if (normalize(setting, present.value) !== inlineValue(value)) edits.push(present.write(value));
  }
  const title = lines.findIndex(({ text: line, is_structure }) => is_structure && readHeading(line)?.level === 1);
  if (missing.length > 0)
    edits.push({ at: title === -1 ? firstPlace(lines) : title + 1, remove: 0, insert: ['', ...missing] });
  return editLines(lines, edits);
}

/** The rule that settings break together, in the words of the field; undefined where they fit. */
export function brokenRule(config: PlanConfiguration): { details: string; alternatives: string[] } | undefined {
  const { plan_type, finalizing, branch } = config;
  if (!['main', 'master'].includes(branch)) return undefined;
  if (finalizing === 'pr-workflow') {
    const details = 'Cannot use pr-workflow finalizing without a feature branch';
    return { details, alternatives: ['Change finalizing to commit-only', 'Switch to a feature branch'] };
  }
  if (plan_type !== 'implementation') return undefined;
  const details = `An implementation plan cannot be on the branch ${branch}`;
  return { details, alternatives: ['Switch to a feature branch', 'Use the plan type simple'] };
}

/**
 * The settings of a document: in a table, after a label, or in a list. The first place of each counts, and the form's own
 * sections come before those of the person, where the same word can mean something else.
 */
function findSettings(text: string): Map<Setting, WrittenSetting> {
  const own = new Map<Setting, WrittenSetting>();
  const others = new Map<Setting, WrittenSetting>();
  const lines = readLines(text);
  let found = own;
  for (const [at, { text: line, is_structure }] of lines.entries()) {
    if (!is_structure) continue;
    const heading = readHeading(line);
    if (heading !== null && heading.level <= 2)
      found = heading.level === 1 || isOwnSection(heading.text) ? own : others;
    const row = isTableHead(lines[at + 1]?.text) ? null : readTableSetting(at, line);
    const pair = row ?? readLabelledSetting(at, line);
    const setting = settings.find((each) => names[each].toLowerCase() === pair?.name.toLowerCase());
    if (pair !== null && setting !== undefined && !found.has(setting)) found.set(setting, pair);
  }
  return new Map([...others, ...own]);
}

function isOwnSection(title: string): boolean {
  return sectionTitles.some((each) => each.toLowerCase() === title.toLowerCase());
}

/** Whether a line has the row of dashes below it, by what is below it. */
function isTableHead(below = ''): boolean {
  return isDelimiterRow(readRow(below) ?? []);
}

function readTableSetting(at: number, line: string): (WrittenSetting & { name: string }) | null {
  const [name, cell] = readRow(line) ?? [];
  if (name === undefined || cell === undefined) return null;
  const write = (text: string) => ({ at, remove: 1, insert: [replaceCells(line, [{ cell, text }])] });
  return { name: unwrapValue(name.text.replace(/^\*\*|\*\*$/g, '')), value: unwrapValue(cell.text), write };
}

function readLabelledSetting(at: number, line: string): (WrittenSetting & { name: string }) | null {
  const start = readListItem(line)?.start ?? 0;
  const label = readLabel(line.slice(start));
  if (label === null) return null;
  const place = { start: label.start + start, stop: label.stop + start };
  const write = (value: string) => ({ at, remove: 1, insert: [replaceValue(line, place, inlineValue(value))] });
  return { name: label.name, value: unwrapValue(label.value), write };
}

function isChoice(setting: Setting, value: string): boolean {
  if (!Object.hasOwn(configChoices, setting) || value === '') return true;
  const choices: readonly string[] = configChoices[setting as keyof Chosen];
  return choices.includes(value.toLowerCase());
}

/** A setting as answers show it: choices in lower case, an empty one by its default. */
function normalize(setting: Setting, value = ''): string {
  if (value === '') return setting in configDefaults ? configDefaults[setting as keyof typeof configDefaults] : '';
  return Object.hasOwn(configChoices, setting) ? value.toLowerCase() : value;
}

function parseFailure(details: string): HandoffError {
  return new HandoffError('parse_error', 'Failed to parse config.md', {
    details: { details },
    alternatives: ['Fix config.md manually', 'Regenerate config via plan-init'],
  });
}

function incomplete(missing: readonly string[]): HandoffError {
  return new HandoffError('invalid_structure', 'Config file has invalid structure', {
    details: {
      details: `Missing ${missing.join(' and ')} in config.md`,
      validation_errors: missing.map((name) => `${name} not found`),
    },
    alternatives: ['Fix config.md manually', 'Regenerate config via plan-init'],
  });
}
