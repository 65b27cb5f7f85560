import { announceFailure, followStep, offerUndo } from '../../shell/announcements.ts';
import { dropBrainstorm, findBrainstorm, keepBrainstorm } from './chat-shelf.ts';
import { closeChat, pinsProject } from './open-chat.ts';

/** A brainstorm of this browser, and how a list of them follows. */
interface Taken {
  project: string;
  id: string;
  title: string;
  onGone: (isGone: boolean) => void;
}

/** Takes a brainstorm and its pins out of this browser, until that is taken back; its handoffs stay. */
export function takeAway(taken: Taken): Promise<void> {
  return followStep(takeOut(taken));
}

async function takeOut({ project, id, title, onGone }: Taken): Promise<void> {
  onGone(true);
  const name = `handoff-storage:${pinsProject(project, id)}`;
  try {
    const brainstorm = await findBrainstorm(project, id);
    const pins = localStorage.getItem(name);
    closeChat(project, id);
    await dropBrainstorm(project, id);
    localStorage.removeItem(name);
    offerUndo(`Took “${title}” away. Its handoffs stay.`, async () => {
      if (brainstorm !== null) await keepBrainstorm(brainstorm);
      if (pins !== null) localStorage.setItem(name, pins);
      onGone(false);
    });
  } catch (error) {
    onGone(false);
    announceFailure(`It could not be taken away: ${error instanceof Error ? error.message : String(error)}`);
  }
}
