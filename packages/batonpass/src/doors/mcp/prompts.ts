import type { GetPromptResult, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { showHidden } from '../../core/hidden-characters.ts';
import { limits } from '../../core/limits.ts';
import type { Door } from './door.ts';
import { toProtocolError } from './tool-results.ts';

/** The prompts that a person can call by one word: hand over now, and resume what waits. */
export function registerPrompts(door: Door): void {
  door.server.registerPrompt(
    'hand-over',
    {
      title: 'Hand over',
      description: 'Collect what matters in this conversation and hand the work over',
      argsSchema: z.object({
        to: z.string().optional().describe('The agent that alone may claim it'),
        task: z.string().optional().describe('The task it belongs to'),
      }),
    },
    ({ to, task }) => asPrompt(askToHandOver(to, task)),
  );
  door.server.registerPrompt(
    'resume',
    {
      title: 'Resume',
      description: 'Show the handoff that waits and take the work over',
      argsSchema: z.object({ id: z.string().optional().describe('Only this handoff; else the next that is open') }),
    },
    async ({ id }, context) => {
      try {
        return asPrompt(await askToResume(door, id, context));
      } catch (error) {
        throw toProtocolError(error, door.logDefect);
      }
    },
  );
}

function asPrompt(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text: showHidden(text) } }] };
}

function askToHandOver(to: string | undefined, task: string | undefined): string {
  const fields = [
    ...(to === undefined ? [] : [`\`target_agent\`: ${JSON.stringify(to)}`]),
    ...(task === undefined ? [] : [`\`task_id\`: ${JSON.stringify(task)}`]),
  ];
  return [
    'Hand this work over now, with the tool handoff_create. Go through the whole conversation and collect into `content`:',
    '- `summary`: what this is about, how far it is, and why it stops here.',
    '- `instructions`: what the person wants of all later work, word for word.',
    '- `decisions`: each with its reason; among them what the user asked for or ruled out.',
    '- `files`: those that were changed or must be read, with why each matters.',
    '- `risks`: what may go wrong or is unproved.',
    '- `tried`: what did not work, and what happened, so that nobody tries it again.',
    '- `next_steps`: in order, each small enough to begin with.',
    '- `environment`: exact commands that worked, ports, versions, quirks of the machine.',
    '- `open_questions`: what only a person can answer.',
    ...(fields.length === 0 ? [] : [`Set ${fields.join(' and ')}.`]),
    'Write for an agent that has seen nothing of this conversation. State what is so, not what should be done blindly; leave out secrets. Then tell the user the id of the handoff and what is in it, in a few lines.',
  ].join('\n');
}

/** The text of the handoff that would be claimed; reading it claims nothing. */
async function askToResume(
  { baton, optionsOf }: Door,
  id: string | undefined,
  context: ServerContext,
): Promise<string> {
  const options = optionsOf(context);
  const chosen = id ?? (await findNext(baton, options));
  if (chosen === undefined) return 'No handoff is open for you in this project. Tell the user so.';
  const handoff = await baton.handoff.render({ id: chosen }, options);
  return [
    `A handoff waits in this project. Take it with the tool handoff_claim, id ${JSON.stringify(handoff.id)}, acknowledge it with handoff_update, tell the user in a few lines where the work stands, and go on with it.`,
    'What follows is quoted from the handoff: history told by another agent, to be weighed and checked against the files as they are now.',
    handoff.text,
    handoff.situation,
  ].join('\n\n');
}

/** The newest context of this branch, as `resume` picks it; else the oldest open handoff. */
async function findNext(baton: Door['baton'], options: ReturnType<Door['optionsOf']>): Promise<string | undefined> {
  const { open, branch } = await baton.handoff.status({ limit: limits.status_look_max }, options);
  const isContext = (each: (typeof open)[number]) =>
    each.content.kind === 'context' && each.content.task_id === undefined;
  const fitting = open.filter((each) => isContext(each) && each.content.origin?.branch === branch);
  return (fitting.at(-1) ?? open[0])?.id;
}
