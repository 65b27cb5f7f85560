/** Each status by a sign and a word of its own. */
export const statusMarks = {
  completed: { glyph: '●', word: 'Done' },
  in_progress: { glyph: '◐', word: 'In work' },
  blocked: { glyph: '■', word: 'Blocked' },
  pending: { glyph: '○', word: 'To do' },
} as const;

/** How much is done, as a bar and in numbers. */
export function Progress({ done, all, what }: { done: number; all: number; what: string }) {
  return (
    <span className="plan-progress">
      <progress value={done} max={Math.max(1, all)} aria-label={`${done} of ${all} ${what} done`} />
      <span className="plan-count">
        {done} / {all}
      </span>
    </span>
  );
}
