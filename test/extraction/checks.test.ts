import { expect } from 'vitest';
import type { ToolCall } from '../../packages/batonpass/src/core/conversation.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { verifies } from '../verifies.ts';
import { dialogue, withCalls } from './dialogue.ts';

const ran = (command: string, exit_code = 0): ToolCall => ({
  name: 'Bash',
  command,
  effect: 'none',
  outcome: { is_error: exit_code !== 0, exit_code, text: exit_code === 0 ? '' : '1 failed' },
});

/** What is reported of checks where the agent ran these commands and then says that. */
function toldOf(claim: string, ...calls: ToolCall[]): { checks: string[]; contradicted: number } {
  const conversation = dialogue('Make the importer skip empty rows.', claim);
  const [, answer] = conversation.messages;
  if (answer !== undefined) answer.tool_calls = calls;
  const facts = extractByRules(conversation).where_it_stands;
  return {
    checks: facts.flatMap(({ kind, content }) => (kind === 'check' ? content : [])),
    contradicted: facts.filter(({ kind }) => kind === 'contradicted').length,
  };
}

verifies(['FIDELITY.checks'], 'a lint that passes hides no test that failed', () => {
  const { checks, contradicted } = toldOf('All tests pass.', ran('npm test', 1), ran('npm run lint'));
  expect(checks).toEqual([
    'Last check failed (exit code 1): `npm test`: 1 failed',
    'Last check succeeded: `npm run lint`',
  ]);
  expect(contradicted).toBe(1);
  expect(toldOf('Everything passes.', ran('npm test', 1), ran('npm run lint')).contradicted).toBe(1);
  expect(toldOf('Die Tests laufen durch.', ran('npm test', 1), ran('npm run lint')).contradicted).toBe(1);
});

verifies(['FIDELITY.checks'], 'a claim is held against the last run of the check that it names alone', () => {
  for (const calls of [
    [ran('npm test', 1), ran('npm test')],
    [ran('npx tsc --noEmit', 1), ran('npm test')],
    [ran('npm test', 1), ran('npm run check')],
  ])
    expect(toldOf('The tests pass.', ...calls).contradicted).toBe(0);
  expect(toldOf('The lint is clean.', ran('npx eslint .', 1), ran('npm test')).contradicted).toBe(1);
  expect(toldOf('The tests pass.', ran('npm test'), ran('npm run check', 1)).contradicted).toBe(1);
});

verifies(['FIDELITY.checks'], 'the last check is known by a script of a longer name, too', () => {
  const { checks } = toldOf('It builds.', ran('npm run build', 1), ran('pnpm run build-only --watch=false'));
  expect(checks).toEqual(['Last check succeeded: `pnpm run build-only --watch=false`']);
  expect(toldOf('Done.', ran('npm run report-test')).checks).toEqual([]);
});

verifies(['FIDELITY.checks'], 'a failure names its reason, not the line with the exit code', () => {
  const failed = { is_error: true, exit_code: 1, text: 'Error: Exit code 1\n2 failed' };
  expect(toldOf('It fails.', { ...ran('npm test', 1), outcome: failed }).checks).toEqual([
    'Last check failed (exit code 1): `npm test`: 2 failed',
  ]);
});

verifies(['FIDELITY.checks'], 'the last check is shown without the text that its command writes', () => {
  const { checks } = toldOf('It builds.', ran("python - <<'PY'\ntext = 'test'\nPY\nnpm run build"));
  expect(checks).toEqual(['Last check succeeded: `python - <<… npm run build`']);
});

verifies(['FIDELITY.checks'], 'a check whose exit code another command gave is reported as such', () => {
  for (const command of ['npm test 2>&1 | tail -5', 'npm test; echo done', 'npm test || true'])
    expect(toldOf('Fine.', ran(command)).checks).toEqual([`Last check, result unknown: \`${command}\``]);
  for (const command of ['cd app && npm test 2>&1', 'git status; npm test', 'set -o pipefail; npm test | tail'])
    expect(toldOf('Fine.', ran(command)).checks).toEqual([`Last check succeeded: \`${command}\``]);
});

verifies(['FIDELITY.checks'], 'a pipe hides the check in it alone, and a line without a word is no reason', () => {
  const told = (command: string, exit_code: number, text = 'ok') =>
    extractByRules(
      withCalls({ name: 'Bash', command, effect: 'none', outcome: { is_error: exit_code !== 0, exit_code, text } }),
    )
      .where_it_stands.map(({ content }) => content)
      .join();
  expect(told('npm test && git log | head', 0)).toContain('Last check succeeded');
  expect(told('npm test | tail', 0)).toContain('result unknown');
  expect(told('npm test; git log', 0)).toContain('result unknown');
  expect(told('npm test', 5, '--------\nNO TESTS RAN')).toContain('NO TESTS RAN');
});

verifies(['FIDELITY.checks'], 'a check of unknown result is left out when the agent reported after it', () => {
  const conversation = dialogue('Make the tests pass.', 'I run them.', 'And?', 'All of them pass.');
  const [, answer, , report] = conversation.messages;
  if (answer === undefined || report === undefined) throw new Error('The conversation has four messages.');
  const checks = () =>
    extractByRules(conversation).where_it_stands.flatMap(({ kind, content }) => (kind === 'check' ? content : []));
  answer.tool_calls = [ran('npm test | tail -5')];
  expect(checks()).toEqual([]);
  report.tool_calls = [ran('npm run lint | tail -5')];
  expect(checks()).toEqual(['Last check, result unknown: `npm run lint | tail -5`']);
});

const wrote: ToolCall = { name: 'Write', path: 'src/a.ts', effect: 'write', outcome: { is_error: false, text: 'ok' } };
const inBackground = (command: string): ToolCall => ({
  name: 'Bash',
  command,
  effect: 'none',
  outcome: { is_error: false, text: 'Command running in background with ID: b1', background: 'b1' },
});

verifies(['FIDELITY.checks'], 'a check that something hides, or that still runs, is no result and did not work', () => {
  for (const hidden of [
    ran('npm test 2>&1 | tail -20'),
    ran('pytest -q || true'),
    ran('go test ./... | tee out.log'),
    inBackground('npm test'),
  ]) {
    const { results, environment, tried } = extractByRules(withCalls(hidden, ran('node app.js')));
    expect(results).toEqual([]);
    expect(environment).toEqual([{ content: '`node app.js`' }]);
    expect(tried).toEqual([]);
  }
  const afterFailure = extractByRules(withCalls(ran('npm test src', 1), ran('npm test | tail'), ran('node app.js')));
  expect(afterFailure.tried).toEqual([{ what: '`npm test src`', outcome: '1 failed' }]);
  expect(toldOf('I wait.', ran('npm test', 1), inBackground('npm test')).checks).toEqual([
    'Last check, still running: `npm test`',
  ]);
  const server = extractByRules(withCalls(inBackground('npm start'))).environment;
  expect(server).toEqual([{ content: '`npm start` (started in the background, result unknown)' }]);
});

verifies(['FIDELITY.checks'], 'a check that files were changed after is told as one before these changes', () => {
  expect(toldOf('Renamed.', ran('npm test'), wrote).checks).toEqual([
    'Last check succeeded (before later changes): `npm test`',
  ]);
  expect(toldOf('Renamed.', ran('npm test'), wrote, ran('npm test')).checks).toEqual([
    'Last check succeeded: `npm test`',
  ]);
  expect(toldOf('I fix it.', ran('npm test', 1), wrote).checks).toEqual([
    'Last check failed (exit code 1, before later changes): `npm test`: 1 failed',
  ]);
  const failed = { ...wrote, outcome: { is_error: true, text: 'denied' } };
  expect(toldOf('No.', ran('npm test'), failed).checks).toEqual(['Last check succeeded: `npm test`']);
  expect(extractByRules(withCalls(ran('npm test'), wrote)).results).toMatchObject([
    {},
    { description: '`npm test`: exit code 0, before later changes.' },
  ]);
});

verifies(['FIDELITY.checks'], 'a last command that was killed is told as failed, next to a check that passed', () => {
  const killed = { ...ran('python bench.py'), outcome: { is_error: true, exit_code: 137, text: 'Killed' } };
  expect(toldOf('It was killed.', ran('pytest -q'), killed, ran('ls')).checks).toEqual([
    'Last check succeeded: `pytest -q`',
    'Last command failed (exit code 137): `python bench.py`: Killed',
  ]);
  expect(toldOf('It works.', killed, ran('python bench.py')).checks).toEqual([]);
});

verifies(
  ['FIDELITY.checks'],
  'commands that only tidy up, or that are a loop over what there is, are not worth knowing',
  () => {
    const commands = [
      'npm run build',
      'del src\\old.ts',
      'Remove-Item src/old.ts',
      'for folder in api web; do echo $folder; node probe.js; done',
      'if [ -f .env ]; then node probe.js; fi',
    ];
    const told = extractByRules(withCalls(...commands.map((command) => ran(command)))).environment;
    expect(told.map(({ content }) => content)).toEqual(['`npm run build`']);
  },
);

verifies(
  ['FIDELITY.checks'],
  'without an exit code of its own a command worked where its output names no failure',
  () => {
    const told = (command: string, text: string) =>
      extractByRules(withCalls({ name: 'Bash', command, effect: 'none', outcome: { is_error: false, text } }))
        .environment;
    expect(told('node shot.js 2>&1 | tail -5', "  code: 'MODULE_NOT_FOUND',\n}")).toEqual([]);
    expect(told('node shot.js', 'TypeError: no page')).toEqual([]);
    // One that is cut cannot be run.
    expect(told(`node shot.js ${'--page tides '.repeat(30)}`, 'ok')).toEqual([]);
    expect(told('node shot.js', 'Found 0 errors, no exceptions.')).toHaveLength(1);
    expect(told('curl -s localhost:8080/tides; kill 9013; curl -s localhost:8080/health', 'ok')).toEqual([]);
  },
);

verifies(['FIDELITY.checks'], 'the cause of a failure is no warning and no place in a script', () => {
  const causeOf = (text: string) => {
    const call: ToolCall = { ...ran('python fetch.py', 1), outcome: { is_error: true, exit_code: 1, text } };
    return extractByRules(withCalls(call, ran('npm test'))).tried[0]?.outcome;
  };
  expect(causeOf('Deprecated Feature: Python 3.9 support will fail soon.\nThe file is empty.')).toBe(
    'The file is empty.',
  );
  const shell = "At line:1 char:44\n+ cd api && npm test\n+ ~~\nThe token '&&' is not a valid separator.";
  expect(causeOf(shell)).toBe("The token '&&' is not a valid separator.");
  expect(causeOf('Exit code: 1\nOutput:\n')).toBe('no output');
  expect(causeOf('Warning: the cache is old.')).toBe('Warning: the cache is old.');
});

verifies(['FIDELITY.checks'], 'a command that the person forbade is not among those that worked', () => {
  const conversation = withCalls(
    ran('npx task-master init --yes'),
    ran('npx task-master list'),
    ran('npm run build'),
    ran('npm run deploy -- --all'),
  );
  const [first] = conversation.messages;
  if (first !== undefined)
    first.text = 'Never run npm run deploy yourself. Do not reinit task-master, we never want that.';
  const told = extractByRules(conversation).environment.map(({ content }) => content);
  expect(told).toEqual(['`npm run build`', '`npx task-master list`']);
});
