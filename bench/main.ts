import { benchmarks } from './benchmarks.ts';
import { describeMachine, judge, type Metric } from './frame.ts';

/** `npm run bench -- NAME [--json]`: a table, or one JSON object with the metrics and the machine. */
async function main(words: readonly string[]): Promise<void> {
  const name = words.find((word) => !word.startsWith('--'));
  const benchmark = benchmarks.find((candidate) => candidate.name === name);
  if (benchmark === undefined) {
    const known = benchmarks.map(({ name: known, what }) => `  npm run bench -- ${known}   ${what}`);
    process.stderr.write(`Name a benchmark:\n${known.join('\n')}\n`);
    process.exitCode = 2;
    return;
  }
  const metrics = await benchmark.run();
  const machine = describeMachine();
  if (words.includes('--json')) {
    const plain = metrics.map(({ note: _note, ...metric }) => metric);
    process.stdout.write(`${JSON.stringify({ metrics: plain, machine })}\n`);
  } else {
    const { cpu, cores, node, platform } = machine;
    process.stdout.write(`${metrics.map(formatRow).join('\n')}\n${cores} × ${cpu}, ${platform}, Node ${node}\n`);
  }
}

function formatRow(metric: Metric): string {
  const sign = metric.better === 'higher' ? '>=' : '<=';
  const bounds = `floor ${sign} ${metric.floor}, aim ${sign} ${metric.aim}`;
  return `${metric.name}: ${metric.value.toFixed(metric.value < 10 ? 2 : 1)} ${metric.unit} (${judge(metric)}; ${bounds}; ${metric.note})`;
}

await main(process.argv.slice(2));
