import { useSyncExternalStore } from 'react';

/** From this width on something stands beside the lists: as `inspector.css` has it. */
const wide = matchMedia('(min-width: 75rem)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Whether there is room beside the lists of a review. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
