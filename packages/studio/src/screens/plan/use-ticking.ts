import { useRef, useState } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { call, createKey } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { announce, announceFailure, followStep, offerUndo } from '../../shell/announcements.ts';

/** An item of a task's checklist, by its whole text: a changed document cannot make it mean another item. */
interface ChecklistItem {
  phase: string;
  task_id: string;
  text: string;
}

/** Ticking items off. */
export interface Ticking {
  /** The user's choice for an item, until the document has it. */
  wished: (item: ChecklistItem) => boolean | undefined;
  tick: (item: ChecklistItem, is_done: boolean) => Promise<void>;
}

const keyOf = ({ phase, task_id, text }: ChecklistItem) => JSON.stringify([phase, task_id, text]);

/** When a phase is completed its boxes are removed within some frames: focuses the first box of the next phase. */
function keepFocus(frames_left = 30): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('.plan-item input')?.focus();
  else if (frames_left > 0) requestAnimationFrame(() => keepFocus(frames_left - 1));
}

/** Ticks items of a plan off, by the protocol's own operation: shown at once, reverted where it is refused. */
export function useTicking(plan_directory: string, onChange: () => Promise<void>): Ticking {
  const [wishes, setWishes] = useState<ReadonlyMap<string, boolean>>(new Map());
  const latest = useRef(onChange);
  latest.current = onChange;
  const wish = (item: ChecklistItem, is_done: boolean | undefined) =>
    setWishes((before) => {
      const after = new Map(before);
      if (is_done === undefined) after.delete(keyOf(item));
      else after.set(keyOf(item), is_done);
      return after;
    });
  const write = async (item: ChecklistItem, is_done: boolean, isUndo = false) => {
    const { phase, task_id, text } = item;
    wish(item, is_done);
    const status = is_done ? ('completed' as const) : ('pending' as const);
    try {
      const update = { phase, task_id, status, checklist_items: [text] };
      const report = await call('plan.update-progress', { plan_directory, update }, { idempotencyKey: createKey() });
      const said = `${is_done ? 'Ticked' : 'Reopened'}: “${showHidden(text)}”.`;
      if (report.outcome === 'completed') {
        // A completed phase starts the next one: the tick that completed it cannot be undone.
        announce(`${said} ${report.next_action ?? ''}. ${report.next_focus ?? ''}.`);
      } else if (isUndo) announce(said);
      else offerUndo(said, () => write(item, !is_done, true));
    } catch (error) {
      announceFailure(describeProblem(error));
    } finally {
      // Until the document has it, the user's choice is shown.
      await latest.current();
      wish(item, undefined);
      requestAnimationFrame(() => keepFocus());
    }
  };
  const tick = (item: ChecklistItem, is_done: boolean) => followStep(write(item, is_done));
  return { wished: (item) => wishes.get(keyOf(item)), tick };
}
