import { Fragment } from 'react';
import type { Day } from './history.ts';

const HEIGHT = 64;
const DAY_WIDTH = 20;
const BAR_WIDTH = 7;

const nameOfDay = (ms: number) => new Date(ms).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });

/** What was written and finished on each of the last days, as bars; for readers who see none, as a table. */
export function TwoWeeks({ days, since }: { days: readonly Day[]; since: string | undefined }) {
  const most = Math.max(1, ...days.flatMap(({ written, finished }) => [written, finished]));
  const sum = (kind: 'written' | 'finished') => days.reduce((total, day) => total + day[kind], 0).toLocaleString('en');
  return (
    <section className="home-part" aria-labelledby="weeks-title">
      <h2 id="weeks-title">Last two weeks</h2>
      <p className="home-legend">
        <span data-kind="written">{sum('written')} written</span>
        <span data-kind="finished">{sum('finished')} finished</span>
      </p>
      <svg className="home-plot" viewBox={`0 0 ${days.length * DAY_WIDTH} ${HEIGHT}`} aria-hidden="true">
        <line x1="0" x2={days.length * DAY_WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {days.map(({ start_ms, written, finished }, index) => (
          <Fragment key={start_ms}>
            <Bar kind="written" x={index * DAY_WIDTH + 2} share={written / most} />
            <Bar kind="finished" x={index * DAY_WIDTH + 3 + BAR_WIDTH} share={finished / most} />
          </Fragment>
        ))}
      </svg>
      <p className="home-axis baton-hint" aria-hidden="true">
        <span>{nameOfDay(days[0]?.start_ms ?? Date.now())}</span>
        <span>today</span>
      </p>
      {since === undefined ? null : (
        <p className="baton-hint">Counted from {nameOfDay(Date.parse(since))} on: more events are not read.</p>
      )}
      <table className="baton-unseen">
        <caption>Handoffs by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Written</th>
            <th scope="col">Finished</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ start_ms, written, finished }) => (
            <tr key={start_ms}>
              <th scope="row">{nameOfDay(start_ms)}</th>
              <td>{written}</td>
              <td>{finished}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Bar({ kind, x, share }: { kind: 'written' | 'finished'; x: number; share: number }) {
  if (share === 0) return null;
  const height = Math.max(2, share * (HEIGHT - 4));
  return <rect data-kind={kind} x={x} y={HEIGHT - height} width={BAR_WIDTH} height={height} rx="1" />;
}
