import './home.css';
import { Fragment, useMemo, useRef, useState } from 'react';
import type { HandoffEvent } from '../../../../batonpass/src/core/delivery.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { call, listHandoffs } from '../../server/call.ts';
import { useEvents } from '../../server/events.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { breakLease } from '../../server/steps.ts';
import { useLive, useLoaded } from '../../server/use-live.ts';
import { navigate } from '../../shell/router.ts';
import { Absent } from '../../shown/absent.tsx';
import { Ago, describeAge, describeLease, describeSince, isSilent, useNow } from '../../shown/age.tsx';
import { AskFirst } from '../../shown/ask-first.tsx';
import { handFile, useFileDrop } from '../import/dropped-file.ts';
import { claimsOf, type Day, daysOf, type HeldSince } from './history.ts';
import { NeedsYou } from './needs-you.tsx';
import { Part } from './part.tsx';

/** Handoffs of each kind that are loaded; the inbox has them all. */
const LISTED_MAX = 50;

const DAYS = 14;

/** The start screen: what needs the user, what agents work on, and what was finished. */
export default function Home() {
  const { value, error, reload } = useLive(loadHome);
  const history = useHistory();
  const now_ms = useNow();
  const days = useMemo(() => (history === undefined ? [] : daysOf(history.events, DAYS, now_ms)), [history, now_ms]);
  const claims = useMemo(() => claimsOf(history?.events ?? []), [history]);
  if (value === undefined) return <Absent what="overview" error={error} onRetry={reload} />;
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
        <Finished handoffs={finished} count={today?.finished ?? 0} />
        <TwoWeeks days={days} since={history?.isWhole === false ? history.events[0]?.at : undefined} />
      </div>
    </div>
  );
}

/** The lists of the screen, each newest first. */
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

/** Handoffs that no agent has claimed yet: they need no action, but are shown. */
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

/** Events that are loaded: two weeks of a project with two hundred steps a day, some hundred kilobytes. */
const EVENTS_MAX = 3_000;

/** The newest events of the project. */
interface History {
  events: readonly HandoffEvent[];
  /** Whether there are no earlier ones. */
  isWhole: boolean;
}

/** The newest events of the project, oldest first, and those that arrive while the page is open. */
function useHistory(): History | undefined {
  const { value: read } = useLoaded((signal) => call('handoff.events', { limit: EVENTS_MAX }, { signal }));
  // Events that arrive while the others load are not lost.
  const [came, setCame] = useState<readonly HandoffEvent[]>([]);
  useEvents({}, (events) => setCame((before) => [...before, ...events].slice(-EVENTS_MAX)));
  return useMemo(() => {
    if (read === undefined) return undefined;
    const last = read.events.at(-1)?.seq ?? 0;
    const events = [...read.events, ...came.filter(({ seq }) => seq > last)];
    return { events, isWhole: read.events.length < EVENTS_MAX };
  }, [read, came]);
}

/** An empty store: three ways to start. */
function Begin() {
  const file = useRef<HTMLInputElement>(null);
  const take = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    handFile(chosen);
    navigate('/import');
  };
  const { isOver, drop } = useFileDrop(take);
  return (
    <section className="home" aria-labelledby="begin-title" {...drop}>
      <h1 id="begin-title" className="studio-title">
        Hand over the first piece of work
      </h1>
      <p className="baton-hint">
        A handoff keeps what was decided, what was tried and what comes next, for the agent that goes on.
      </p>
      <ul className="baton-list home-ways">
        <li className={isOver ? 'home-over' : ''}>
          <h2>Import a transcript</h2>
          <p>Drop a file of Claude Code, Codex, SpecStory or a list of messages anywhere on this page.</p>
          <Button label="Choose a file" large look="primary" onClick={() => file.current?.click()} />
          <input
            ref={file}
            type="file"
            hidden
            aria-label="Transcript"
            onChange={(event) => take(event.target.files?.[0])}
          />
        </li>
        <li>
          <h2>Find sessions</h2>
          <p>Choose a conversation that an agent held in this project on this machine.</p>
          <Button label="Find sessions" large onClick={() => navigate('/import')} />
        </li>
        <li>
          <h2>Brainstorm</h2>
          <p>Think with a model, pin what is decided, and plan from it.</p>
          <Button label="Start a brainstorm" large onClick={() => navigate('/b')} />
        </li>
      </ul>
    </section>
  );
}

/** Lines that are shown. */
const SHOWN_MAX = 8;

/** What was received today, and by which receiver. */
function Finished({ handoffs, count }: { handoffs: readonly Handoff[]; count: number }) {
  const all = Math.max(count, handoffs.length);
  return (
    <Part
      title="Finished today"
      count={all}
      none="Nothing was finished today yet."
      line="home-finished"
      rest={SHOWN_MAX < all && ['/inbox?tab=done', 'All that is done']}
    >
      {handoffs.slice(0, SHOWN_MAX).map(({ id, content, delivery: { acknowledged_at = '', acknowledged_by } }) => (
        <li key={id} className="home-finished">
          <a href={`/h/${id}`} className="home-title">
            {showHidden(content.title)}
          </a>
          <span className="baton-hint">
            {showHidden(acknowledged_by ?? '')} · <Ago instant={acknowledged_at} />
          </span>
        </li>
      ))}
    </Part>
  );
}

const HEIGHT = 64;
const DAY_WIDTH = 20;
const BAR_WIDTH = 7;

const nameOfDay = (ms: number) => new Date(ms).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });

/** How many handoffs were written and finished on each of the last days, as bars; for screen readers as a table. */
function TwoWeeks({ days, since }: { days: readonly Day[]; since: string | undefined }) {
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
            {['Day', 'Written', 'Finished'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
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

interface InFlightProps {
  handoffs: readonly Handoff[];
  count: number;
  claims: ReadonlyMap<string, HeldSince>;
  onChange: () => void;
}

/** Claimed handoffs: the holder, since when, its last sign of life, and what is left of the lease. */
function InFlight({ handoffs, count, claims, onChange }: InFlightProps) {
  return (
    <Part
      title="In flight"
      count={count}
      none="No agent holds a handoff now."
      line="home-flight"
      rest={handoffs.length < count && ['/inbox?tab=claimed', `All ${count.toLocaleString('en')} in the inbox`]}
    >
      {handoffs.map((handoff) => (
        <Flight key={handoff.id} handoff={handoff} claim={claims.get(handoff.id)} onChange={onChange} />
      ))}
    </Part>
  );
}

interface FlightProps {
  handoff: Handoff;
  claim: HeldSince | undefined;
  onChange: () => void;
}

function Flight({ handoff, claim, onChange }: FlightProps) {
  const now_ms = useNow();
  const { id, content, delivery } = handoff;
  const { lease } = delivery;
  const holder = showHidden(lease?.holder ?? 'its holder');
  const title = showHidden(content.title);
  const silent = claim !== undefined && isSilent(claim.heard_at, lease?.expires_at, now_ms);
  return (
    <li className="home-flight">
      <div className="home-words">
        <a href={`/h/${id}`} className="home-title">
          {title}
        </a>
        <p className="home-facts">
          <span>held by {holder}</span>
          {claim === undefined ? null : (
            <>
              <span>since {describeAge(claim.claimed_at, now_ms)}</span>
              <span className={silent ? 'home-silent' : ''}>
                {silent ? '⚠ ' : ''}last heard {describeSince(claim.heard_at, now_ms, 'ago')}
              </span>
            </>
          )}
          <span>{describeLease(lease?.expires_at, now_ms)}</span>
        </p>
      </div>
      <AskFirst
        name="Release it"
        label={`Release ${title}`}
        question={`End the lease of ${holder}? Others can claim it then.`}
        yes="Yes, end the lease"
        onYes={() => void breakLease(handoff, 'open', onChange)}
      />
    </li>
  );
}
