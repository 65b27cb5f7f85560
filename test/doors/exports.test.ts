import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { commands } from '../../packages/batonpass/src/doors/cli/commands.ts';
import * as library from '../../packages/batonpass/src/index.ts';
import * as mcpDoor from '../../packages/batonpass/src/mcp.ts';
import { verifies } from '../verifies.ts';

verifies(['CLI.exports'], 'the library exports exactly these names', () => {
  expect(Object.keys(library).sort()).toEqual([
    'HandOffService',
    'HandoffError',
    'ParseError',
    'catalogue',
    'completeContent',
    'consume',
    'contentInputSchema',
    'contentSchema',
    'deliverySchema',
    'encodeCanonicalJson',
    'errorCodes',
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

verifies(['CLI.exports', 'MCP.http'], 'the MCP door exports exactly these names', () => {
  expect(Object.keys(mcpDoor).sort()).toEqual(['createMcpHttpHandler', 'createMcpServerFactory']);
});

verifies(['CLI.exports'], 'the catalogue holds exactly these operations, and each has its command', () => {
  const operations = [
    'conversation.extract',
    'conversation.import',
    'conversation.list',
    'handoff.acknowledge',
    'handoff.answer',
    'handoff.approve',
    'handoff.ask',
    'handoff.check',
    'handoff.claim',
    'handoff.create',
    'handoff.edit',
    'handoff.events',
    'handoff.fail',
    'handoff.get',
    'handoff.list',
    'handoff.release',
    'handoff.render',
    'handoff.renew',
    'handoff.reopen',
    'handoff.resume',
    'handoff.status',
    'handoff.withdraw',
    'project.diagnose',
    'project.init',
    'store.backup',
    'store.check',
    'store.copy',
    'store.migrate',
    'store.prune',
    'store.restore',
  ];
  // What hosts ask for, by `baton hook`.
  const ofHosts = ['session.note', 'session.start', 'session.work'];
  expect(Object.keys(library.catalogue).sort()).toEqual([...operations, ...ofHosts].sort());
  expect(commands.map(({ operation }) => operation as string).sort()).toEqual(operations);
  expect(commands.map(({ name }) => name).sort()).toEqual([
    ...'ack answer approve ask check claim create doctor edit extract fail import init list log release'.split(' '),
    ...'render renew reopen resume sessions show status'.split(' '),
    ...'backup check copy migrate prune restore'.split(' ').map((name) => `store ${name}`),
    'withdraw',
  ]);
});

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
    'invalid_input',
    'invalid_structure',
    'lease_lost',
    'not_found',
    'parse_error',
    'path_outside_root',
    'too_large',
    'unavailable',
    'unsupported_version',
  ]);
});
