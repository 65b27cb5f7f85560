import type { OperationOutput } from '../../../operations/catalogue.ts';
import { defineCommand } from '../command.ts';
import { formatAge } from '../duration.ts';
import { formatBytes } from '../present/bytes.ts';
import { shortId } from '../present/handoff-line.ts';
import { counted } from '../present/plural.ts';
import { presentRemarks } from '../present/remarks.ts';
import { presentStates } from '../present/store-states.ts';
import { type View, visible, wrapped } from '../present/view.ts';

type StoreReport = OperationOutput<'store.check'>;

export const storeCheck = defineCommand({
  name: 'store check',
  summary: 'Check the store, and change nothing',
  examples: [
    { line: 'baton store check', what: 'file, contents, history and payloads' },
    { line: 'baton store check --store sqlite:backups/baton-20261122.db', what: 'a backup, or an archive' },
    { line: 'baton store check || echo look', what: 'exit code 1 where something is wrong' },
  ],
  operation: 'store.check',
  toInput: () => ({}),
  isNo: ({ problems, complete, schema }) => problems > 0 || (!complete && schema?.version === schema?.known),
  progress: () => 'Checking the store',
  present: (report, view) => [...presentFacts(report, view), ...presentFindings(report, view)].join('\n'),
  remark: (report, view) => presentRemarks(remarksOn(report), view),
});

function presentFacts({ store, schema, size, handoffs, states, oldest_open }: StoreReport, view: View): string[] {
  const parts = [
    ...(schema === undefined ? [] : [`schema ${schema.version}`]),
    ...(size === undefined ? [] : [formatBytes(size.bytes), `log ${formatBytes(size.log_bytes)}`]),
    ...(size === undefined || size.free_bytes === 0 ? [] : [`${formatBytes(size.free_bytes)} free inside`]),
  ];
  const oldest =
    oldest_open === undefined
      ? []
      : [`Oldest open: ${shortId(oldest_open.id)}, ${formatAge(oldest_open.created_at, view.now_ms)}`];
  return [
    view.style('bold', visible(store)),
    ...(parts.length > 0 ? [parts.join(' · ')] : []),
    `${counted(handoffs, 'handoff')}${presentStates(states)}`,
    ...oldest,
  ];
}

function presentFindings({ findings, problems, complete }: StoreReport, view: View): string[] {
  if (problems === 0) return complete ? [view.style('green', '✓ Nothing is wrong.')] : [];
  const lines = findings.map(({ id, what }) =>
    view.style('red', wrapped(`✗ ${id === undefined ? 'The file' : id}: ${what}`, view.width, '  ')),
  );
  const more = problems - findings.length;
  return [...lines, ...(more > 0 ? [`  … and ${more} more`] : [])];
}

function remarksOn({ store, schema, complete, dropped, problems, findings }: StoreReport): string[] {
  const isOutdated = schema !== undefined && schema.version < schema.known;
  const id = findings.find((finding) => finding.id !== undefined)?.id;
  return [
    ...(isOutdated
      ? [
          `! Its schema version ${schema.version} is older than this Baton’s ${schema.known}: only the file was checked. The next command migrates it, after a backup; or now: baton store migrate`,
        ]
      : []),
    ...(!complete && !isOutdated && problems === 0 ? ['! Stopped before the end.'] : []),
    ...(dropped.lines === 0
      ? []
      : [
          `${counted(dropped.lines, 'line')} of history ${dropped.lines === 1 ? 'is' : 'are'} of ${counted(dropped.handoffs, 'handoff')} that ${dropped.handoffs === 1 ? 'is' : 'are'} gone: archived, or deleted by another program. That is not a fault.`,
        ]),
    ...(problems === 0 ? [] : [`${counted(problems, 'problem')}. Make a copy first: ${copyOf(store, findings)}`]),
    ...(id === undefined ? [] : [`→ See what happened: baton log ${id}`]),
    ...(problems === 0 ? [] : ['→ Restore a backup, which keeps a copy of what is there: baton store restore FILE']),
  ];
}

/** `baton store backup` makes no copy of a damaged file: it would be no backup. */
function copyOf(store: string, findings: StoreReport['findings']): string {
  const path = store.replace(/^sqlite:/, '');
  const isFile = findings.some(({ rule }) => rule === 'file' || rule === 'unreadable');
  return isFile ? `copy ${path}, and ${path}-wal if it exists, to another folder` : 'baton store backup';
}

export const storeMigrate = defineCommand({
  name: 'store migrate',
  summary: 'Migrate the store’s schema now, after a backup; every other command does it too',
  examples: [{ line: 'baton store migrate', what: 'from which schema version to which, and where the backup is' }],
  operation: 'store.migrate',
  toInput: () => ({}),
  progress: () => 'Migrating the store',
  present: ({ store, from, to, migrated, backup }, view) => {
    if (!migrated) return `${view.style('bold', visible(store))} is up to date: schema version ${to}.`;
    return [
      `${view.style('bold', visible(store))} went from schema version ${from} to ${to}.`,
      ...(backup === undefined ? [] : [`As it was before: ${visible(backup)}`]),
    ].join('\n');
  },
});

export const storeRoles = defineCommand({
  name: 'store roles',
  summary: 'Print the SQL that divides the rights to a store on Postgres: owner, agents, monitor',
  options: [{ flags: '--schema <name>', description: 'default: that of the current store, else baton' }],
  examples: [
    { line: 'baton store roles | psql DATABASE', what: 'as a superuser, on a store that is there' },
    { line: 'baton store roles --schema other', what: 'for the store of postgres://…?schema=other' },
  ],
  operation: 'store.roles',
  toInput: ({ options }) => ({ schema: options.schema as string | undefined }),
  present: ({ sql }) => sql.trimEnd(),
  remark: ({ roles: { owner, agent, monitor } }) =>
    `→ Run it with psql, then give each user a role: GRANT ${agent} TO ada; there are also ${owner} and ${monitor}.`,
});
