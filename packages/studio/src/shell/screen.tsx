import { useEffect, useState } from 'react';
import type { ScreenName } from './router.ts';
import { loadScreen, readScreen, type ScreenPart, type ScreenProps } from './screens.ts';

/**
 * A screen, as soon as its part is there. React's own `Suspense` would keep the words that stand in its place for 300 ms,
 * however soon the part came.
 */
export function Screen({ name, ...props }: ScreenProps & { name: ScreenName }) {
  const [found, setFound] = useState<{ part?: ScreenPart } | { error: unknown }>(() => {
    const part = readScreen(name);
    return part === undefined ? {} : { part };
  });
  const isThere = 'part' in found;
  useEffect(() => {
    if (isThere) return;
    loadScreen(name).then(
      (part) => setFound({ part }),
      (error: unknown) => setFound({ error }),
    );
  }, [name, isThere]);
  if ('error' in found) throw found.error;
  if (found.part === undefined) return <p className="studio-loading">Loading…</p>;
  return <found.part {...props} />;
}
