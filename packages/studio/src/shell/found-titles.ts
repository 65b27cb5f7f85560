import { useEffect, useState } from 'react';
import { showHidden } from '../../../batonpass/src/core/hidden-characters.ts';
import { limits } from '../../../batonpass/src/core/limits.ts';
import { listHandoffs } from '../server/call.ts';
import { stateWords } from '../shown/state-mark.tsx';
import type { KeyBinding } from './keys.ts';
import { navigate } from './router.ts';

/** How long typing rests before titles are looked for. */
const REST_MS = 150;

/** Titles that are offered: what is seen without scrolling. */
const FOUND_MAX = 8;

/** A handoff as the palette offers it, among commands. */
export interface Offered extends KeyBinding {
  /** Tells handoffs apart whose titles are alike. */
  id?: string;
}

/** Handoffs whose title or summary has the words, newest first; none while nothing is typed, or where the server is away. */
export function useFoundTitles(typed: string): readonly Offered[] {
  const [found, setFound] = useState<{ text: string; titles: readonly Offered[] }>({ text: '', titles: [] });
  const text = typed.trim().slice(0, limits.search_characters_max);
  useEffect(() => {
    if (text === '') return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      listHandoffs({ text, limit: FOUND_MAX }, leaving.signal).then(
        ({ handoffs }) =>
          setFound({
            text,
            titles: handoffs.map(({ id, content, delivery }) => ({
              id,
              keys: '',
              does: `${showHidden(content.title)} (${stateWords[delivery.state].word.toLowerCase()})`,
              run: () => navigate(`/h/${id}`),
            })),
          }),
        () => {
          // The commands are found all the same, and the connection's own banner says what is wrong.
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return found.text === text ? found.titles : [];
}
