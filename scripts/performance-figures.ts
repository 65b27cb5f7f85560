import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type describeMachine, judge, type Metric } from '../bench/frame.ts';

/** What one run of `npm run bench -- NAME --json` printed. */
export interface Figures {
  metrics: Omit<Metric, 'note'>[];
  machine: ReturnType<typeof describeMachine>;
}

const root = join(import.meta.dirname, '..');
const document = 'docs/performance.md';

/** Whose runs are kept in `docs/figures`, in the order of the document. */
const kept = ['queue', 'growth', 'wake', 'http', 'postgres'] as const;

/** The last run that was kept of a benchmark. */
export function readFigures(name: string): Figures {
  return JSON.parse(readFileSync(join(root, `docs/figures/${name}.jsonl`), 'utf8'));
}

/** The document on performance with the kept figures in its tables. Nothing is measured here. */
export function describePerformance(): string {
  return kept.reduce(
    (text, name) => {
      const [begin, end] = [`<!-- figures: ${name} -->`, `<!-- end of figures: ${name} -->`];
      const [before, rest] = text.split(begin);
      const [, after] = rest?.split(end) ?? [];
      if (after === undefined) throw new Error(`${document} has no place for the figures of ${name}.`);
      return `${before}${begin}\n${describeFigures(name)}\n${end}${after}`;
    },
    readFileSync(join(root, document), 'utf8'),
  );
}

function describeFigures(name: string): string {
  const { metrics, machine } = readFigures(name);
  const { cpu, cores, memory_gib, platform, node } = machine;
  return [
    `\`npm run bench -- ${name}\` on ${cores} × ${cpu}, ${memory_gib} GiB, ${platform}, Node ${node}:`,
    '',
    '| figure | measured | bound | aim | |',
    '|---|---|---|---|---|',
    ...metrics.map(describeRow),
  ].join('\n');
}

function describeRow(metric: Figures['metrics'][number]): string {
  const { name, value, unit, floor, aim, better } = metric;
  const sign = better === 'higher' ? '≥' : '≤';
  const measured = value.toFixed(value < 10 ? 2 : 0);
  // A limit is measured to be compared with, and bound by nothing.
  if (floor === 0) return `| ${name} | ${measured} ${unit} | | | |`;
  return `| ${name} | ${measured} ${unit} | ${sign} ${floor} | ${sign} ${aim} | ${judge({ ...metric, note: '' })} |`;
}
