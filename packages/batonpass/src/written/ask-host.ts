import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { askingVariable } from '../core/asking.ts';
import { isHandoffError } from '../core/errors.ts';
import { type HostName, hosts, type TranscribedHost } from '../core/hosts.ts';
import { limits } from '../core/limits.ts';
import { readRegularFile } from '../disk/safe-path.ts';
import { findPrograms } from '../workspace/hosts/find-program.ts';
import { type HostCommandEnd, runAsHost } from '../workspace/hosts/host-command.ts';
import { answerJsonSchema } from './answer.ts';
import { question } from './question.ts';
import { type HostReply, readClaudeCodeReply, readCodexReply } from './read-reply.ts';

/** A session whose agent is to be asked. */
export interface AskedSession {
  host: HostName;
  session: string;
  /** The folder that the session worked in: a host looks for its sessions there. */
  cwd: string;
  /** The top folder of the repository, out of which no program is started. */
  root: string;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Asks the agent of a session that is over, in its own context: its host is started again for one answer, without
 * tools, hooks, servers, configuration of the repository and a trace in the session. Only the variables that name
 * the person's own folders are passed on: a repository's settings can have set any other variable.
 */
export async function askHost(asked: AskedSession): Promise<HostReply> {
  const { host, environment, root, signal } = asked;
  const meddled = findMeddled(asked);
  if (meddled !== undefined) return { problem: `The repository's settings set ${meddled}.`, kind: 'failed' };
  const program = findPrograms(hosts[host].command, root, environment).find((path) => !isWithin(path, root));
  if (program === undefined) {
    return { problem: `${hosts[host].title} is not among the programs of the PATH.`, kind: 'failed' };
  }
  const way = waysToAsk[host];
  if (way === undefined) throw new Error(`${hosts[host].title} is never asked.`);
  const folder = mkdtempSync(join(tmpdir(), 'baton-asking-'));
  try {
    const { prepare, read } = way;
    const { words, cwd } = prepare(asked, folder);
    const end = await runAsHost({ words: [program, ...words] }, question, {
      cwd,
      environment: fixedEnvironment(environment),
      timeout_ms: limits.written_answer_ms,
      signal,
    });
    return { ...(end.timed_out ? tooLate : read(end)), took_ms: end.took_ms };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const tooLate: HostReply = {
  problem: `It did not answer within ${limits.written_answer_ms / 1_000} s.`,
  kind: 'failed',
};

/** Whether the agent of a session that is over can be asked at all: only where its transcript can be read. */
export function canBeAsked(host: HostName): host is TranscribedHost {
  return waysToAsk[host] !== undefined;
}

interface HostWay {
  /** @param folder - an empty one of its own. */
  prepare: (asked: AskedSession, folder: string) => { words: string[]; cwd: string };
  read: (end: HostCommandEnd) => HostReply;
}

/**
 * How hosts are asked, tested with the versions that the table of hosts names. The others cannot resume a session without
 * tools, hooks and the settings of the repository: Gemini CLI reads the repository's `.env` too, and Gemini CLI, Copilot CLI
 * and OpenCode continue only in the session itself.
 */
const waysToAsk: Readonly<Partial<Record<HostName, HostWay>>> = {
  'claude-code': {
    prepare: ({ session, cwd }) => ({
      cwd,
      words: [
        ...['-p', '--resume', session, '--fork-session', '--no-session-persistence'],
        // Without the sources a repository's settings decide where the session and the person's key are sent.
        ...['--safe-mode', '--setting-sources', 'user', '--strict-mcp-config', '--tools', ''],
        ...['--output-format', 'json', '--json-schema', JSON.stringify(answerJsonSchema)],
      ],
    }),
    read: readClaudeCodeReply,
  },
  codex: {
    prepare: ({ session }, folder) => {
      const schema = join(folder, 'answer.json');
      writeFileSync(schema, JSON.stringify(answerJsonSchema));
      // In an empty folder there is no project whose configuration, rules or hooks could apply.
      return {
        cwd: folder,
        words: [
          ...['exec', 'fork', session, '--ephemeral', '--skip-git-repo-check', '--ignore-rules'],
          ...offInCodex.flatMap((feature) => ['--disable', feature]),
          ...['-c', 'mcp_servers={}', '-c', 'web_search="disabled"', '-c', 'sandbox_mode="read-only"'],
          ...['-c', 'approval_policy="never"', '-c', 'project_doc_max_bytes=0'],
          ...['--output-schema', schema, '--json', '-'],
        ],
      };
    },
    read: readCodexReply,
  },
};

/** Its answer may use only the session's contents: everything that runs, fetches or starts something is off. */
const offInCodex = [
  'hooks',
  'shell_tool',
  'unified_exec',
  'multi_agent',
  'plugins',
  'apps',
  'goals',
  'view_image',
] as const;

/** The variables that name the person's own folders, language and proxies' certificates: none sets where a session is sent. */
const passedOn: readonly string[] = [
  'HOME',
  'PATH',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'SHELL',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  ...Object.values(hosts).map(({ folder }) => folder.variable),
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'SYSTEMROOT',
  'COMSPEC',
];

function fixedEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = passedOn.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
  return {
    ...Object.fromEntries(own),
    [askingVariable]: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
  };
}

/** A variable of Baton that the repository's settings for a host set: hooks, and so Baton, get it from there. */
function findMeddled({ root, cwd }: AskedSession): string | undefined {
  for (const folder of new Set([root, cwd])) {
    const files = Object.values(hosts).flatMap(({ hook_files }) =>
      [hook_files.project ?? [], hook_files.local ?? []].flat(),
    );
    for (const name of files) {
      const set = readVariables(join(folder, name));
      const found = set.find((each) => passedOn.includes(each) || each.startsWith('BATON_'));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function readVariables(path: string): string[] {
  try {
    const text = readRegularFile(path, { bytes_max: limits.host_file_bytes_max }).toString();
    const { env } = JSON.parse(text) as { env: object };
    return Object.keys(env);
  } catch (error) {
    // One that is too large may set anything. What is absent, no JSON or without variables sets nothing for its host either.
    return isHandoffError(error) && error.code === 'too_large' ? [...passedOn] : [];
  }
}

function isWithin(path: string, root: string): boolean {
  return [path, realpathSync(path)].some((each) => each.startsWith(root + sep));
}
