import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Handoff } from '../../packages/batonpass/src/index.ts';
import type { ClaudeCode } from '../hosts/claude-code.ts';
import { HookStage } from '../hosts/hook-stage.ts';
import { until } from '../hosts/real/until.ts';
import { goodAnswer } from './session.ts';

export let stage: HookStage;

/** A stage for each test of the file that calls this. */
export function useStage(): void {
  beforeEach(async () => {
    stage = new HookStage(realpathSync(mkdtempSync(join(tmpdir(), 'baton-asking-test-'))));
    await stage.register();
    standIn({ structured_output: goodAnswer });
    choose('host');
  });

  afterEach(async () => {
    await settled();
    stage.remove();
  });
}

export const at = (...names: string[]) => join(stage.folder, ...names);

/** What the person configured. */
export function choose(extractor: string): void {
  mkdirSync(at('home/.config/baton'), { recursive: true });
  writeFileSync(at('home/.config/baton/config.json'), JSON.stringify({ extractor }));
}

/** A program that speaks the command line of Claude Code: it leaves what it was started with, and answers this. */
export function standIn(result: object, place = 'bin/claude', exit_code = 0): void {
  const cost = {
    usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 7 },
    modelUsage: { 'a-model': {} },
  };
  const printed = JSON.stringify({ type: 'result', ...cost, ...result });
  stage.write(
    place,
    `#!${process.execPath}
const { readFileSync, appendFileSync } = require('node:fs');
const call = { words: process.argv.slice(2), environment: process.env, cwd: process.cwd(), asked: readFileSync(0, 'utf8') };
appendFileSync(${JSON.stringify(at(`${place.replaceAll('/', '-')}.jsonl`))}, JSON.stringify(call) + '\\n');
process.stdout.write(${JSON.stringify(printed)});
process.exitCode = ${exit_code};
`,
  );
}

interface Call {
  words: string[];
  environment: Record<string, string>;
  cwd: string;
  asked: string;
}

export function calls(place = 'bin/claude'): Call[] {
  const path = at(`${place.replaceAll('/', '-')}.jsonl`);
  if (!existsSync(path)) return [];
  // The program may be in the middle of its last line.
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Call);
}

/** Until no save waits, and no worker is at one or waits for an answer. A worker that finds nothing to do notes its run too. */
export async function settled(): Promise<void> {
  const runs = () => {
    const log = join(stage.project, '.git/baton/hooks.jsonl');
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    return lines.map((line) => (JSON.parse(line) as { event: string }).event);
  };
  const saves = () => runs().filter((event) => !['work', 'SessionStart', 'UserPromptSubmit'].includes(event)).length;
  const left = () => {
    const folder = join(stage.project, '.git/baton/sessions');
    return existsSync(folder) ? readdirSync(folder).filter((name) => /\b(?:job|work|lock)\b/.test(name)) : [];
  };
  await until(
    () => left().length === 0 && runs().filter((event) => event === 'work').length >= saves(),
    () => `the workers to end: ${runs()}; ${left()}`,
  );
}

export const list = (state: string): Promise<Handoff[]> =>
  stage.run(async (baton) => (await baton.run('handoff.list', { state: [state as 'open'] })).handoffs);

/** A session of four turns that is over. */
export async function play(code = stage.startHost()): Promise<void> {
  await code.startSession();
  converse(code);
  await code.endSession();
  await settled();
}

/** Four turns. */
export function converse(code: ClaudeCode): void {
  code.say('user', 'Add a login to the shop. Never store the e-mail in localStorage, we promised that.');
  code.say('assistant', 'I will use signed tokens of 15 minutes instead of sessions in Redis.');
  code.say('user', 'Fine. And please keep the old endpoint alive until March.');
  code.say('assistant', 'The old endpoint stays as it is.');
}

/** The agent does not answer before `answerNow`. */
export function answerLate(): void {
  const text = readFileSync(at('bin/claude'), 'utf8');
  const wait = `while (!require('node:fs').existsSync(${JSON.stringify(at('go-on'))})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`;
  stage.write('bin/claude', text.replace('process.stdout', `${wait}\nprocess.stdout`));
}

export async function untilAsked(): Promise<void> {
  await until(
    () => calls().length > 0,
    () => 'the agent to be asked',
  );
}

/** Lets the agent that is asked answer, and waits for what follows. */
export async function answerNow(): Promise<void> {
  writeFileSync(at('go-on'), '');
  await settled();
}
