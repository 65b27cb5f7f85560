import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import ts from 'typescript';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { Operation } from '../../../packages/batonpass/src/core/operation.ts';
import { catalogue, type OperationName } from '../../../packages/batonpass/src/operations/catalogue.ts';
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

interface Described {
  responses: Record<string, object>;
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
}

verifies(
  ['HTTP.openapi-size'],
  'it is under 160 KB, lists what is refused, and each example is what the operation accepts or answers',
  async () => {
    const { ask } = await openHttp();
    const text = await (await ask('/api/openapi.json')).text();
    expect(text.length).toBeLessThan(160_000);
    const { paths, components } = JSON.parse(text) as {
      paths: Record<string, Record<string, Described>>;
      components: { responses: Record<string, { content: Record<string, { example?: unknown }> }> };
    };
    const faults: unknown[] = [];
    for (const [name, { http }] of await doorsOfOperations()) {
      if (!http) continue;
      const methods = Object.entries(paths[`/api/${name}`] ?? {});
      expect([name, methods.length > 0]).toEqual([name, true]);
      const operation: Operation<never, z.ZodType, z.ZodType> = await catalogue[name]();
      for (const [method, { responses, requestBody }] of methods) {
        for (const status of ['401', '403', '405', '413', '415', '429'])
          if (responses[status] === undefined) faults.push([name, method, status]);
        const answer = components.responses[name]?.content['application/json']?.example;
        if (answer !== undefined && !(await operation.output()).safeParse(answer).success) faults.push([name, answer]);
        if (requestBody === undefined) continue;
        const { example } = requestBody.content['application/json'] ?? {};
        const { success, error } = operation.input.safeParse(example);
        if (!success) faults.push([name, example, error.message]);
      }
    }
    expect(faults).toEqual([]);
  },
);

async function doorsOfOperations(): Promise<[OperationName, { http: boolean }][]> {
  const names = Object.keys(catalogue) as OperationName[];
  return Promise.all(names.map(async (name) => [name, { http: (await catalogue[name]()).doors.http !== false }]));
}

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

/** Checks and compiles the program with the client next to it. @returns what is wrong with them. */
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
