import { expect } from 'vitest';
import {
  changeConfig,
  configChoices,
  findConfigFaults,
  type PlanConfiguration,
  readSettings,
} from '../../packages/batonpass/src/plan-files/documents/config-document.ts';
import { changeReferences } from '../../packages/batonpass/src/plan-files/documents/references-changes.ts';
import { readReferences } from '../../packages/batonpass/src/plan-files/documents/references-document.ts';
import { verifies } from '../verifies.ts';
import { attempt, findHarm } from './followed-lines.ts';
import { type Chance, createWords, joinMade, type MadeLine, nested, note, own, pick } from './hand-edited-plan.ts';
import { createChance } from './mutate.ts';

/** `npm run soak -- plan` sets more. */
const DOCUMENTS = Number(process.env.BATON_PLAN_DOCUMENTS ?? 300);
/** A run that failed is repeated by its seed. */
const SEED = Number(process.env.BATON_PLAN_SEED ?? 1);

const settingNames = {
  plan_type: 'Plan Type',
  technology: 'Technology',
  build_system: 'Build System',
  compatibility: 'Compatibility',
  commit_strategy: 'Commit Strategy',
  finalizing: 'Finalizing',
  branch: 'Branch',
  issue: 'Issue',
} as const;

type Setting = keyof typeof settingNames;

function someValue(chance: Chance, setting: Setting, say: () => string): string {
  if (setting === 'branch') return `feature/${chance(1_000)}`;
  if (setting === 'issue') return `#${chance(1_000)} ${say()}`;
  return pick(chance, configChoices[setting]);
}

interface WrittenSetting {
  setting: Setting;
  value: string;
  /** The line with another value, its spaces aside. */
  render: (value: string) => string;
}

/** A setting as people write it: in a row with a column of their own, behind a label, in a list. */
function writeSetting(chance: Chance, setting: Setting, say: () => string): WrittenSetting & MadeLine {
  const name = pick(chance, [settingNames[setting], settingNames[setting], settingNames[setting].toLowerCase()]);
  const owner = say().replaceAll('|', '/');
  const cell = (value: string) => value.replaceAll('|', '\\|');
  const render = pick(chance, [
    (value: string) => `| ${name} | ${cell(value)} |`,
    (value: string) => `| **${name}** | ${cell(value)} | ${owner} |`,
    (value: string) => `|${name}|   ${cell(value)}   |${owner}|`,
    (value: string) => `**${name}**: ${value}`,
    (value: string) => `- **${name}:** ${value}`,
    (value: string) => `__${name}__:  ${value}`,
  ]);
  // What is none of a setting's choices is a person's too.
  const isOdd = setting in configChoices && chance(12) === 0;
  const value = isOdd ? `kotlin ${say().replaceAll(/[|`]/g, '/')}` : someValue(chance, setting, say);
  const mark = value.includes('`') || value.includes('|') ? '' : pick(chance, ['', '', '`']);
  return { setting, value, render, text: render(`${mark}${value}${mark}`), role: 'named', says: setting };
}

function makeConfig(chance: Chance) {
  const say = createWords(chance);
  const written: WrittenSetting[] = [];
  const lines: MadeLine[] = [];
  lines.push(...own(pick(chance, ['# Configuration', 'Configuration of it']), ''));
  const names = Object.keys(settingNames) as Setting[];
  const order = chance(2) === 0 ? names : names.toReversed();
  // The same words in a section of the person's own, where the form's sections say them too.
  const own_section = [
    ...own('## Mine', '', '| Branch | Owner |', '|---|---|', `| x | ${say()} |`, ''),
    ...own(`- **Issue**: ${say()}`, ''),
  ];
  for (const [at, setting] of order.entries()) {
    if (at === 0 || chance(3) === 0) lines.push(...own(`## ${pick(chance, ['Build Configuration', 'context'])}`, ''));
    if (chance(4) === 0) lines.push(...note(chance, say));
    if (chance(8) === 0) continue;
    const line = writeSetting(chance, setting, say);
    written.push(line);
    lines.push(line);
    if (chance(4) === 0) lines.push(...own(''));
  }
  if (written.some(({ setting }) => setting === 'issue'))
    lines.splice(pick(chance, [2, lines.length]), 0, ...own_section);
  return { lines, written, text: joinMade(chance, lines) };
}

const squeezed = (line: string) => line.replaceAll(/[\s`]+/g, '');

function checkConfig(chance: Chance): string | undefined {
  const { lines, written, text } = makeConfig(chance);
  findConfigFaults(text);
  const say = createWords(chance);
  const changes: Partial<Record<Setting, string>> = {};
  for (const setting of Object.keys(settingNames) as Setting[])
    if (chance(3) === 0) changes[setting] = someValue(chance, setting, say);
  const after = changeConfig(text, changes as Partial<PlanConfiguration>);
  const missing = Object.keys(changes).filter((each) => !written.some(({ setting }) => setting === each)) as Setting[];
  const expected = [
    ...written.flatMap(({ setting, render }) => (changes[setting] === undefined ? [] : [render(changes[setting])])),
    ...missing.map((setting) => `**${settingNames[setting]}**: ${changes[setting]}`),
  ].map(squeezed);
  const harm = findHarm({ lines, text }, after, {
    mayGo: (line) => line.role === 'named' && changes[line.says as Setting] !== undefined,
    mayCome: (line) => line === '' || expected.includes(squeezed(line)),
  });
  const now = readSettings(after).said;
  const isRead = Object.entries(changes).every(([setting, value]) => now[setting as Setting] === value);
  if (harm !== undefined || !isRead) return harm ?? `not read again: ${JSON.stringify([changes, now])}`;
  return changeConfig(after, changes as Partial<PlanConfiguration>) === after
    ? undefined
    : 'the same changes something';
}

const forms = {
  file: (at: number, say: () => string) => [
    `\`src/a${at}.ts\` (${say()})`,
    `src/a${at}.ts`,
    `[here](src/a${at}.ts) ${say()}`,
  ],
  adr: (at: number, say: () => string) => [
    `[ADR-${at}: ${say().replaceAll(/[[\]]/g, '')}](doc/${at}.md) - ${say()}`,
    `ADR-${at}: ${say()}`,
  ],
  external: (at: number, say: () => string) => [`[RFC ${at}](https://example.com/${at}) - ${say()}`, `RFC ${at}`],
  dependency: (at: number, say: () => string) => [
    `\`g:a${at}:1.0\``,
    `\`g:a${at}:1.0\` (${say().replaceAll('`', '')})`,
  ],
} as const;

type Kind = keyof typeof forms;

const identifierOf = (kind: Kind, at: number) =>
  ({ file: `src/a${at}.ts`, adr: `ADR-${at}`, external: `RFC ${at}`, dependency: `g:a${at}:1.0` })[kind];

const headings = {
  file: ['## Related Files', ['**Implementation Files**:', '**Test Files**:', '### Configuration Files']],
  adr: [`## ADRs`, ['', '### Accepted']],
  external: ['## External Documentation', ['**Libraries and Tools**:', '']],
  dependency: ['## Dependencies', ['**Maven Dependencies**:']],
} as const;

interface MadeReference {
  kind: Kind;
  identifier: string;
}

function makeReferences(chance: Chance) {
  const say = createWords(chance);
  const lines: MadeLine[] = own('# References', '', '## Issue', '', `**Branch**: \`feature/x\``, `Noted ${say()}`, '');
  const made: MadeReference[] = [];
  for (const kind of Object.keys(forms) as Kind[]) {
    if (chance(6) === 0) continue;
    lines.push(...own(headings[kind][0], ''));
    for (const label of headings[kind][1]) {
      if (chance(4) === 0) continue;
      if (label !== '') lines.push(...own(label));
      const bullet = pick(chance, ['- ', '* ', '1. ', '-   ']);
      for (let count = chance(4); count > 0; count -= 1) {
        const identifier = identifierOf(kind, made.length);
        lines.push({ text: bullet + pick(chance, forms[kind](made.length, say)), role: 'named', says: identifier });
        made.push({ kind, identifier });
        if (chance(3) === 0) lines.push(...nested(chance, say, bullet));
        if (chance(5) === 0) lines.push(...own(''), ...note(chance, say));
      }
      lines.push(...own(''));
    }
    if (chance(4) === 0) lines.push(...own('## Mine', '', `- [ADR-900: ${say()}](x)`, ''));
  }
  return { lines, made, text: joinMade(chance, lines) };
}

function checkReferences(chance: Chance): string | undefined {
  const { lines, made, text } = makeReferences(chance);
  const read = readReferences(text).references.map(({ identifier }) => identifier);
  const wanted = made.map(({ identifier }) => identifier);
  if (read.join() !== wanted.join()) return `read: ${read.join()} instead of ${wanted.join()}`;
  const action = pick(chance, ['add', 'update', 'remove'] as const);
  const present = made.length > 0 ? pick(chance, made) : undefined;
  if (action !== 'add' && present === undefined) return undefined;
  const fresh = pick(chance, Object.keys(forms) as Kind[]);
  const { kind: type, identifier } =
    action === 'add' || present === undefined ? { kind: fresh, identifier: identifierOf(fresh, 700) } : present;
  const title = action === 'remove' || chance(4) === 0 ? undefined : `new ${chance(1_000)}`;
  const path = type === 'adr' && chance(2) === 0 ? `doc/new-${chance(1_000)}.md` : undefined;
  const change = { action, type, identifier, title, path };
  const changed = attempt(() => changeReferences(text, change));
  if (changed === undefined) return action === 'update' ? undefined : `refused: ${JSON.stringify(change)}`;
  const before = lines.find(({ says }) => says === identifier);
  const heads = ['', ...Object.values(headings).flatMap(([heading, labels]) => [heading, ...labels])];
  const more = [
    '## Architecture Decision Records (ADRs)',
    '**Standards and Specifications**:',
    '**Implementation Files**:',
  ];
  const harm = findHarm({ lines, text }, changed.text, {
    mayGo: (line) => action !== 'add' && line === before,
    mayCome: (line) => line.includes(identifier) || (action === 'add' && [...heads, ...more].includes(line)),
  });
  if (harm !== undefined) return `${harm} ${JSON.stringify(change)}`;
  // Of the line itself, what the change does not name is still there.
  const behind = /\]\([^)]*\) - (.*)$/.exec(before?.text ?? '')?.[1];
  const isKept = behind === undefined || changed.text.includes(behind) || (type === 'external' && title !== undefined);
  if (action === 'update' && !isKept) return `lost: ${behind}`;
  const now = readReferences(changed.text).references.map((each) => each.identifier);
  const expected = action === 'add' ? wanted.length + 1 : action === 'remove' ? wanted.length - 1 : wanted.length;
  if (now.length !== expected) return `references: ${now.join()}`;
  if (action === 'remove') return undefined;
  return changeReferences(changed.text, change).changes.length === 0 ? undefined : 'the same changes something';
}

verifies(
  ['PLAN.person', 'PF.config.form', 'PF.references.form'],
  'settings and references edited by hand keep every line that a request does not name',
  () => {
    const harms: string[] = [];
    for (let seed = SEED; seed < SEED + DOCUMENTS && harms.length < 5; seed += 1) {
      for (const check of [checkConfig, checkReferences]) {
        const harm = check(createChance(seed));
        if (harm !== undefined) harms.push(`${check.name} ${seed}: ${harm}`);
      }
    }
    expect(harms).toEqual([]);
  },
  7_200_000,
);
