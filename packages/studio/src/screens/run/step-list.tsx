import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { runMove, useKeys } from '../../shell/keys.ts';
import { describeMoment, marksOf, type StepTimes } from './step-times.ts';
import { type AttemptStep, describeDuration, describeTokens, glyphOf, hasFailed, namesOf } from './step-words.ts';

const ROW_PIXELS = 48;

/** The most steps that fit without scrolling. */
const FITTING = 6;

/** Rows that are rendered above and below the visible ones. */
const OVERSCAN = 6;

interface StepListProps {
  /** The listed steps. */
  steps: readonly AttemptStep[];
  /** The time of each. */
  times: StepTimes;
  chosen: number | undefined;
  onChoose: (number: number) => void;
}

/** The steps below each other, each at its time: one tab stop, moved by arrows. */
export function StepList({ steps, times, chosen, onChoose }: StepListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef<number | null>(null);
  const marks = marksOf(times.whole_ms).map((ms): Mark => {
    const place = ms / times.whole_ms;
    return { ms, place: `${place * 100}%`, isLast: place > 0.9 };
  });
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: steps.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN,
  });
  const place = Math.max(
    0,
    steps.findIndex(({ number }) => number === chosen),
  );
  const at = (index: number) => {
    const bounded = Math.max(0, Math.min(index, steps.length - 1));
    const step = steps[bounded];
    if (step === undefined) return;
    wanted.current = step.number;
    virtual.scrollToIndex(bounded);
    onChoose(step.number);
  };
  // A row out of view is rendered only after this.
  useLayoutEffect(() => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-step="${wanted.current}"]`);
    if (wanted.current === null || row === null || row === undefined) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });
  const onKeyDown = useStepMoves(at, { place, count: steps.length });
  const shown = virtual.getVirtualItems();
  // Tab must reach the list also where the chosen row is out of view.
  const stop = shown.some(({ index }) => index === place) ? place : shown[0]?.index;
  return (
    <div className="run-frame" data-long={steps.length > FITTING}>
      <Axis marks={marks} />
      <div ref={scroller} className="run-steps" role="listbox" aria-label="Steps" onKeyDown={onKeyDown}>
        <div className="run-room" role="presentation" style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const step = steps[index];
            if (step === undefined) return null;
            return (
              <Row
                key={step.number}
                step={step}
                times={times}
                marks={marks}
                where={{ start, place: index + 1, size: steps.length }}
                isStop={index === stop}
                isChosen={step.number === chosen}
                onChoose={() => at(index)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The time axis above all steps. Each row's own text has its start. */
function Axis({ marks }: { marks: readonly Mark[] }) {
  return (
    <div className="run-axis" aria-hidden="true">
      <span className="run-axis-line">
        {marks.map(({ ms, place, isLast }) => (
          <span key={ms} data-last={isLast} style={{ insetInlineStart: place }}>
            {describeMoment(ms)}
          </span>
        ))}
      </span>
    </div>
  );
}

/** Moves from step to step by letters and arrows; Enter opens the step. */
function useStepMoves(
  at: (index: number) => void,
  { place, count }: { place: number; count: number },
): (event: KeyboardEvent) => void {
  const open = () => document.getElementById('step-detail')?.focus();
  useKeys('Step', [
    { keys: 'j', does: 'next step', run: () => at(place + 1) },
    { keys: 'k', does: 'previous step', run: () => at(place - 1) },
    { keys: 'o', does: 'read the step', run: open },
  ]);
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => at(place + 1),
    ArrowUp: () => at(place - 1),
    PageDown: () => at(place + 10),
    PageUp: () => at(place - 10),
    Home: () => at(0),
    End: () => at(count - 1),
    Enter: open,
  };
  return (event) => runMove(event, moves);
}

/** A mark of the time axis, and its position. */
interface Mark {
  ms: number;
  place: string;
  /** So near the end that its label has no room after it. */
  isLast: boolean;
}

interface RowProps {
  step: AttemptStep;
  times: StepTimes;
  marks: readonly Mark[];
  where: { start: number; place: number; size: number };
  isStop: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

function Row({ step, times, marks, where, isStop, isChosen, onChoose }: RowProps) {
  const { number, tools, tokens, duration_ms } = step;
  const tool = tools[0]?.name;
  const isFailed = hasFailed(step);
  const { from_ms, to_ms } = times.spans.get(number) ?? { from_ms: 0, to_ms: 0 };
  const share = (ms: number) => `${(ms / times.whole_ms) * 100}%`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of its rows.
    <div
      role="option"
      aria-selected={isChosen}
      aria-posinset={where.place}
      aria-setsize={where.size}
      tabIndex={isStop ? 0 : -1}
      data-step={number}
      data-tool={tool ?? 'none'}
      className="run-step"
      style={{ transform: `translateY(${where.start}px)` }}
      onClick={onChoose}
    >
      <span className="run-step-number">{number}</span>
      <span className="run-glyph" aria-hidden="true">
        {glyphOf(tool)}
      </span>
      <span className="run-step-name">
        {namesOf(tools.map(({ name }) => name))}
        {isFailed ? <span className="run-failed"> failed</span> : null}
      </span>
      <span className="run-step-facts">
        <span className="baton-unseen">begins at {describeMoment(from_ms)}, takes </span>
        {describeTokens(tokens)} · {describeDuration(duration_ms)}
      </span>
      <span className="run-bar" aria-hidden="true">
        {marks.map(({ ms, place }) => (
          <i key={ms} style={{ insetInlineStart: place }} />
        ))}
        <span
          style={{
            insetInlineStart: `min(${share(from_ms)}, 100% - 3px)`,
            width: `max(3px, ${share(to_ms - from_ms)})`,
          }}
        />
      </span>
    </div>
  );
}
