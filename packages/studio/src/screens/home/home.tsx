import './home.css';
import { useMemo } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';
import { call, listHandoffs } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useLive } from '../../server/use-live.ts';
import { Absent } from '../../shown/absent.tsx';
import { useNow } from '../../shown/age.ts';
import { Begin } from './begin.tsx';
import { Finished } from './finished.tsx';
import { claimsOf, daysOf } from './history.ts';
import { InFlight } from './in-flight.tsx';
import { NeedsYou } from './needs-you.tsx';
import { TwoWeeks } from './two-weeks.tsx';
import { useHistory } from './use-history.ts';

/** Handoffs of each kind that are read; the inbox has them all. */
const LISTED_MAX = 50;

const DAYS = 14;

/** What needs the person, what agents work on, and what was finished: the first thing that is seen. */
export default function Home() {
  const { value, error, reload } = useLive(loadHome);
  const history = useHistory();
  const now_ms = useNow();
  const days = useMemo(() => (history === undefined ? [] : daysOf(history.events, DAYS, now_ms)), [history, now_ms]);
  const claims = useMemo(() => claimsOf(history?.events ?? []), [history]);
  if (value === undefined) return <Absent what="overview" name="" error={error} onRetry={reload} />;
  if (Object.values(value.counts).every((count) => count === 0)) return <Begin />;
  const [today] = days.slice(-1);
  const finished = value.finished.filter(
    ({ delivery: { acknowledged_at } }) => today !== undefined && Date.parse(acknowledged_at ?? '') >= today.start_ms,
  );
  const onChange = () => void reload();
  return (
    <div className="home">
      <h1 className="studio-title">Home</h1>
      {error === undefined ? null : <p className="baton-banner baton-banner-fault">{describeProblem(error)}</p>}
      <NeedsYou lists={value} onChange={onChange} />
      <InFlight handoffs={value.claimed} count={value.counts.claimed ?? 0} claims={claims} onChange={onChange} />
      <Ready count={value.counts.open ?? 0} />
      <div className="home-past">
        <Finished handoffs={finished} count={today?.finished ?? 0} now_ms={now_ms} />
        <TwoWeeks days={days} since={history?.isWhole === false ? history.events[0]?.at : undefined} />
      </div>
    </div>
  );
}

/** The lists of the screen; each begins with the newest. */
export type HomeLists = Awaited<ReturnType<typeof loadHome>>;

async function loadHome(signal: AbortSignal) {
  const list = async (state: State[], only: { failed?: true } = {}): Promise<Handoff[]> =>
    (await listHandoffs({ state, ...only, limit: LISTED_MAX }, signal)).handoffs;
  const [waiting, ended, failing, drafts, claimed, finished, { counts }] = await Promise.all([
    list(['waiting']),
    list(['dead', 'expired']),
    list(['open'], { failed: true }),
    list(['draft']),
    list(['claimed']),
    list(['acknowledged']),
    call('handoff.count', {}, { signal }),
  ]);
  return { waiting, ended, failing, drafts, claimed, finished, counts };
}

/** What no agent has taken yet: it needs nobody, and is not forgotten. */
function Ready({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="home-ready">
      <a href="/inbox?tab=open">
        {count.toLocaleString('en')} {count === 1 ? 'handoff is' : 'handoffs are'} ready to be claimed
      </a>
    </p>
  );
}
