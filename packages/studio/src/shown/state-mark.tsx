import type { State } from '../../../batonpass/src/core/state.ts';

/** Each state as a sign and a word: colour is never the only distinction. */
export const stateWords: Readonly<Record<State, { glyph: string; word: string }>> = {
  draft: { glyph: '◇', word: 'Draft' },
  open: { glyph: '○', word: 'Open' },
  claimed: { glyph: '◐', word: 'Claimed' },
  waiting: { glyph: '?', word: 'Waiting' },
  acknowledged: { glyph: '●', word: 'Acknowledged' },
  dead: { glyph: '✕', word: 'Dead' },
  withdrawn: { glyph: '–', word: 'Withdrawn' },
  expired: { glyph: '⧗', word: 'Expired' },
};

/** A state as the studio shows it everywhere. */
export function StateMark({ state }: { state: State }) {
  const { glyph, word } = stateWords[state];
  return (
    <span className="studio-state" data-state={state}>
      <span aria-hidden="true">{glyph}</span> <span className="studio-state-word">{word}</span>
    </span>
  );
}
