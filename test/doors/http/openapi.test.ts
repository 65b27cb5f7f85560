import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import ts from 'typescript';
import { expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { openHttp } from './http-stage.ts';

/** What somebody writes who has only the description: each field and answer by its own type. */
const program = `
import { client } from './client/client.gen.js';
import { handoffAcknowledge, handoffClaim, handoffCreate, handoffGet, handoffListGet } from './client/sdk.gen.js';

export async function pass(baseUrl: string, token: string): Promise<{ id: string; states: string[]; code: string }> {
  client.setConfig({ baseUrl, auth: token });
  const created = await handoffCreate({
    body: { content: { summary: 'Finish the login form', decisions: ['Use sessions'], task_id: 'auth' } },
    headers: { 'Idempotency-Key': 'once' },
    throwOnError: true,
  });
  const id: string = created.data.id;
  const claimed = await handoffClaim({ body: { task_id: 'auth', lease_ms: 60_000 }, throwOnError: true });
  const handoff = claimed.data.handoff;
  if (handoff === null || handoff.id !== id) throw new Error('Another one was claimed.');
  await handoffAcknowledge({ body: { id, token: handoff.delivery.lease?.token ?? '' }, throwOnError: true });
  const listed = await handoffListGet({ query: { state: ['acknowledged'], limit: 5 }, throwOnError: true });
  const { error } = await handoffGet({ body: { id: 'ZZZZZZZZ' } });
  return { id, states: listed.data.handoffs.map((each) => each.delivery.state), code: String(error?.code) };
}
// @ts-expect-error: a field that is none.
void handoffClaim({ body: { lease: 1 } });
`;

verifies(['HTTP.openapi'], 'the description is OpenAPI 3.1 to an outside judge', async () => {
  const { ask } = await openHttp();
  const validator = new Validator();
  const { valid, errors } = await validator.validate(
    (await (await ask('/api/openapi.json')).json()) as Record<string, unknown>,
  );
  expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
});

verifies(['HTTP.openapi'], 'a client that is generated from the description hands over and claims', async () => {
  const { server, ask } = await openHttp();
  const folder = mkdtempSync(join(tmpdir(), 'baton-client-'));
  try {
    const input = (await (await ask('/api/openapi.json')).json()) as Record<string, unknown>;
    await createClient({ input, output: join(folder, 'client'), logs: { level: 'silent' } });
    expect(compile(folder)).toEqual([]);
    const { pass } = (await import(pathToFileURL(join(folder, 'made', 'program.js')).href)) as {
      pass: (url: string, token: string) => Promise<object>;
    };
    expect(await pass(server.url, server.token ?? '')).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      states: ['acknowledged'],
      code: 'not_found',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Checks and compiles the program with the client beside it. @returns what is wrong with them. */
function compile(folder: string): string[] {
  writeFileSync(join(folder, 'program.ts'), program);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const made = ts.createProgram([join(folder, 'program.ts')], {
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    skipLibCheck: true,
    rootDir: folder,
    outDir: join(folder, 'made'),
  });
  const { diagnostics } = made.emit();
  return [...ts.getPreEmitDiagnostics(made), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}
