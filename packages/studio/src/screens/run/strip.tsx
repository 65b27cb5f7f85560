import { hasFailed, type Step } from './step-words.ts';

/** Bars of the strip; of more steps several share one. */
const BARS_MAX = 300;

const HEIGHT = 28;

/** All steps at one look, the longest the tallest: where time went, and where something failed. */
export function Strip({ steps, chosen }: { steps: readonly Step[]; chosen: number | undefined }) {
  const size = Math.ceil(steps.length / BARS_MAX);
  const count = Math.ceil(steps.length / size);
  const bars = Array.from({ length: count }, (_, index) => toBar(steps.slice(index * size, (index + 1) * size)));
  const most_ms = Math.max(1, ...bars.map(({ duration_ms }) => duration_ms));
  return (
    <svg
      className="run-strip"
      viewBox={`0 0 ${count * 3} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`How long each of ${steps.length} steps took`}
    >
      {bars.map(({ first, last, duration_ms, isFailed }, index) => {
        const height = Math.max(2, (duration_ms / most_ms) * HEIGHT);
        const isChosen = chosen !== undefined && chosen >= first && chosen <= last;
        const kind = isChosen ? 'chosen' : isFailed ? 'failed' : 'done';
        return <rect key={first} x={index * 3} y={HEIGHT - height} width="2" height={height} data-kind={kind} />;
      })}
    </svg>
  );
}

function toBar(steps: readonly Step[]) {
  return {
    first: steps[0]?.number ?? 0,
    last: steps.at(-1)?.number ?? 0,
    duration_ms: Math.max(0, ...steps.map(({ duration_ms }) => duration_ms)),
    isFailed: steps.some(hasFailed),
  };
}
