import { isAbsolute, relative } from 'node:path';
import { HandoffError } from '../../../core/errors.ts';
import { hostNames, hostTitles } from '../../../core/hosts.ts';
import type { OperationInput, OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand, type Given } from '../command.ts';
import { shellWord } from '../present/command-words.ts';
import { counted } from '../present/plural.ts';
import { type View, visible, wrapped } from '../present/view.ts';

type Plan = OperationOutput<'project.init'>;
type PlannedFile = Plan['files'][number];
type Input = OperationInput<'project.init'>;

export const init = defineCommand({
  name: 'init',
  summary: `Register Baton for ${hostTitles} and MCP clients in this project`,
  options: [
    { flags: '--dry-run', description: 'show what would be written, and write nothing' },
    { flags: '--undo', description: 'undo what an earlier run wrote' },
    { flags: '--local', description: 'hooks for you alone, in this project: .claude/settings.local.json' },
    { flags: '--user', description: 'hooks for you, in every project: ~/.claude/settings.json' },
    {
      flags: '--host <hosts>',
      description: `${hostNames.join(', ')}; several with commas (those found here)`,
      many: true,
    },
    { flags: '--only <parts>', description: 'mcp, hooks, docs, or several as mcp,hooks', many: true },
    {
      flags: '--agent-writes <on|off>',
      description: 'let the agent of each session write its handoff, in all your projects (off)',
    },
    { flags: '-y, --yes', description: 'do not ask, not even on a terminal' },
  ],
  examples: [
    { line: 'baton init --dry-run', what: 'see what it would write' },
    { line: 'npx baton --cwd ../shop init', what: 'for another project, from a clone of Baton' },
    { line: 'baton init --local --only hooks', what: 'nothing that others see' },
    { line: 'baton init --undo', what: 'as if it had never run' },
  ],
  operation: 'project.init',
  toInput: (given) => ({
    dry_run: given.options.dryRun as boolean | undefined,
    undo: given.options.undo as boolean | undefined,
    scope: scopeOf(given),
    hosts: wordsOf(given, 'host', hostNames),
    only: wordsOf(given, 'only', parts),
    agent_writes: given.options.agentWrites as Input['agent_writes'],
  }),
  confirm: {
    isWanted: ({ options }) => options.yes !== true && options.dryRun !== true,
    rehearse: (input) => ({ ...input, dry_run: true }),
    agree: (input, { files, plan_sha256 }) =>
      files.every(({ action }) => action === 'none') ? null : { ...input, plan_sha256 },
    question: 'Go ahead?',
    offer: {
      isWanted: ({ undo, agents_write, files }) => !undo && !agents_write && files.some(({ part }) => part === 'hooks'),
      question:
        'After each session, ask its own agent once to write the handoff? It uses your account; turn it off with: baton init --agent-writes off',
      accept: (input) => ({ ...input, agent_writes: 'on' }),
    },
    refused: 'Nothing was written.',
  },
  present: (plan, view) => {
    const changing = plan.files.filter(({ action }) => action !== 'none');
    if (changing.length === 0) {
      if (view.options.agentWrites === 'off') return 'The agents of sessions write no handoffs.';
      return plan.undo ? 'Nothing to undo: Baton is not registered here.' : 'Nothing to do: Baton is registered here.';
    }
    // The person who agreed has seen how it is started.
    const head = view.options.confirmed === true || plan.undo ? [] : startsAs(plan, view);
    if (plan.written) return [...head, changing.map((file) => headOf(file, plan, view)).join('\n')].join('\n\n');
    const foot = view.options.dryRun === true ? [] : [view.style('gray', `Each line: ${dryRunOf(view)}`)];
    return [...head, ...changing.map((file) => showFile(file, plan, view)), ...foot].join('\n\n');
  },
  remark: ({ remarks, next, written, files }, view) => {
    const isNew = written || files.every(({ action }) => action === 'none');
    const steps = isNew ? next : [];
    const lines = [...remarks.map((remark) => `! ${remark}`), ...steps.map((step) => `→ ${step}`)];
    return lines.map((line) => wrapped(line, view.width, '  ')).join('\n');
  },
});

function scopeOf({ options }: Given): Input['scope'] {
  if (options.local === true && options.user === true) {
    throw new HandoffError('invalid_input', 'The hooks go into one place: --local or --user, not both.', {
      alternatives: ['baton init --local', 'baton init --user'],
    });
  }
  return options.local === true ? 'local' : options.user === true ? 'user' : undefined;
}

const parts = ['mcp', 'hooks', 'docs'] as const satisfies readonly PlannedFile['part'][];

/** `--only mcp,hooks` and `--only mcp --only hooks` are the same. */
function wordsOf<Word extends string>({ options }: Given, name: string, known: readonly Word[]): Word[] | undefined {
  const words = (options[name] as string[] | undefined)?.flatMap((list) => list.split(',')).map((word) => word.trim());
  const wrong = words?.filter((word) => known.every((each) => each !== word)) ?? [];
  if (wrong.length === 0) return words as Word[] | undefined;
  const named = wrong.map((word) => `"${word}"`).join(', ');
  throw new HandoffError('invalid_input', `--${name} takes ${known.join(', ')}; not ${named}.`, { details: { wrong } });
}

/** How hosts start it, where they are registered. */
function startsAs({ launcher, files }: Plan, view: View): string[] {
  if (files.every(({ part }) => part !== 'hooks')) return [];
  const words = [...launcher.command, 'hook', 'EVENT'].map(shellWord).join(' ');
  return [`${view.style('gray', `Hosts start it as: ${words}`)}\n${view.style('gray', visible(launcher.reason))}`];
}

/** The words that show the same plan again, for a longer look at it. */
function dryRunOf({ options }: View): string {
  const flags = ['undo', 'local', 'user'].filter((name) => options[name] === true).map((name) => ` --${name}`);
  const lists = ['host', 'only'].flatMap((name) =>
    options[name] === undefined ? [] : [` --${name} ${(options[name] as string[]).join(',')}`],
  );
  return `baton init${flags.join('')}${lists.join('')} --dry-run`;
}

function showFile(file: PlannedFile, plan: Plan, view: View): string {
  const hunks = file.hunks.flatMap(({ line, lines }) => [
    view.style('cyan', `  line ${line}`),
    ...lines.map((text) => showLine(text, view)),
  ]);
  return [headOf(file, plan, view), ...hunks].join('\n');
}

function headOf(file: PlannedFile, { written }: Plan, view: View): string {
  const words = {
    create: ['would create', 'created'],
    change: ['would change', 'changed'],
    remove: ['would remove', 'removed'],
    none: ['', ''],
  }[file.action];
  const head = view.style('bold', `${words[written ? 1 : 0]} ${visible(shortPath(file.path))}`);
  return written ? `${head}${sizeOf(file)}` : head;
}

/** How much of a file was written. */
function sizeOf({ action, hunks }: PlannedFile): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const added = lines.filter((line) => line.startsWith('+')).length;
  const removed = lines.filter((line) => line.startsWith('-')).length;
  if (action === 'create') return ` (${counted(added, 'line')})`;
  const changes = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : [])];
  return action === 'change' && changes.length > 0 ? ` (${changes.join(' ')})` : '';
}

function showLine(text: string, view: View): string {
  const line = `  ${visible(text)}`;
  if (text.startsWith('+')) return view.style('green', line);
  return text.startsWith('-') ? view.style('red', line) : view.style('gray', line);
}

/** Relative to the working directory, for a path inside it. */
function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
