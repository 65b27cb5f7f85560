import type { HostCommandEnd } from '../workspace/hosts/host-command.ts';

/** The cost, as the host counts it. */
export interface ReplyCost {
  model?: string | undefined;
  /** Including those that the host had in its cache. */
  input_tokens?: number | undefined;
  output_tokens?: number | undefined;
  took_ms?: number;
}

/** A host's answer, or why there is none. `unavailable`: rate limited or logged out, so that asking again is useless now. */
export type HostReply =
  | (ReplyCost & { text: string })
  | (ReplyCost & { problem: string; kind: 'unavailable' | 'failed' });

interface ClaudeCodeResult {
  is_error?: unknown;
  result?: unknown;
  structured_output?: unknown;
  usage?: Record<string, unknown>;
  modelUsage?: Record<string, unknown>;
}

/** Reads the output of `claude -p --output-format json`. */
export function readClaudeCodeReply({ stdout, stderr, exit_code, start_failure }: HostCommandEnd): HostReply {
  const found = parseObject<ClaudeCodeResult>(stdout);
  if (found === undefined) return describeFailure(start_failure ?? (stderr || stdout), exit_code);
  const { usage = {}, modelUsage = {}, structured_output, result } = found;
  const cost = {
    model: Object.keys(modelUsage)[0],
    input_tokens: sum(usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens),
    output_tokens: sum(usage.output_tokens),
  };
  if (found.is_error === true || exit_code !== 0)
    return { ...cost, ...describeFailure(String(result ?? stderr), exit_code) };
  return { ...cost, text: structured_output === undefined ? String(result ?? '') : JSON.stringify(structured_output) };
}

interface CodexEvent {
  type?: string;
  message?: unknown;
  error?: { message?: unknown };
  item?: { type?: string; text?: unknown };
}

/** Reads the events that `codex exec --json` printed, one per line. */
export function readCodexReply({ stdout, stderr, exit_code, start_failure }: HostCommandEnd): HostReply {
  const events = stdout.split('\n').flatMap((line) => parseObject<CodexEvent>(line) ?? []);
  const said = events.findLast(({ item }) => item?.type === 'agent_message')?.item?.text;
  // The usage that it reports is that of the whole session, so that the cost of this answer is unknown.
  if (typeof said === 'string' && exit_code === 0) return { text: said };
  const failed = events.findLast(({ type }) => type === 'turn.failed' || type === 'error');
  const reason = failed?.error?.message ?? failed?.message ?? start_failure ?? stderr;
  return describeFailure(String(reason), exit_code);
}

const unavailable =
  /rate.?limit|usage limit|limit reached|too many requests|quota|credit balance|overloaded|\b(?:401|403|429|529)\b|log(?:ged)? ?(?:in|out)|\/login|api key|unauthori[sz]ed|authenticat/i;

const reasonCharactersMax = 200;

function describeFailure(
  reason: string,
  exit_code: number | null,
): { problem: string; kind: 'unavailable' | 'failed' } {
  const line = reason.trim().split('\n').at(-1)?.trim().slice(0, reasonCharactersMax).toWellFormed() ?? '';
  const kind = unavailable.test(reason) ? 'unavailable' : 'failed';
  return { problem: line === '' ? `It ended with code ${exit_code} and said nothing.` : line, kind };
}

function sum(...counts: readonly unknown[]): number | undefined {
  const known = counts.filter((count) => typeof count === 'number' && Number.isSafeInteger(count) && count >= 0);
  return known.length === 0 ? undefined : known.reduce<number>((total, count) => total + Number(count), 0);
}

function parseObject<T extends object>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as T) : undefined;
  } catch {
    // Other output of a program among its lines is no event.
    return undefined;
  }
}
