import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import * as ai from '../../packages/batonpass/src/ai.ts';
import * as browser from '../../packages/batonpass/src/browser.ts';
import { loadCommands } from '../../packages/batonpass/src/doors/cli/commands.ts';
import * as draft from '../../packages/batonpass/src/draft.ts';
import * as files from '../../packages/batonpass/src/files.ts';
import * as library from '../../packages/batonpass/src/index.ts';
import * as mcpDoor from '../../packages/batonpass/src/mcp.ts';
import * as plan from '../../packages/batonpass/src/plan.ts';
import * as queue from '../../packages/batonpass/src/queue.ts';
import * as records from '../../packages/batonpass/src/records.ts';
import { verifies } from '../verifies.ts';

const commands = await loadCommands();

verifies(['CLI.exports', 'CLI.entries'], 'the library exports exactly these names, at most 25', () => {
  expect(Object.keys(library).length).toBeLessThanOrEqual(25);
  expect(Object.keys(library).sort()).toEqual([
    'HandoffError',
    'ParseError',
    'catalogue',
    'completeContent',
    'consume',
    'contentInputSchema',
    'contentSchema',
    'decodeToon',
    'deliverySchema',
    'encodeCanonicalJson',
    'encodeToon',
    'errorCodes',
    'extractHandoff',
    'extractionResultSchema',
    'handoffSchema',
    'hashJson',
    'isHandoffError',
    'limits',
    'openBaton',
    'openStore',
    'readTranscript',
    'renderContent',
    'states',
    'version',
  ]);
});

verifies(['CLI.exports', 'DRAFT.entries'], 'the entry for browsers exports exactly these names', () => {
  expect(Object.keys(browser).sort()).toEqual([
    'HandoffError',
    'ParseError',
    'completeContent',
    'contentInputSchema',
    'contentSchema',
    'deliverySchema',
    'encodeCanonicalJson',
    'errorCodes',
    'extractionResultSchema',
    'handoffSchema',
    'hashJson',
    'isHandoffError',
    'isImplied',
    'limits',
    'renderContent',
    'states',
    'version',
  ]);
});

verifies(
  ['CLI.exports', 'CLI.entries', 'DRAFT.entries'],
  'the entries of the five sources export exactly these names',
  () => {
    expect(Object.keys(files).sort()).toEqual([
      'formatTimestamp',
      'getNextVersion',
      'nextHandoffFile',
      'parseDocument',
      'parseHandoffFile',
      'writeHandoffFile',
    ]);
    expect(Object.keys(records)).toEqual(['HandoffStore']);
    expect(Object.keys(queue)).toEqual(['HandOffService']);
    expect(Object.keys(plan)).toEqual(['answerPlanMessage']);
    expect(Object.keys(draft).sort()).toEqual([
      'buildPlanAgentSystemPrompt',
      'contentToSnapshot',
      'createDraftStore',
      'draftStore',
      'emptyState',
      'freezeSnapshot',
      'planAgentName',
      'reduceDraft',
      'renderPlanPrompt',
      'snapshotToContent',
    ]);
  },
);

verifies(['CLI.exports', 'DRAFT.entries'], 'the entry for the AI SDK exports exactly these names', () => {
  expect(Object.keys(ai).sort()).toEqual([
    'addDecision',
    'buildPlanAgentSystemPrompt',
    'completePlanning',
    'createHandoffTools',
    'createPlanAgent',
    'getHandoffContext',
  ]);
});

verifies(['CLI.exports', 'MCP.http'], 'the MCP door exports exactly these names', () => {
  expect(Object.keys(mcpDoor).sort()).toEqual(['createMcpHttpHandler', 'createMcpServerFactory']);
});

/** Every operation but those that hosts ask for. */
const operations = [
  'conversation.extract',
  'conversation.list',
  'conversation.read',
  'file.check',
  'file.list',
  'file.next',
  'file.read',
  'file.store-acknowledge',
  'file.store-check',
  'file.store-create',
  'file.store-list',
  'file.store-show',
  'file.write',
  'handoff.acknowledge',
  'handoff.answer',
  'handoff.approve',
  'handoff.ask',
  'handoff.check',
  'handoff.claim',
  'handoff.count',
  'handoff.create',
  'handoff.edit',
  'handoff.events',
  'handoff.export',
  'handoff.fail',
  'handoff.get',
  'handoff.import',
  'handoff.lineage',
  'handoff.list',
  'handoff.release',
  'handoff.render',
  'handoff.renew',
  'handoff.reopen',
  'handoff.report',
  'handoff.resume',
  'handoff.status',
  'handoff.withdraw',
  'plan.answer',
  'plan.consult',
  'plan.create-directory',
  'plan.get-references',
  'plan.list',
  'plan.outline',
  'plan.read-config',
  'plan.read-plan',
  'plan.update-progress',
  'plan.validate-config',
  'plan.validate-plan',
  'plan.validate-references',
  'plan.write-config',
  'plan.write-plan',
  'plan.write-references',
  'planning.add-decision',
  'planning.complete',
  'planning.context',
  'planning.draft',
  'planning.hand-on',
  'planning.list',
  'planning.run',
  'planning.runs',
  'planning.step',
  'planning.stop',
  'project.diagnose',
  'project.init',
  'project.trust',
  'session.write',
  'store.backup',
  'store.check',
  'store.copy',
  'store.migrate',
  'store.prune',
  'store.restore',
  'store.roles',
  'token.create',
  'token.list',
  'token.revoke',
];

verifies(['CLI.exports'], 'the catalogue holds exactly these operations, and each has its command', () => {
  // What hosts ask for, by `baton hook`.
  const ofHosts = ['session.note', 'session.start', 'session.work'];
  // What `--force` of two commands asks for.
  const ofOptions = ['handoff.break'];
  // What continues after its caller returned: a command would end before it.
  const ofServers = ['planning.start'];
  // What a command does instead of its own, without an argument.
  const instead = ['planning.list'];
  expect(Object.keys(library.catalogue).sort()).toEqual([...operations, ...ofHosts, ...ofOptions, ...ofServers].sort());
  expect([...instead, ...new Set(commands.map(({ operation }) => operation as string))].sort()).toEqual(operations);
  expect(commands.map(({ name }) => name).sort()).toEqual(
    [
      ...'ack agent-writes answer approve ask check claim count create doctor edit export extract fail import init lineage list log release'.split(
        ' ',
      ),
      ...'read render renew reopen report resume sessions show status'.split(' '),
      ...'check list next read store write'
        .split(' ')
        .flatMap((name) =>
          name === 'store'
            ? ['acknowledge', 'check', 'create', 'list', 'show'].map((each) => `file store ${each}`)
            : [`file ${name}`],
        ),
      ...'answer consult create-directory done get-references hand-on list outline read-config read-plan show update-progress validate-config'
        .split(' ')
        .map((name) => `plan ${name}`),
      ...'add-decision complete context draft run runs step stop'.split(' ').map((name) => `plan ${name}`),
      ...'validate-plan validate-references watch write-config write-plan write-references'
        .split(' ')
        .map((name) => `plan ${name}`),
      ...'backup check copy migrate prune restore roles'.split(' ').map((name) => `store ${name}`),
      ...'create list revoke'.split(' ').map((name) => `token ${name}`),
      'trust',
      'withdraw',
    ].sort(),
  );
});

/** What an operation declares of itself that decides who may call it, and how. */
async function listDeclared(isWanted: (operation: Operation) => boolean): Promise<string[]> {
  const loaded = await Promise.all(Object.values(library.catalogue).map((load) => load() as Promise<Operation>));
  return loaded.flatMap((operation) => (isWanted(operation) ? [operation.name] : [])).sort();
}

interface Operation {
  name: string;
  mutates: boolean;
  doors: { http: false | { role: string; folder?: boolean } };
}

verifies(['CLI.exports'], 'exactly these operations change nothing', async () => {
  expect(await listDeclared(({ mutates }) => !mutates)).toEqual(
    [
      ...['extract', 'list', 'read'].map((name) => `conversation.${name}`),
      ...['check', 'list', 'read', 'store-list', 'store-show'].map((name) => `file.${name}`),
      ...'check count events get lineage list render status'.split(' ').map((name) => `handoff.${name}`),
      ...'consult get-references list outline read-config read-plan validate-config validate-plan validate-references'
        .split(' ')
        .map((name) => `plan.${name}`),
      ...['context', 'list', 'runs', 'step'].map((name) => `planning.${name}`),
      'project.diagnose',
      'store.check',
      'store.roles',
      'token.list',
    ].sort(),
  );
});

verifies(
  ['CLI.exports', 'HTTP.catalogue'],
  'over HTTP agents may do what is theirs, and folders are an admin’s',
  async () => {
    const roleOf = ({ doors }: Operation) => (doors.http === false ? undefined : doors.http.role);
    const inFolder = ({ doors }: Operation) => doors.http !== false && doors.http.folder === true;
    expect(await listDeclared((each) => roleOf(each) === 'reviewer')).toEqual([
      ...['answer', 'approve', 'break', 'edit', 'reopen'].map((name) => `handoff.${name}`),
      'planning.hand-on',
    ]);
    expect(await listDeclared((each) => roleOf(each) === 'admin')).toEqual([
      ...['extract', 'list', 'read'].map((name) => `conversation.${name}`),
      'handoff.import',
      ...['run', 'start', 'stop'].map((name) => `planning.${name}`),
    ]);
    expect(await listDeclared((each) => roleOf(each) === undefined)).toEqual([
      ...'check list next read store-acknowledge store-check store-create store-list store-show write'
        .split(' ')
        .map((name) => `file.${name}`),
      'handoff.export',
      ...['diagnose', 'init', 'trust'].map((name) => `project.${name}`),
      ...['note', 'start', 'work', 'write'].map((name) => `session.${name}`),
      ...'backup check copy migrate prune restore roles'.split(' ').map((name) => `store.${name}`),
      ...['create', 'list', 'revoke'].map((name) => `token.${name}`),
    ]);
    expect(await listDeclared((each) => roleOf(each) === 'agent' && inFolder(each))).toEqual([
      'handoff.check',
      ...'answer consult create-directory get-references list outline read-config read-plan update-progress'
        .split(' ')
        .map((name) => `plan.${name}`),
      ...'validate-config validate-plan validate-references write-config write-plan write-references'
        .split(' ')
        .map((name) => `plan.${name}`),
      'planning.complete',
      'planning.draft',
    ]);
    expect(await listDeclared((each) => roleOf(each) === 'admin' && !inFolder(each))).toEqual([]);
  },
);

verifies(['CLI.exports'], 'the version is the package’s', () => {
  const file = join(import.meta.dirname, '../../packages/batonpass/package.json');
  expect(library.version).toBe(JSON.parse(readFileSync(file, 'utf8')).version);
});

verifies(['CLI.exports'], 'states and error codes are exactly these', () => {
  expect(library.states).toEqual([
    'draft',
    'open',
    'claimed',
    'waiting',
    'acknowledged',
    'dead',
    'withdrawn',
    'expired',
  ]);
  expect([...library.errorCodes].sort()).toEqual([
    'already_claimed',
    'conflict',
    'extraction_failed',
    'file_not_found',
    'invalid_format',
    'invalid_input',
    'invalid_structure',
    'lease_lost',
    'not_found',
    'parse_error',
    'path_outside_root',
    'phase_transition_violation',
    'reference_not_found',
    'too_large',
    'unavailable',
    'unsupported_version',
    'validation_failed',
  ]);
});
