/** A number from 0 to below the bound. */
export type Chance = (below: number) => number;

/** What a line of a made document is, by construction; a line without a role is the person's own. */
export type Role =
  | 'title'
  | 'current'
  | 'row'
  | 'phase'
  | 'name'
  | 'goal'
  | 'criterion'
  | 'item'
  | 'status'
  | 'nested'
  | 'named';

export interface MadeLine {
  text: string;
  role?: Role;
  /** The task that it is of. */
  task?: number;
  /** What an entry says, without bullet and box. */
  says?: string;
}

export interface MadeTask {
  number: number;
  name: string;
  phase: string;
  criteria: string[];
  items: string[];
}

export interface MadePlan {
  lines: MadeLine[];
  tasks: MadeTask[];
  phases: string[];
  current: string;
  text: string;
}

export const pick = <Value>(chance: Chance, values: readonly Value[]): Value => values[chance(values.length)] as Value;

const words = [
  'Token',
  'größer',
  '签名',
  'a, b (c)',
  'x | y',
  '`code`',
  '\\d',
  'Éa',
  'done?',
  '#12',
  'ключ',
  '[x] or [ ]',
  '🚀',
  '**bold**',
];

/** Texts that no other line has, so that a line can be followed through every change. */
export function createWords(chance: Chance) {
  let count = 0;
  return () => {
    count += 1;
    return `${pick(chance, words)} ${count} ${pick(chance, words)}`.replace(/^(?=#|\[|\*)/, 'w ');
  };
}

export type Words = ReturnType<typeof createWords>;

export const own = (...texts: string[]): MadeLine[] => texts.map((text) => ({ text }));

/** What people put anywhere: none of it is the plan's. It ends with a blank line, so that what follows starts a new block. */
export function note(chance: Chance, say: Words): MadeLine[] {
  const forms: (() => string[])[] = [
    () => [`A paragraph ${say()}`, `that goes on ${say()}  `],
    () => [`> quoted ${say()}`, '> - [ ] a quoted box', `> ${say()}`],
    () => ['| Option | Status |', '|:--|--:|', `| ${say().replaceAll('|', '/')} | - [ ] x |`],
    () => ['```markdown', '### Task 1: a look-alike', '- [ ] no item', `**Goal**: ${say()}`, '```'],
    () => ['~~~~', '**Checklist**:', '- [ ] no item', '~~~', say(), '~~~~'],
    () => [`<!-- ${say()} -->`],
    () => ['<!--', '- [ ] hidden', '## Phase: init (completed)', say(), '-->'],
    () => [`<details><summary>${say()}</summary>`, '', 'inside', '', '</details>'],
    () => [`**Important** ${say()}`],
    () => [`Term: ${say()}`, '\\- [ ] escaped', `#${say().replaceAll(' ', '')}`],
    () => ['***', `    indented code ${say()}`],
    () => [`   three columns in ${say()}\t`, '   '],
    () => ['#hashtag', `####### seven ${say()}`, `###Task 7: no space ${say()}`],
    () => [`[link ${say()}]: https://example.com/a_(b)`],
  ];
  return [...own(...pick(chance, forms)()), ...own('')];
}

/** Boxes of the person's own, below a heading or a section of the person's own. */
function ownSection(chance: Chance, say: Words, level: 'inside' | 'outside'): MadeLine[] {
  const heading = say();
  const inside = [[`#### ${heading}`], [`##### ${heading} ##`], [` #### ${heading}`]];
  const outside = [
    [`### ${heading}`],
    [`  ### ${heading}`],
    [heading.replace(/^/, 'S '), '----'],
    [heading.replace(/^/, 'S '), '==='],
  ];
  const head = pick(chance, level === 'inside' ? inside : outside);
  const boxes = [`- [ ] mine ${say()}`, `* [x] mine ${say()}`, `1. [ ] mine ${say()}`, `  - [ ] mine ${say()}`];
  const more = chance(2) === 0 ? ['', `**Checklist**: ${say()}`, `- [ ] mine below ${say()}`] : [];
  return own(
    '',
    ...head,
    ...(chance(2) === 0 ? [''] : []),
    pick(chance, boxes),
    ...(level === 'inside' ? more : []),
    '',
  );
}

/** What belongs to the entry above it. */
export function nested(chance: Chance, say: Words, bullet: string): MadeLine[] {
  const pad = ' '.repeat(bullet === '-\t' ? 4 : bullet.length);
  const forms = [
    [`${pad}- detail ${say()}`],
    [`${pad}continued ${say()}`, `${pad}  - deep ${say()}`],
    [`\t- tabbed ${say()}`],
    ['', `${pad}a paragraph of it ${say()}`],
    [`${pad}\`\`\``, `${pad}- [ ] no item ${say()}`, `${pad}\`\`\``],
    [`lazily continued ${say()}`],
    [`${pad} 1. numbered ${say()}`],
  ];
  return pick(chance, forms).map((text) => ({ text, role: 'nested' }) as const);
}

const bullets = ['- ', '* ', '+ ', '-   ', '-\t'];

function entries(chance: Chance, say: Words, { task, role }: { task: number; role: 'criterion' | 'item' }) {
  const bullet = pick(chance, bullets);
  const lines: MadeLine[] = [];
  const said: string[] = [];
  for (let count = chance(6); count > 0; count -= 1) {
    const says = said.length > 0 && chance(12) === 0 ? pick(chance, said) : say();
    const box = role === 'item' || chance(4) === 0 ? `[${pick(chance, [' ', ' ', 'x', 'X'])}] ` : '';
    lines.push({ text: `${bullet}${box}${says}${pick(chance, ['', '', '', '  ', '\t'])}`, role, task, says });
    said.push(says);
    if (chance(4) === 0) lines.push(...nested(chance, say, bullet));
    if (chance(6) === 0) lines.push(...own(''), ...note(chance, say));
  }
  return { lines, said };
}

const forms = (name: string) => [
  `**${name}**:`,
  `**${name}**:`,
  `**${name}:**`,
  `__${name}__:`,
  `**${name.toLowerCase()}** :`,
  `**${name}**`,
  `#### ${name}`,
];

function makeTask(chance: Chance, say: Words, { number, phase }: { number: number; phase: string }) {
  const name = say();
  const task: MadeTask = { number, name, phase, criteria: [], items: [] };
  const lines: MadeLine[] = [
    { text: `### Task ${number}${pick(chance, [':', ':', '.', ' -'])} ${name}`, role: 'name', task: number },
  ];
  if (chance(3) > 0) lines.push(...own(''));
  lines.push(...own(`**Phase**: ${phase}`));
  if (chance(5) > 0) lines.push({ text: `**Goal**: ${say()}`, role: 'goal', task: number });
  if (chance(6) === 0)
    lines.push({ text: `**Status**: ${pick(chance, ['blocked', 'pending', 'wartet'])}`, role: 'status', task: number });
  if (chance(3) === 0) lines.push(...own(''), ...note(chance, say));
  if (chance(3) > 0) {
    const { lines: list, said } = entries(chance, say, { task: number, role: 'criterion' });
    const gap = chance(4) === 0 ? [''] : [];
    lines.push(...own('', pick(chance, forms('Acceptance Criteria')), ...gap), ...list);
    if (chance(3) === 0) lines.push(...own(''), ...note(chance, say));
    task.criteria = said;
  }
  if (chance(6) > 0) {
    const { lines: list, said } = entries(chance, say, { task: number, role: 'item' });
    // Without a label the boxes are the checklist where no list of criteria is above them.
    const isBare = task.criteria.length === 0 && !lines.some(({ text }) => /criteria/i.test(text)) && chance(4) === 0;
    lines.push(...own('', ...(isBare ? [] : [pick(chance, forms('Checklist'))])), ...list);
    task.items = said;
    if (!isBare && chance(3) === 0)
      lines.push(...own('', `**Follow-ups ${number}**:`, `- [ ] mine ${say()}`, `- ${say()}`));
  }
  if (chance(3) === 0) lines.push(...own(''), ...note(chance, say));
  if (chance(4) === 0) lines.push(...ownSection(chance, say, 'inside'));
  if (chance(2) === 0) lines.push(...own(''));
  return { task, lines };
}

/** A plan as people leave it after weeks of editing by hand. */
export function makePlan(chance: Chance): MadePlan {
  const say = createWords(chance);
  const phases = ['init', 'execute', 'finalize'];
  const current = pick(chance, phases);
  const lines: MadeLine[] = [{ text: `# ${say()}`, role: 'title' }, ...own('')];
  lines.push({ text: `**Current Phase**: ${current}`, role: 'current' });
  lines.push({ text: `**Current Task**: ${pick(chance, ['none', 'task-2', '`task-3`', '?'])}`, role: 'current' });
  if (chance(3) === 0) lines.push(...own(''), ...note(chance, say));
  lines.push(...own('', '---', '', '## Phase Progress', ''));
  lines.push(...own('| Phase | Owner | Status | Tasks | Completed |', '|---|---|---|---|---|'));
  for (const phase of phases)
    lines.push({ text: `| ${phase} | ${say().replaceAll('|', '/')} | pending | 7 | ${chance(9)}/7 |`, role: 'row' });
  lines.push(...own(''));
  const tasks: MadeTask[] = [];
  for (const phase of phases) {
    if (chance(3) === 0) lines.push(...own('---', '', `## ${say()}`, '', `- [ ] mine ${say()}`, ''));
    lines.push(
      ...own('---', ''),
      { text: `## Phase: ${phase}${pick(chance, ['', ' (pending)', ' (in progress)'])}`, role: 'phase' },
      ...own(''),
    );
    if (chance(3) === 0) lines.push(...note(chance, say));
    for (let count = 1 + chance(3); count > 0; count -= 1) {
      const made = makeTask(chance, say, { number: tasks.length + 1, phase });
      tasks.push(made.task);
      lines.push(...made.lines);
    }
    if (chance(3) === 0) lines.push(...ownSection(chance, say, 'outside'));
  }
  if (chance(2) === 0) lines.push(...own('', '---', '', '## Completion Criteria', '', `- [ ] ${say()}`));
  duplicateName(chance, lines, tasks);
  return { lines, tasks, phases, current, text: joinMade(chance, lines) };
}

/** Two tasks of one name, now and then. */
function duplicateName(chance: Chance, lines: readonly MadeLine[], tasks: MadeTask[]): void {
  const [first, second] = [tasks[0], tasks.at(-1)];
  const line = lines.find(({ role, task }) => role === 'name' && task === second?.number);
  if (chance(8) > 0 || first === undefined || second === undefined || line === undefined) return;
  line.text = line.text.replace(second.name, () => first.name);
  second.name = first.name;
}

export function joinMade(chance: Chance, lines: MadeLine[]): string {
  const end = pick(chance, ['\n', '\n', '\r\n']);
  const last = chance(4) === 0 ? '' : end;
  while (last === '' && lines.at(-1)?.text === '') lines.pop();
  return pick(chance, ['', '', '', '\uFEFF']) + lines.map(({ text }) => text).join(end) + last;
}
