import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { runningVariable, tryingVariable } from '../../core/asking.ts';
import { eventOf, type HostName, hosts } from '../../core/hosts.ts';
import type { OperationInput } from '../../operations/catalogue.ts';

/** The fields of a host's payload that Baton uses, under Baton's names; all other fields are ignored. */
const payloadSchema = z.object({
  session: z.string().min(1),
  transcript: z.string().nullish(),
  cwd: z.string().optional(),
  source: z.string().optional(),
  trigger: z.string().optional(),
  last_words: z.string().nullish(),
});

export type Payload = z.infer<typeof payloadSchema>;

/** The operation that an event asks for. */
export type HookRequest =
  | { name: 'session.start'; input: OperationInput<'session.start'> }
  | { name: 'session.note'; input: OperationInput<'session.note'> };

/** @returns nothing for what the host does not send. */
export function parsePayload(text: string, host: HostName): Payload | undefined {
  try {
    const told = z.looseObject({}).parse(JSON.parse(text));
    const named = Object.entries(hosts[host].payload).map(([name, member]) => [name, told[member]]);
    return payloadSchema.parse({ ...told, ...Object.fromEntries(named) });
  } catch {
    // Neither JSON nor from a session: somebody tries the hook by hand, and gets a hint.
    return undefined;
  }
}

/** What is to be done at an event; nothing at an event without a hook of Baton. */
export function askedBy(
  { host, event, environment }: { host: HostName; event: string; environment: NodeJS.ProcessEnv },
  payload: Payload,
): HookRequest | undefined {
  const { moment, defers = [], comes_again = false } = eventOf(host, event) ?? {};
  if (moment === undefined) return undefined;
  const session = {
    host,
    session: payload.session,
    transcript: payload.transcript ?? undefined,
    interactive: isInteractive(host, payload, environment),
  };
  if (moment === 'prompt') return { name: 'session.start', input: { ...session, source: 'prompt' } };
  if (moment === 'start') {
    // An unknown word of a host counts as a new session.
    const source = comes_again ? 'turn' : (payload.source as OperationInput<'session.start'>['source']);
    return { name: 'session.start', input: { ...session, source } };
  }
  const deferred = defers.includes(payload.trigger ?? '');
  const last_words = payload.last_words ?? undefined;
  return { name: 'session.note', input: { ...session, event, ended: moment === 'end', deferred, last_words } };
}

/** Whether a person uses the session, as the host reports it; where it reports nothing, a person uses it. */
function isInteractive(host: HostName, { transcript }: Payload, environment: NodeJS.ProcessEnv): boolean {
  if (environment[tryingVariable] !== undefined) return true;
  if (environment[runningVariable] !== undefined) return false;
  const { headless, variables } = hosts[host];
  const entrypoint = environment[variables.entrypoint?.name ?? ''] ?? '';
  if (headless.entrypoints?.test(entrypoint) === true) return false;
  return headless.transcript?.test(readHead(transcript)) !== true;
}

/** This much of a transcript shows why the session was started; the instructions after it are long. */
const head_bytes = 4_096;

/** The beginning of a file; empty where there is none that can be read. */
function readHead(path: string | null | undefined): string {
  if (path === undefined || path === null) return '';
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(head_bytes);
      return bytes.toString('utf8', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    // A session that has written nothing yet gives no sign.
    return '';
  }
}
