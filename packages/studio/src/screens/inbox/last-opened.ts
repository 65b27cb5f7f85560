import { navigate } from '../../shell/router.ts';

let lastOpened: string | undefined;

/** Opens a handoff's own page, and remembers its id. */
export function openHandoff(id: string): void {
  lastOpened = id;
  navigate(`/h/${id}`);
}

/** The handoff that was opened last, once: after the return to its row the user moves on freely. */
export function takeLastOpened(): string | undefined {
  const id = lastOpened;
  lastOpened = undefined;
  return id;
}
