import type { ToolCall } from '../core/conversation.ts';
import { type CheckKind, claimedChecks } from './language-cues.ts';
import { shorten } from './plain-text.ts';

/** A run of a command that tests, builds or checks. */
interface CheckRun {
  call: ToolCall;
  /**
   * `unknown` where a command behind the check gave the exit code: `npm test | tail`; `running` in the background where no
   * later result says how the check ended.
   */
  result: 'succeeded' | 'failed' | 'unknown' | 'running';
}

/** Programs and words of commands, by what they check. */
const kinds: Record<CheckKind, RegExp> = {
  test: words('tests?|pytest|unittest|jest|vitest|mocha|playwright|cypress|phpunit|rspec|ctest'),
  lint: words('(?:[a-z]+-)?lint|eslint|clippy|ruff|biome'),
  types: words('tsc|typecheck|type-check|mypy|pyright'),
  build: words('build|compile'),
  any: words('make|gradlew?|mvn|xcodebuild|check|verify'),
};
const kindNames = Object.keys(kinds) as CheckKind[];

function words(names: string): RegExp {
  return new RegExp(`(?:^|[\\s/:;&|"'])(?:${names})(?=$|[\\s:;&|"'])`);
}

/** Programs that check nothing, no matter what their arguments say: `git commit -m "Fix the tests"`. */
const checksNothing =
  /^(?:git|gh|cat|echo|printf|tee|ls|find|grep|rg|sed|awk|head|tail|less|wc|cp|mv|rm|mkdir|touch|chmod|kill|pkill|ps|curl|wget|cd|sleep|which|jq)\b/;

const commandCharactersMax = 4_000;

/** Whether a command tests, builds or checks. What it writes, quotes or comments is not looked at. */
export function isCheck(command: string): boolean {
  return readCommand(command).size > 0;
}

/** What a command checks; and of each whether the command's exit code is that of the check, as no other came behind it. */
function readCommand(command: string): Map<CheckKind, boolean> {
  const text = withoutTexts(command.slice(0, commandCharactersMax));
  const checked = new Map<CheckKind, boolean>();
  /** The checks in the pipeline that is read: what is piped hides these alone, as `a && b | c` ends well only if `a` did. */
  let piped: CheckKind[] = [];
  let hidden: CheckKind[] = [];
  for (const part of text.replace(/[<>]&|&>/g, ' ').split(/(&&|\|\||[;|&\n])/)) {
    if (/^(?:&&|\|\||[;|&\n])$/.test(part)) {
      const isPipe = part === '|';
      if (part !== '&&' && !/\bpipefail\b/.test(text)) hidden = isPipe ? [...hidden, ...piped] : [...checked.keys()];
      if (!isPipe) piped = [];
    }
    // A script may say more behind what it does: `npm run build-only`.
    const program = part
      .trim()
      .replace(/^(?:[A-Z_]+=\S*\s+)+/, '')
      .replace(/(?<=\brun [a-z]+)-[\w:-]+/, '');
    if (/^\W*$/.test(program)) continue;
    for (const kind of hidden) checked.set(kind, false);
    hidden = [];
    if (checksNothing.test(program)) continue;
    const named = kindNames.filter((kind) => kinds[kind].test(program));
    // `make test` tests.
    const kindsHere = named.filter((kind) => kind !== 'any' || named.length === 1);
    for (const kind of kindsHere) checked.set(kind, true);
    piped = [...piped, ...kindsHere];
  }
  return checked;
}

/** A here-document within a command: the text that the shell passes on. */
export const hereDocument = /<<-?\s*(["']?)(\w+)\1[\s\S]*?(?:\n\2(?=\n|$)|$)/g;

/** A command without here-documents, quoted texts and comments; what follows `-c` is a command itself. */
function withoutTexts(command: string): string {
  return command
    .replace(hereDocument, ' ')
    .replace(/(?<!-l?c\s{1,3})(["'])(?:\\.|(?!\1)[^\\])*\1/gs, ' ')
    .replace(/(?:^|\s)#.*$/gm, ' ');
}

/** The last run of each kind of check, the newest last. */
export function readRuns(calls: readonly ToolCall[]): ReadonlyMap<CheckKind, CheckRun> {
  const runs = new Map<CheckKind, CheckRun>();
  for (const call of calls) {
    if (call.command === undefined || call.outcome === undefined || wasRefused(call)) continue;
    for (const [kind, isOwnCode] of readCommand(call.command)) {
      runs.delete(kind);
      runs.set(kind, { call, result: readResult(call, isOwnCode) });
    }
  }
  return runs;
}

function readResult(call: ToolCall, isOwnCode: boolean): CheckRun['result'] {
  if (call.outcome?.background !== undefined) return 'running';
  if (!isOwnCode) return 'unknown';
  return hasFailed(call) ? 'failed' : 'succeeded';
}

/** Whether the person turned a call down: it did not run. */
export function wasRefused({ outcome }: Pick<ToolCall, 'outcome'>): boolean {
  return /^(?:The user (?:doesn't want to |rejected this tool call)|\[Request interrupted by user)/.test(
    outcome?.text ?? '',
  );
}

/** Whether the exit code of a call is known and that of every check in its command. */
export function isConclusive({ command = '', outcome }: ToolCall): boolean {
  if (outcome === undefined || outcome.background !== undefined) return false;
  return [...readCommand(command).values()].every((isOwnCode) => isOwnCode);
}

/** Whether a call is known to have worked: no failure, and no check whose result something else hides. */
export function hasWorked(call: ToolCall): boolean {
  return isConclusive(call) && !hasFailed(call);
}

/** The failed run that speaks against a sentence: of the checks that it says succeeded, the last run of one failed. */
export function findContradictingRun(sentence: string, runs: ReadonlyMap<CheckKind, CheckRun>): CheckRun | undefined {
  const claimed = claimedChecks(sentence);
  if (claimed === undefined) return undefined;
  const newestFirst = [...runs].reverse();
  return (claimed.has('any') ? kindNames : [...claimed])
    .map((kind) => newestFirst.find(([of]) => of === kind || of === 'any')?.[1])
    .find((run) => run?.result === 'failed');
}

/** Whether a call is known to have failed. */
export function hasFailed({ outcome }: Pick<ToolCall, 'outcome'>): boolean {
  return outcome !== undefined && (outcome.is_error || (outcome.exit_code ?? 0) !== 0);
}

/** How a check ended, in one line. @param isOld - files were changed after it. */
export function describeRun({ call, result }: CheckRun, isOld: boolean): string {
  if (result === 'failed') return `Last check ${describeFailure(call, isOld)}`;
  const when = isOld ? ' (before later changes)' : '';
  const told = {
    succeeded: 'Last check succeeded',
    unknown: 'Last check, result unknown',
    running: 'Last check, still running',
  };
  return `${told[result]}${when}: \`${lineOf(call)}\``;
}

/** That a command failed: its exit code, the command, and the line that says why. @param isOld - as of `describeRun`. */
export function describeFailure(call: ToolCall, isOld = false): string {
  const code = call.outcome?.exit_code === undefined ? [] : [`exit code ${call.outcome.exit_code}`];
  const facts = [...code, ...(isOld ? ['before later changes'] : [])].join(', ');
  return `failed${facts === '' ? '' : ` (${facts})`}: \`${lineOf(call)}\`: ${failureOf(call)}`;
}

function lineOf({ command = '' }: ToolCall): string {
  const told = command.slice(0, commandCharactersMax).replace(hereDocument, '<<…');
  return shorten(told.trim().replace(/\s+/g, ' '), 200);
}

/** Lines that say no cause: of PowerShell the place, of any program a warning. */
const namesNoCause = /^(?:error: )?(?:⚠|At line:\d|\+ |(?:\w+ )?(?:warn(?:ing)?|deprecat\w*)\b)/i;
const namesFailure = /error|fail|exception|cannot|not found|denied|assert|panic|✗|✕|×/i;

/** The first line of a failed call's answer that says why it failed. */
export function failureOf({ outcome }: Pick<ToolCall, 'outcome'>): string {
  const lines = (outcome?.text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\d]/u.test(line) && !/^(?:(?:error: )?exit code:? \d+|output:)$/i.test(line));
  const causes = lines.filter((line) => !namesNoCause.test(line));
  return shorten(causes.find((line) => namesFailure.test(line)) ?? causes[0] ?? lines[0] ?? 'no output', 200);
}
