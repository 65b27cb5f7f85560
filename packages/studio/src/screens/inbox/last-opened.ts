import { navigate } from '../../shell/router.ts';

let lastOpened: string | undefined;

/** Opens a handoff's own page, and remembers which it was. */
export function openHandoff(id: string): void {
  lastOpened = id;
  navigate(`/h/${id}`);
}

/** The handoff that was opened last, once: whoever has come back to it moves on by himself. */
export function takeLastOpened(): string | undefined {
  const id = lastOpened;
  lastOpened = undefined;
  return id;
}
