import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { askingVariable } from '../../core/asking.ts';
import type { Content, ContentInput } from '../../core/content.ts';
import type { Conversation } from '../../core/conversation.ts';
import { type HostName, hosts, isHostName, momentOf, type TranscribedHost } from '../../core/hosts.ts';
import { limits } from '../../core/limits.ts';
import { maskSecrets } from '../../core/masking.ts';
import { readRegularFile } from '../../disk/safe-path.ts';
import { hostTranscripts } from '../../transcripts/host-transcripts.ts';
import type { SessionJob } from '../../workspace/hosts/host-sessions.ts';
import { Allowance, type WantedCall } from '../../written/allowance.ts';
import { askHost, canBeAsked } from '../../written/ask-host.ts';
import { writeContent } from '../../written/write-content.ts';
import type { OperationContext } from '../context.ts';

/** A content that the session's own agent wrote, and the agent's name. */
export interface AgentWriting {
  content: ContentInput;
  /** What no longer holds, in the agent's words. */
  reversed: string[];
  /** The host, and the model where it says so. */
  extractor: string;
}

/**
 * Lets the agent of a session that is over, or loses its past, write what the next session needs, where the person chose
 * so. It returns nothing where that is not so, the allowance is used up, or the answer cannot be used: then what rules
 * made stays, and `baton doctor` reports the reason.
 */
export async function askAgent(
  { job, conversation, mechanical }: { job: SessionJob; conversation: Conversation; mechanical: ContentInput },
  context: OperationContext,
): Promise<AgentWriting | undefined> {
  const { configuration, environment, signal } = context;
  const { host, session } = job;
  const isWanted = job.by_person ?? (configuration.extractor === 'host' && isWorth(job, conversation));
  if (!isWanted || !isHostName(host) || environment[askingVariable] !== undefined || !canBeAsked(host)) {
    return undefined;
  }
  const allowance = new Allowance(environment, context.now());
  const call: WantedCall = {
    host,
    key: keyOf(job, conversation),
    input_tokens: readContextTokens(host, job.transcript),
  };
  const refusal = job.by_person ? undefined : allowance.refusal(call);
  if (refusal !== undefined) {
    if (refusal.is_limit) allowance.fail(host, `${refusal.why} Ask it anyway: baton agent-writes ${session}`, false);
    return undefined;
  }
  allowance.begin(call);
  const cwd = conversation.cwd ?? job.root;
  const rules = readRulesFiles([job.root, cwd], environment);
  const reply = await askHost({ host, session, cwd, root: job.root, environment, signal });
  if ('problem' in reply) {
    allowance.fail(host, maskSecrets(reply.problem).text, reply.kind === 'unavailable');
    return undefined;
  }
  const { content, told, reversed, note } = writeContent(mechanical, conversation, reply.text, rules);
  if (told === undefined) {
    allowance.fail(host, note ?? 'The answer cannot be used.', false);
    return undefined;
  }
  allowance.succeed(reply);
  const { model, input_tokens, output_tokens, took_ms } = reply;
  return {
    content: withCost(content, { model, input_tokens, output_tokens, took_ms }),
    reversed,
    extractor: writerName(host, model),
  };
}

/** A session that a person uses, some turns long; a session that left nothing was not saved, and is not asked. */
function isWorth({ interactive }: SessionJob, { messages }: Conversation): boolean {
  const turns = messages.filter(({ role, text }) => role !== 'system' && text !== '').length;
  return interactive && turns >= limits.written_turns_min;
}

/** A session that is resumed after its end, and grows, ends again; each compaction is one of its own. */
function keyOf({ host, session, event }: SessionJob, { messages }: Conversation): string {
  return `${host} ${session} ${momentOf(host, event) === 'compaction' ? 'compacted' : 'ended'} at ${messages.length}`;
}

function withCost(
  content: ContentInput,
  cost: Omit<NonNullable<AskedAgent>, 'question_sha256' | 'messages'>,
): ContentInput {
  const known = Object.fromEntries(Object.entries(cost).filter(([, value]) => value !== undefined));
  const { asked } = content.origin ?? {};
  return asked === undefined ? content : { ...content, origin: { ...content.origin, asked: { ...asked, ...known } } };
}

type AskedAgent = NonNullable<Content['origin']>['asked'];

function writerName(host: HostName, model: string | undefined): string {
  return (model === undefined ? host : `${host}/${model}`).slice(0, limits.name_characters_max);
}

/** This much of a transcript's end contains the cost of the last answer. */
const tail_bytes = 512 * 1024;

/** Tokens of the session's context at the end, as its host recorded them; nothing where it did not. */
function readContextTokens(host: TranscribedHost, transcript: string | undefined): number | undefined {
  for (const row of readTail(transcript).split('\n').reverse()) {
    const counts = hostTranscripts[host].listContextTokens(row);
    if (counts.length > 0) return counts.reduce((total, count) => total + count, 0);
  }
  return undefined;
}

function readTail(path: string | undefined): string {
  if (path === undefined) return '';
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(tail_bytes);
      const from = Math.max(0, fstatSync(file).size - tail_bytes);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, tail_bytes, from));
    } finally {
      closeSync(file);
    }
  } catch {
    // It was read a moment ago; where it is gone now, its size is unknown.
    return '';
  }
}

/** The names of the rules files that hosts read in the project, where the session works, and in the user's own folder. */
const names = [
  ...['AGENTS.md', 'AGENTS.override.md', 'CLAUDE.local.md'],
  ...Object.values(hosts).flatMap(({ document }) => document ?? []),
];

/** A larger file is no text of rules. */
const rules_bytes_max = 256 * 1024;

/** The texts of the rules files that an agent has read, and that the next one reads by itself; absent ones are left out. */
function readRulesFiles(folders: readonly string[], environment: NodeJS.ProcessEnv): string[] {
  const home = environment.HOME ?? homedir();
  const own = Object.values(hosts).map(({ folder }) => environment[folder.variable] ?? join(home, folder.name));
  const paths = [...new Set([...folders, ...own])].flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.flatMap((path) => {
    try {
      return [readRegularFile(path, { bytes_max: rules_bytes_max }).toString()];
    } catch {
      // A file that is absent, too large or cannot be read gives no rules.
      return [];
    }
  });
}
