import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Side, sides } from './fidelity.ts';
import type { GroupFidelity } from './fidelity-report.ts';

const root = join(import.meta.dirname, '..');
const document = 'docs/fidelity.md';
const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];

/** The last run that was kept, and one of the rules before handoffs contained the state of the work. */
function readGroups(name: 'fidelity' | 'fidelity-before'): GroupFidelity[] {
  return JSON.parse(readFileSync(join(root, `docs/figures/${name}.json`), 'utf8')).groups;
}

/** The document on what arrives, and its plot, from the figures that were kept. Nothing is measured here. */
export function describeFidelity(): Record<string, string> {
  const [now, before] = [readGroups('fidelity'), readGroups('fidelity-before')];
  const tables = now.map((group) => {
    const former = before.find(({ name }) => name === group.name);
    return describeGroup(group, former);
  });
  const [head, rest = ''] = readFileSync(join(root, document), 'utf8').split(begin);
  const tail = rest.split(end)[1];
  if (tail === undefined) throw new Error(`${document} has no place for its figures.`);
  return {
    [document]: `${head}${begin}\n${tables.join('\n\n')}\n${end}${tail}`,
    'docs/images/fidelity.svg': drawPlot(now, before),
  };
}

function describeGroup(
  { name, sessions, budgets, precision }: GroupFidelity,
  former: GroupFidelity | undefined,
): string {
  const row = (title: string, of: (budget: GroupFidelity['budgets'][number]) => string) =>
    `| ${title} | ${budgets.map(of).join(' | ')} |`;
  const formerly = (budget: number) => former?.budgets.find((each) => each.budget === budget)?.sides.baton;
  return [
    `**${name}** (${sessions.length} sessions)`,
    '',
    row('share of the facts, at tokens', ({ budget }) => budget.toLocaleString('en')),
    `|---|${budgets.map(() => '---').join('|')}|`,
    row('**the handoff**', (each) => `**${shown(each.sides.baton.recall)}**`),
    ...(former === undefined ? [] : [row('the handoff before', ({ budget }) => shown(formerly(budget)?.recall))]),
    ...sides.slice(1).map((side) => row(titles[side], (each) => shown(each.sides[side].recall))),
    row('the handoff above the best of these', ({ over_best }) => signed(over_best.value)),
    row('its interval, 95 %', ({ over_best: { low, high } }) => `${signed(low)} to ${signed(high)}`),
    ...(['baton', 'head+tail'] as const).map((side) =>
      row(`what no longer holds: ${titles[side]}`, (each) => each.sides[side].stale.join(' of ')),
    ),
    ...describePrecision(precision),
  ].join('\n');
}

const titles: Record<Side, string> = {
  baton: 'the handoff',
  tail: 'tail of the conversation',
  'head+tail': 'head and tail',
  'words+end': "the person's messages and the last answer's end",
};

function describePrecision(precision: GroupFidelity['precision']): string[] {
  const told = Object.entries(precision).filter(([, [, of]]) => of > 0);
  if (told.length === 0) return [];
  const shares = told.map(([kind, [labelled, of]]) => `${kind} ${shown(labelled / of)} (${labelled} of ${of})`);
  return ['', `Items that are labelled facts: ${shares.join(', ').replaceAll('_', ' ')}.`];
}

function shown(share: number | undefined): string {
  return share === undefined ? '' : share.toFixed(2).replace(/^0/, '');
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${shown(Math.abs(value))}`;
}

const panel = { width: 300, height: 220, left: 40, top: 34, gap: 60 };

interface Line {
  title: string;
  colour: string;
  dashes: string;
  shares: number[];
}

/** A panel for the developed sessions and one for the sealed ones. */
function drawPlot(now: readonly GroupFidelity[], before: readonly GroupFidelity[]): string {
  const groups = now.filter(({ name }) => name === 'developed' || name === 'sealed');
  const width = panel.left + groups.length * (panel.width + panel.gap);
  const height = panel.top + panel.height + 110;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>Share of the facts that arrive, by budget</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...groups.map((group, index) => {
      const former = before.find(({ name }) => name === group.name);
      const left = panel.left + index * (panel.width + panel.gap);
      return `<g transform="translate(${left} ${panel.top})">${drawPanel(group, former)}</g>`;
    }),
    drawLegend(linesOf(now[0], before[0]), panel.top + panel.height + 50),
    '</svg>',
    '',
  ].join('\n');
}

function linesOf(group: GroupFidelity | undefined, former: GroupFidelity | undefined): Line[] {
  const shares = (of: GroupFidelity | undefined, side: Side) =>
    of?.budgets.map((each) => each.sides[side].recall) ?? [];
  return [
    { title: titles.baton, colour: '#0b62d6', dashes: '', shares: shares(group, 'baton') },
    { title: 'the handoff before', colour: '#0b62d6', dashes: '2 4', shares: shares(former, 'baton') },
    { title: titles.tail, colour: '#8a5a00', dashes: '6 3', shares: shares(group, 'tail') },
    { title: titles['head+tail'], colour: '#a3331f', dashes: '', shares: shares(group, 'head+tail') },
    { title: titles['words+end'], colour: '#4d6b2f', dashes: '8 3 2 3', shares: shares(group, 'words+end') },
  ];
}

function drawPanel(group: GroupFidelity, former: GroupFidelity | undefined): string {
  const { width, height } = panel;
  const x = (index: number) => Math.round((index / Math.max(1, group.budgets.length - 1)) * width);
  const y = (share: number) => Math.round(height * (1 - share));
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<path d="M0 ${y(share)}H${width}" stroke="#d0d7de"/><text x="-6" y="${y(share) + 4}" text-anchor="end">${share}</text>`,
  );
  const budgets = group.budgets.map(
    ({ budget }, index) => `<text x="${x(index)}" y="${height + 16}" text-anchor="middle">${budget}</text>`,
  );
  const lines = linesOf(group, former).map(({ colour, dashes, shares }) => {
    const points = shares.map((share, index) => `${x(index)},${y(share)}`).join(' ');
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes}"/>`;
  });
  const title = `<text x="0" y="-14" font-weight="700">${group.name}: ${group.sessions.length} sessions</text>`;
  return [title, ...grid, ...budgets, ...lines].join('\n');
}

function drawLegend(lines: readonly Line[], top: number): string {
  return lines
    .map(({ title, colour, dashes }, index) => {
      const [left, line] = [panel.left + (index % 2) * 360, top + Math.floor(index / 2) * 18];
      const stroke = `stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes}"`;
      return `<path d="M${left} ${line - 4}h28" ${stroke}/><text x="${left + 36}" y="${line}">${title}</text>`;
    })
    .join('\n');
}
