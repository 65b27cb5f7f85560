import { z } from 'zod';
import { defineOperation } from '../core/operation.ts';
import { version } from '../version.ts';
import type { HostCommand } from '../workspace/host-command.ts';
import { hostRules } from '../workspace/host-rules.ts';
import { type Registrations, readRegistrations } from '../workspace/registrations.ts';
import type { OperationContext } from './context.ts';
import { diagnoseCommand } from './diagnose-command.ts';
import { examine, type Finding, findingSchema } from './diagnose-finding.ts';
import { diagnoseHookLog } from './diagnose-hook-log.ts';
import { diagnoseHooks } from './diagnose-hooks.ts';
import { diagnoseMachine } from './diagnose-machine.ts';
import { diagnosePlaces } from './diagnose-place.ts';
import { diagnoseRegistration } from './diagnose-registration.ts';
import { diagnoseServer } from './diagnose-server.ts';
import { diagnoseOffers, diagnoseStore } from './diagnose-store.ts';

/** Tries out what hosts are told to run, and looks at what it rests on. */
export const projectDiagnose = defineOperation({
  name: 'project.diagnose',
  summary: 'Runs the registered hooks and server for real, and checks what they rest on: commands, store, disk.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({}),
  output: async () =>
    z.strictObject({
      version: z.string(),
      /** The project's top folder. */
      root: z.string(),
      /** What the host's rules were read from. */
      host_rules: z.string(),
      findings: z.array(findingSchema),
      problems: z.int(),
      warnings: z.int(),
    }),
  errors: ['invalid_input', 'unavailable'],
  run: async (_input, context: OperationContext) => {
    const findings = await diagnose(context);
    const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length;
    return {
      version,
      root: context.workspace.root,
      host_rules: hostRules.read_from,
      findings,
      problems: count('problem'),
      warnings: count('warning'),
    };
  },
});

const unstartable: readonly Finding['id'][] = ['command-not-found', 'command-hangs', 'node-too-old'];

/** First what only looks, all at once; then what is timed, by itself. */
async function diagnose(context: OperationContext): Promise<Finding[]> {
  const registrations = readRegistrations(context.workspace, context.environment);
  const { hooks, server } = registrations;
  const [commands, places, store, offers] = await Promise.all([
    Promise.all(
      launchesOf(registrations).map((words) => examine(words.join(' '), () => diagnoseCommand(words, context))),
    ),
    examine('The folder of the store', () => diagnosePlaces(context)),
    examine('The store', () => diagnoseStore(context)),
    examine('What was offered to sessions', () => diagnoseOffers(context)),
  ]);
  // What keeps a command from starting at all is named once, not with every hook.
  const isStartable = commands.flat().every(({ id }) => !unstartable.includes(id));
  const tried = isStartable ? await examine('Hooks', () => diagnoseHooks(hooks, context)) : [];
  const isServed = isStartable && server !== undefined;
  const served = isServed ? await examine('The server', () => diagnoseServer(server, context)) : [];
  return [
    ...diagnoseRegistration(registrations),
    ...commands.flat(),
    ...tried,
    ...served,
    ...(await examine('The log of hooks', () => diagnoseHookLog(context))),
    ...store,
    ...withoutDoubled(offers, store),
    ...places,
    ...(await examine('The machine', () => diagnoseMachine(context))),
  ];
}

/** The registered commands, each once, without the words that say what they are to do. */
function launchesOf({ hooks, server }: Registrations): string[][] {
  const wordsOf = (command: HostCommand, last: number) => ('words' in command ? [command.words.slice(0, -last)] : []);
  const launches = [
    ...hooks.flatMap(({ command }) => wordsOf(command, 2)),
    ...(server === undefined ? [] : wordsOf({ words: server.words }, 1)),
  ];
  return [...new Map(launches.map((words) => [JSON.stringify(words), [...words]])).values()];
}

/** A store that cannot be opened is named once. */
function withoutDoubled(offers: readonly Finding[], store: readonly Finding[]): Finding[] {
  const isUsable = store.every(({ level }) => level === 'ok');
  return isUsable ? [...offers] : [];
}
