import { howToInstall } from '../../core/how-to-install.ts';
import { estimateTokens } from '../../formats/token-estimate.ts';
import { type HostCommandEnd, type HostStart, startAsHost } from '../../workspace/hosts/host-command.ts';
import type { ServerRegistration } from '../../workspace/hosts/registrations.ts';
import type { OperationContext } from '../context.ts';
import type { DiagnosisBounds } from './diagnose-bounds.ts';
import { type Finding, fine, firstLines, problem, warning } from './diagnose-finding.ts';
import { openSandbox } from './diagnose-sandbox.ts';

type Bounds = Pick<DiagnosisBounds, 'talk_ms' | 'end_ms' | 'save_ms'>;

/** Every session pays for the list of tools. */
const list_tokens_max = 2_000;

const clientInfo = { name: 'baton-doctor', version: '1' };

/** The revisions of MCP that hosts' clients speak; the older one begins with `initialize`. */
const revisions = { session: '2025-11-25', sessionless: '2026-07-28' } as const;

/** The lines of one revision, each answered by its id; the last asks for the list of tools. */
const conversations = {
  [revisions.session]: [
    { id: 1, method: 'initialize', params: { protocolVersion: revisions.session, capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list', params: {} },
  ],
  [revisions.sessionless]: [
    { id: 1, method: 'server/discover', params: { _meta: metaOf() } },
    { id: 2, method: 'tools/list', params: { _meta: metaOf() } },
  ],
};

function metaOf(): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': revisions.sessionless,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
}

interface ServerAnswer {
  id?: unknown;
  result?: { tools?: { name?: unknown }[] };
  error?: { message?: unknown };
}

interface Talk {
  answers: Map<unknown, ServerAnswer>;
  /** Lines on standard output that are no answer of the protocol. */
  noise: string[];
  /** Until the first answer. */
  first_ms: number;
  end: HostCommandEnd;
  /** Whether it ended by itself once its input had. */
  ended_itself: boolean;
}

/** Runs the registered server as the host does, speaks both revisions of the protocol with it, and ends it. */
export async function diagnoseServer(
  server: ServerRegistration,
  context: OperationContext,
  { talk_ms, end_ms, save_ms }: Bounds,
): Promise<Finding[]> {
  const sandbox = await openSandbox(server.host, context, save_ms);
  try {
    const start = {
      cwd: context.workspace.root,
      environment: { ...server.variables, ...sandbox.environment },
      timeout_ms: talk_ms,
      signal: context.signal,
    };
    const talks = await Promise.all(
      Object.entries(conversations).map(async ([revision, lines]) => ({
        revision,
        talk: await converse({ words: server.words, lines, end_ms }, start),
      })),
    );
    const failures = talks.flatMap(({ revision, talk }) => judge(revision, talk, server));
    const tools = talks[0]?.talk.answers.get(2)?.result?.tools ?? [];
    const list = talks[0]?.talk.answers.get(2)?.result;
    return failures.length > 0
      ? failures.slice(0, 1)
      : praise(tools.length, estimateTokens(JSON.stringify(list)), talks);
  } finally {
    await sandbox.close();
  }
}

function praise(tools: number, tokens: number, talks: readonly { revision: string; talk: Talk }[]): Finding[] {
  const took_ms = Math.max(...talks.map(({ talk }) => talk.first_ms));
  const spoken = talks.map(({ revision }) => revision).join(' and ');
  const what = `The server answers in ${took_ms} ms, in the revisions ${spoken}: ${tools} tools, about ${tokens.toLocaleString('en-US')} tokens`;
  const figures = { took_ms, tokens };
  if (tokens <= list_tokens_max) return [fine('server-works', what, { figures })];
  return [
    fine('server-works', what, { figures }),
    warning('server-too-large', {
      what: `The list of tools takes about ${tokens.toLocaleString('en-US')} tokens, more than ${list_tokens_max}.`,
      why: 'Every session pays for it.',
      next: `Update Baton: ${howToInstall}`,
      figures,
    }),
  ];
}

function judge(revision: string, talk: Talk, { words }: ServerRegistration): Finding[] {
  const shown = words.join(' ');
  const { answers, noise, end, ended_itself } = talk;
  if (noise.length > 0) {
    return [
      problem('server-noise', {
        about: revision,
        what: `The server prints something that is not an answer of the protocol: ${firstLines(noise[0] ?? '').slice(0, 100)}`,
        why: 'Clients may treat it as a broken answer, and drop the server.',
        next: `See what "${shown}" runs: nothing but the server may print on standard output.`,
      }),
    ];
  }
  const refused = [...answers.values()].find(({ error }) => error !== undefined);
  if (answers.get(2)?.result?.tools === undefined) {
    const said = String(refused?.error?.message ?? firstLines(end.stderr)) || 'nothing';
    const how =
      end.start_failure ??
      (end.timed_out ? `no answer within ${(end.took_ms / 1_000).toFixed(1)} s` : `it said: ${said}`);
    return [
      problem('server-fails', {
        about: revision,
        what: `The server does not answer in the revision ${revision}: ${shown} (${how})`,
        why: 'Agents here cannot hand over, claim or acknowledge by themselves.',
        next: 'Fix what is named about the command above; then approve the server in Claude Code: /mcp',
      }),
    ];
  }
  if (ended_itself) return [];
  return [
    warning('server-hangs', {
      about: revision,
      what: `The server does not end when its client disconnects: ${shown}`,
      why: 'Each session leaves a process behind.',
      next: `See what "${shown}" runs: it must pass the end of its input on to the server.`,
    }),
  ];
}

/** The lines for a server, and how long it may take to end afterwards. */
interface Speech {
  words: readonly string[];
  lines: readonly object[];
  end_ms: number;
}

/** Writes all lines at once, waits for the answers, ends the input, and waits for the end. */
async function converse({ words, lines, end_ms }: Speech, start: HostStart): Promise<Talk> {
  const started_ms = performance.now();
  const running = startAsHost({ words }, start);
  const talk = { answers: new Map<unknown, ServerAnswer>(), noise: [] as string[], first_ms: 0 };
  const wanted = lines.filter((line) => 'id' in line).length;
  const answered = new Promise<void>((resolve) => {
    let rest = '';
    running.onOutput((text) => {
      const parts = `${rest}${text}`.split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts.filter((part) => part.trim() !== '')) readServerLine(line, talk);
      if (talk.answers.size > 0 && talk.first_ms === 0) talk.first_ms = Math.round(performance.now() - started_ms);
      if (talk.answers.size >= wanted) resolve();
    });
  });
  running.write(lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''));
  await Promise.race([answered, running.ended]);
  running.endInput();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), end_ms);
  });
  const ended_itself = await Promise.race([running.ended.then(({ timed_out }) => !timed_out), late]);
  clearTimeout(timer);
  if (!ended_itself) running.kill();
  return { ...talk, end: await running.ended, ended_itself };
}

function readServerLine(line: string, { answers, noise }: Pick<Talk, 'answers' | 'noise'>): void {
  try {
    const message = JSON.parse(line) as ServerAnswer & { jsonrpc?: unknown };
    if (message.jsonrpc !== '2.0') noise.push(line);
    else if (message.id !== undefined) answers.set(message.id, message);
  } catch {
    // No JSON at all: the finding shows it.
    noise.push(line);
  }
}
