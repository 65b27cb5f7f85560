import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { SaidMessage } from './conversation.ts';

/** The props of one message. */
export interface SaidMessageProps {
  index: number;
  message: SaidMessage;
  /** Marked in the message where it occurs. */
  quote?: string;
  /** Characters before and after the quote; default all. */
  around?: number;
}

/** A message in its own words, with the quote marked. */
export function Said({ index, message: { role, text, tools }, quote = '', around }: SaidMessageProps) {
  const [before, quoted, after] = splitAt(text, quote, around);
  return (
    <>
      <p className="review-speaker">
        message {index} · {showHidden(role)}
      </p>
      <p className="baton-text" dir="auto">
        {showHidden(before)}
        {quoted === '' ? null : <mark>{showHidden(quoted)}</mark>}
        {showHidden(after)}
      </p>
      {tools.map((tool, place) => (
        <p key={place} className="review-tool">
          {showHidden(tool)}
        </p>
      ))}
    </>
  );
}

/** A text before, at and after its quote; of a long one only the surroundings of the quote. */
function splitAt(text: string, quote: string, around = Number.POSITIVE_INFINITY): [string, string, string] {
  const place = quote === '' ? -1 : text.indexOf(quote);
  if (place === -1) return [cutEnd(text, 2 * around), '', ''];
  const end = place + quote.length;
  return [cutStart(text.slice(0, place), around), quote, cutEnd(text.slice(end), around)];
}

function cutStart(text: string, length: number): string {
  return text.length <= length ? text : `…${text.slice(-length).toWellFormed()}`;
}

function cutEnd(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}
