import { isAbsolute, relative } from 'node:path';
import { HandoffError } from '../../../core/errors.ts';
import type { OperationInput, OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand, type Given } from '../command.ts';
import { shellWord } from '../present/command-words.ts';
import { type View, visible, wrapped } from '../present/view.ts';

type Plan = OperationOutput<'project.init'>;
type PlannedFile = Plan['files'][number];
type Input = OperationInput<'project.init'>;

export const init = defineCommand({
  name: 'init',
  summary: 'Register Baton for Claude Code and MCP clients in this project',
  options: [
    { flags: '--dry-run', description: 'show what would be written, and write nothing' },
    { flags: '--undo', description: 'take back what an earlier run wrote' },
    { flags: '--local', description: 'hooks for you alone, in this project: .claude/settings.local.json' },
    { flags: '--user', description: 'hooks for you, in every project: ~/.claude/settings.json' },
    { flags: '--only <parts>', description: 'mcp, hooks, docs, or several as mcp,hooks', many: true },
    { flags: '-y, --yes', description: 'do not ask, on a terminal either' },
  ],
  examples: [
    { line: 'baton init --dry-run', what: 'see what it would write' },
    { line: 'npx batonpass init', what: 'without an installed command' },
    { line: 'baton init --local --only hooks', what: 'nothing that others see' },
    { line: 'baton init --undo', what: 'as if it had never run' },
  ],
  operation: 'project.init',
  toInput: (given) => ({
    dry_run: given.options.dryRun as boolean | undefined,
    undo: given.options.undo as boolean | undefined,
    scope: scopeOf(given),
    only: partsOf(given),
  }),
  confirm: {
    isWanted: ({ options }) => options.yes !== true && options.dryRun !== true,
    rehearse: (input) => ({ ...input, dry_run: true }),
    agree: (input, { files, plan_sha256 }) =>
      files.every(({ action }) => action === 'none') ? null : { ...input, plan_sha256 },
    question: 'Go ahead?',
    refused: 'Nothing was written.',
  },
  present: (plan, view) => {
    const changing = plan.files.filter(({ action }) => action !== 'none');
    if (changing.length === 0) {
      return plan.undo ? 'Nothing to do: nothing of Baton is here.' : 'Nothing to do: Baton is registered here.';
    }
    // Whoever agreed has seen each line of it.
    const isSeen = view.options.confirmed === true;
    const files = changing.map((file) => (isSeen ? headOf(file, plan, view) : showFile(file, plan, view)));
    return isSeen || plan.undo ? files.join(isSeen ? '\n' : '\n\n') : [startsAs(plan, view), ...files].join('\n\n');
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

/** `--only mcp,hooks` and `--only mcp --only hooks` are the same; what is no part is refused by the operation. */
function partsOf({ options }: Given): Input['only'] {
  const words = (options.only as string[] | undefined)?.flatMap((list) => list.split(','));
  return words?.map((word) => word.trim()) as Input['only'];
}

function startsAs({ launcher }: Plan, view: View): string {
  const words = [...launcher.command, 'hook', 'EVENT'].map(shellWord).join(' ');
  return `${view.style('gray', `Hosts start it as: ${words}`)}\n${view.style('gray', visible(launcher.reason))}`;
}

function showFile(file: PlannedFile, plan: Plan, view: View): string {
  const hunks = file.hunks.flatMap(({ line, lines }) => [
    view.style('cyan', `  line ${line}`),
    ...lines.map((text) => showLine(text, view)),
  ]);
  return [headOf(file, plan, view), ...hunks].join('\n');
}

function headOf({ action, path }: PlannedFile, { written }: Plan, view: View): string {
  const words = {
    create: ['would create', 'created'],
    change: ['would change', 'changed'],
    remove: ['would remove', 'removed'],
    none: ['', ''],
  }[action];
  return view.style('bold', `${words[written ? 1 : 0]} ${visible(shortPath(path))}`);
}

function showLine(text: string, view: View): string {
  const line = `  ${visible(text)}`;
  if (text.startsWith('+')) return view.style('green', line);
  return text.startsWith('-') ? view.style('red', line) : view.style('gray', line);
}

/** From where the user stands, if it lies below. */
function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
