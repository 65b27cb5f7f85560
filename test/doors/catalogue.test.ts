import { afterAll, afterEach, expect } from 'vitest';
import { problemKinds } from '../../packages/batonpass/src/doors/http/problem.ts';
import { type Shown, shownResults } from '../../packages/batonpass/src/doors/mcp/shown-results.ts';
import { startHttpServer } from '../../packages/batonpass/src/http.ts';
import {
  type Baton,
  catalogue,
  HandoffError,
  type HandoffErrorCode,
  type OperationName,
  openBaton,
} from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';
import { type Case, cases, type Prepared } from './catalogue-cases.ts';
import { connectTo } from './mcp-client.ts';
import { openStage, program, type Stage } from './stage.ts';

/** A stage with a library on the very store that its command line uses. */
interface Place {
  stage: Stage;
  baton: Baton;
  /** What the case made in it. */
  prepared: Prepared;
}

const names = Object.keys(cases) as (keyof typeof cases)[];
const caseOf = (name: keyof typeof cases) => cases[name] as unknown as Case;

/** Of this test, and of the whole file. */
const opened: { test: Place[]; file: Place[] } = { test: [], file: [] };

afterEach(() => close(opened.test));
afterAll(() => close(opened.file));

async function close(places: Place[]): Promise<void> {
  for (const { stage, baton } of places.splice(0)) {
    await baton.close();
    stage.close();
  }
}

async function open(until: keyof typeof opened, given?: Case): Promise<Place> {
  const stage = openStage({ git: true });
  const baton = await openBaton({ cwd: stage.folder, environment: stage.environment, program });
  const prepared = { id: '', token: '', folder: stage.folder };
  const place = { stage, baton, prepared: { ...prepared, ...(await given?.prepare?.(baton)) } };
  opened[until].push(place);
  return place;
}

const shared = new Map<string, Promise<Place>>();

/** One place for all that changes nothing there. */
function share(name: string, given?: Case): Promise<Place> {
  const place = shared.get(name) ?? open('file', given);
  shared.set(name, place);
  return place;
}

/** Where an operation is asked: in a fresh place, or where it only reads in the same one through every door. */
async function placeFor(name: keyof typeof cases): Promise<Place> {
  const { mutates } = await catalogue[name]();
  return mutates ? open('test', caseOf(name)) : share(name, caseOf(name));
}

/** Where every refusal is asked for, since it changes nothing; a refused operation on stores must find none. */
const placeOfRefusals = (name: string) => share(name.startsWith('store.') ? 'no store' : 'refusals');

/** What differs between two equal runs: ids, instants, tokens, hashes of what holds a commit, folders, sizes of files. */
function withoutChance(answer: unknown, folder: string): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(folder, 'FOLDER')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'INSTANT')
    .replace(/\b\d{8}-\d{6}\b/g, 'TIME')
    // A process that has the store open keeps a part of it in the log.
    .replace(/"(log_bytes|bytes)":\d+/g, '"$1":0')
    .replace(/\bbaton_[0-9a-f]{24}_[\w-]{43}/g, 'TOKEN')
    .replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{48}|[0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{24})\b/g, 'HASH')
    .replace(/\b\d+ (?:seconds?|s)\b/g, 'AGE')
    .replace(/"age_s":\d+/g, '"age_s":0');
  return JSON.parse(text);
}

const answers = new Map<OperationName, unknown>();

/** What the library answers to a case, without chance: asked once, for all doors to be held against. */
async function askLibrary(name: keyof typeof cases): Promise<unknown> {
  if (!answers.has(name)) {
    const { baton, stage, prepared } = await placeFor(name);
    const answer = await baton.run(name, caseOf(name).input(prepared) as never);
    answers.set(name, withoutChance(answer, stage.folder));
  }
  return answers.get(name);
}

for (const name of names) {
  verifies(
    ['CLI.catalogue', 'CLI.json'],
    `${name} answers alike through the library and the command line`,
    async () => {
      const byLibrary = await askLibrary(name);
      const { stage, prepared } = await placeFor(name);
      const byCommand = await stage.json(caseOf(name).words(prepared));

      // A handoff is under the same key in every command, also where others are next to it.
      const isHandoff = 'delivery' in (byLibrary as object);
      expect(withoutChance(byCommand, stage.folder)).toEqual(isHandoff ? { handoff: byLibrary } : byLibrary);
    },
  );

  verifies(['CLI.catalogue', 'CLI.errors'], `${name} refuses alike through both doors`, async () => {
    const { stage, baton } = await placeOfRefusals(name);
    const { input, words, code } = caseOf(name).wrong;
    const refused = await baton.run(name, input as never).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HandoffError);
    expect((refused as HandoffError).code).toBe(code);

    const { stdout, stderr, code: exitCode } = await stage.baton([...words, '--json']);
    expect(stdout).toBe('');
    expect(exitCode).not.toBe(0);
    expect(JSON.parse(stderr).error).toMatchObject({ code, message: expect.stringMatching(/./) });
    const { errors } = await catalogue[name]();
    if (code !== 'invalid_input') expect(errors).toContain(code);
  });
}

verifies(['CLI.catalogue'], 'every operation declares only errors and doors that exist, and its name', async () => {
  for (const [name, load] of Object.entries(catalogue)) {
    const operation = await load();
    expect(operation.name).toBe(name);
    expect(operation.summary).toMatch(/^[A-Z].*\.$/);
    expect(operation.errors.length).toBeGreaterThan(0);
  }
});

/** The tool and the action of each operation that has one. */
const tools = new Map<OperationName, { tool: string; action?: string }>();
for (const [name, load] of Object.entries(catalogue)) {
  const { doors } = await load();
  if (doors.mcp !== undefined) tools.set(name as OperationName, doors.mcp);
}

/** Calls an operation's tool with its own input, as the client and agent "tester". */
async function callTool(baton: Baton, name: OperationName, input: object) {
  const { tool = '', ...action } = tools.get(name) ?? {};
  const { call, close } = await connectTo(baton);
  const answer = await call(tool, { ...action, ...input });
  await close();
  return answer;
}

for (const name of names.filter((each) => tools.has(each))) {
  const given = caseOf(name);
  verifies(['MCP.catalogue'], `${name} answers alike through the library and MCP`, async () => {
    const left = await placeFor(name);
    const actor = { name: 'tester', type: 'agent' } as const;
    const byLibrary = await left.baton.run(name, given.input(left.prepared) as never, { actor });
    const now_ms = left.baton.context.now();
    const shown = shownResults[name] as Shown | undefined;

    const right = await placeFor(name);
    const { isError, structuredContent } = await callTool(right.baton, name, given.input(right.prepared));
    expect(isError).not.toBe(true);
    expect(withoutChance(structuredContent, right.stage.folder)).toEqual(
      withoutChance(shown === undefined ? byLibrary : shown.show(byLibrary, now_ms), left.stage.folder),
    );
  });

  verifies(['MCP.catalogue', 'MCP.errors'], `${name} refuses alike through MCP`, async () => {
    const { baton } = await placeOfRefusals(name);
    const answer = await callTool(baton, name, given.wrong.input);
    expect(answer).toMatchObject({ isError: true, structuredContent: { error: { code: given.wrong.code } } });
  });
}

verifies(['MCP.catalogue'], 'every operation with a tool has a case, or takes messages', () => {
  const others = [...tools.keys()].filter((name) => !Object.hasOwn(cases, name));
  // Compared through all doors in plan-messages.test.ts.
  expect(others).toEqual(['plan.answer', 'plan.consult']);
});

/** The operations that the API has. */
const routes: OperationName[] = [];
for (const [name, load] of Object.entries(catalogue))
  if ((await load()).doors.http !== false) routes.push(name as OperationName);

/** Asks a real server for an operation, as the user whose server it is. */
async function callRoute(baton: Baton, name: OperationName, input: object) {
  const server = await startHttpServer(baton);
  try {
    const answer = await fetch(`${server.url}/api/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    return { status: answer.status, body: (await answer.json()) as { code?: string } };
  } finally {
    await server.close();
  }
}

for (const name of names.filter((each) => routes.includes(each))) {
  const given = caseOf(name);
  verifies(['HTTP.catalogue'], `${name} answers alike through the library and HTTP`, async () => {
    const byLibrary = await askLibrary(name);
    const { stage, baton, prepared } = await placeFor(name);
    const { status, body } = await callRoute(baton, name, given.input(prepared));
    expect(withoutChance(body, stage.folder)).toEqual(byLibrary);
    expect(status).toBe(200);
  });

  verifies(['HTTP.catalogue', 'HTTP.errors'], `${name} refuses alike through HTTP`, async () => {
    const { baton } = await placeOfRefusals(name);
    const { status, body } = await callRoute(baton, name, given.wrong.input);
    expect(body.code).toBe(given.wrong.code);
    expect(status).toBe(problemKinds[given.wrong.code as HandoffErrorCode].status);
  });
}

verifies(['HTTP.catalogue'], 'every operation of the API has a case, or asks a model', () => {
  // Asked over HTTP in planning-by-agent.test.ts, where a server answers for the model; messages in TOON in pages.test.ts.
  const elsewhere = ['plan.answer', 'plan.consult', 'planning.run', 'planning.start'];
  expect(routes.filter((name) => !Object.hasOwn(cases, name)).sort()).toEqual(elsewhere);
});
