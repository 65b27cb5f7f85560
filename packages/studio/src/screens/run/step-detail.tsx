import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { call } from '../../server/call.ts';
import { useKeys } from '../../shell/keys.ts';
import { type AttemptStep, describeDuration, describeTokens, glyphOf, isCut } from './step-words.ts';

interface StepDetailProps {
  step: AttemptStep;
  of: { handoffId: string; attempt: number };
  /** Runs again from it; absent where that is not possible now. */
  onRunAgain: (() => void) | undefined;
}

/** One step: the model's text, and the inputs and outputs of its tools, in full and searchable. */
export function StepDetail({ step, of, onRunAgain }: StepDetailProps) {
  const { number, tools_left_out, tokens, duration_ms } = step;
  const [isRaw, setRaw] = useState(false);
  const [wanted, setWanted] = useState('');
  const room = useRef<HTMLElement>(null);
  const { text, tools, isWhole } = useWholeStep(step, of);
  const { count, at, move } = useMarks(room, `${wanted}/${isRaw}/${isWhole}`);
  useKeys('Step detail', [
    { keys: 'v', does: isRaw ? 'show values laid out' : 'show values as they are', run: () => setRaw(!isRaw) },
  ]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section ref={room} id="step-detail" className="run-detail" aria-label={`Step ${number}`} tabIndex={0}>
      <p className="run-facts">
        <strong>Step {number}</strong>
        <span>{describeTokens(tokens)}</span>
        <span>{describeDuration(duration_ms)}</span>
      </p>
      <div className="run-detail-tools">
        <input
          type="search"
          className="baton-field run-find"
          aria-label={`Find in step ${number}`}
          placeholder="Find in this step"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            move(event.shiftKey ? -1 : 1);
          }}
        />
        <span role="status" className="baton-hint">
          {wanted === '' ? '' : count === 0 ? 'Not found' : `${at + 1} of ${count}`}
        </span>
        {onRunAgain === undefined ? null : <Button label={`Run again from step ${number}`} onClick={onRunAgain} />}
      </div>
      {text === '' ? null : (
        <p className="baton-text" dir="auto">
          <MarkedText text={showHidden(text)} wanted={wanted} />
        </p>
      )}
      {tools.map((tool, place) => (
        <div key={place} className="run-tool">
          <h3 className="run-tool-name">
            <span aria-hidden="true">{glyphOf(tool.name)} </span>
            {showHidden(tool.name)}
          </h3>
          <Value label="Input" value={tool.input} isRaw={isRaw} wanted={wanted} />
          <Value label="Output" value={tool.output} isRaw={isRaw} wanted={wanted} />
        </div>
      ))}
      {tools_left_out === undefined || isWhole ? null : (
        <p className="baton-hint">{tools_left_out} more tools were called than the history keeps.</p>
      )}
      {tools.length === 0 && text === '' ? <p className="baton-none">It said and did nothing.</p> : null}
    </section>
  );
}

/** The full step, where the list has only the beginnings of its values. */
function useWholeStep(step: AttemptStep, { handoffId, attempt }: StepDetailProps['of']) {
  const [whole, setWhole] = useState<OperationOutput<'planning.step'> | null>(null);
  const { number } = step;
  const isMissing = isCut(step);
  useEffect(() => {
    if (!isMissing) return;
    const leaving = new AbortController();
    call('planning.step', { id: handoffId, attempt, step: number }, { signal: leaving.signal }).then(setWhole, () => {
      // Of other programs' steps only the beginning is stored, and marked as such.
    });
    return () => leaving.abort();
  }, [isMissing, handoffId, attempt, number]);
  return whole === null ? { ...step, isWhole: false } : { ...whole, isWhole: true };
}

/** The matches in an element, and the current one. */
function useMarks(room: RefObject<HTMLElement | null>, search: string) {
  const [found, setFound] = useState({ count: 0, at: 0 });
  const marks = () => [...(room.current?.querySelectorAll('mark') ?? [])];
  const show = (at: number) => {
    for (const [place, mark] of marks().entries()) mark.toggleAttribute('data-current', place === at);
    marks()[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    setFound({ count: marks().length, at });
  };
  const latest = useRef(show);
  latest.current = show;
  useLayoutEffect(() => latest.current(0), [search]);
  const { count, at } = found;
  return { count, at, move: (by: number) => count > 0 && show((at + by + count) % count) };
}

function Value({ label, value, isRaw, wanted }: { label: string; value: unknown; isRaw: boolean; wanted: string }) {
  const text = typeof value === 'string' && !isRaw ? value : JSON.stringify(value, null, isRaw ? 0 : 2);
  return (
    <div>
      <p className="baton-hint">{label}</p>
      <pre className="run-value">
        <MarkedText text={showHidden(text)} wanted={wanted} />
      </pre>
    </div>
  );
}

/** The most matches that are marked: for fewer the user types more. */
const MARKS_MAX = 1_000;

/** A text with every match marked, in any case. */
function MarkedText({ text, wanted }: { text: string; wanted: string }) {
  const words = wanted.trim();
  if (words === '') return text;
  const pattern = new RegExp(`(${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`, 'giu');
  const pieces = text.split(pattern, MARKS_MAX * 2);
  const rest = text.slice(pieces.reduce((length, piece) => length + piece.length, 0));
  // Split by a group, every other piece is a match.
  return [...pieces.map((piece, place) => (place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece)), rest];
}
