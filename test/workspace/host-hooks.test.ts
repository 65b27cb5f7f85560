import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect } from 'vitest';
import {
  createHookSettings,
  registerHooks,
  removeHooks,
} from '../../packages/batonpass/src/workspace/hosts/host-hooks.ts';
import type { Launcher } from '../../packages/batonpass/src/workspace/hosts/launcher.ts';
import { recordedTranscript } from '../../packages/batonpass/src/workspace/hosts/recorded-payloads.ts';
import { verifies } from '../verifies.ts';
import { npxLauncher } from './npx-launcher.ts';
import { settingsShapes } from './settings-shapes.ts';

const path = { path: '.claude/settings.json', host: 'claude-code' } as const;
const hookEvents = Object.keys(createHookSettings(npxLauncher));
const globalLauncher: Launcher = { kind: 'global', hook: ['baton'], server: ['baton'], reason: '' };
const register = (text: string, launcher: Launcher = npxLauncher) => registerHooks(text, path, launcher);

type Hooks = Record<string, { hooks?: { command?: string; args?: string[] }[] }[]>;
const hooksOf = (text: string): Hooks => (parse(text) as { hooks: Hooks }).hooks;
const isOurs = ({ args, command }: { command?: string; args?: string[] }) =>
  args?.at(-2) === 'hook' && (command === 'npx' || command === 'baton' || command === 'node');
const countOurs = (text: string) =>
  Object.values(hooksOf(text))
    .flatMap((groups) => groups.flatMap((group) => (Array.isArray(group?.hooks) ? group.hooks : [])))
    .filter(isOurs).length;

/** Whether a text came from another by insertions alone: each of its characters is there still, in order. */
function isGrownFrom(before: string, after: string): boolean {
  let place = 0;
  for (const character of before) {
    place = after.indexOf(character, place) + 1;
    if (place === 0) return false;
  }
  return true;
}

for (const { name, text, after_removal = text } of settingsShapes) {
  verifies(['INIT.merge', 'INIT.idempotent'], `hooks are merged into ${name}, and removed again`, () => {
    const once = register(text);
    expect(register(once)).toBe(once);
    expect(countOurs(once)).toBe(hookEvents.length);
    for (const event of hookEvents) {
      expect(hooksOf(once)[event]?.at(-1)).toEqual(createHookSettings(npxLauncher)[event]?.[0]);
    }
    if (text.trim() !== '') expect(isGrownFrom(text, once)).toBe(true);
    if (text.includes('\r\n') && !text.includes('"opus",\n')) expect(once.replaceAll('\r\n', '')).not.toContain('\n');
    expect(removeHooks(once, path, text)).toBe(after_removal);
    expect(removeHooks(text, path, text)).toBe(text);
  });
}

verifies(['INIT.merge'], 'what is inserted is laid out like what is there', () => {
  expect(register('{\n\t"a": 1, // one\n}\n')).toMatch(
    /^\{\n\t"a": 1, \/\/ one\n\t"hooks": \{\n\t\t"SessionStart": \[\n\t\t\t\{\n\t\t\t\t"matcher": "startup\|resume\|clear\|compact\|fork",\n[\s\S]*\n\t\},\n\}\n$/,
  );
  expect(register('{"a":1}')).toMatch(/^\{"a":1,"hooks":\{"SessionStart":\[\{"matcher":[^\n ]*\}\}$/);
  expect(register('{\n  "a": 1 // one\n  // more\n}\n')).toMatch(
    /^\{\n {2}"a": 1, \/\/ one\n {2}"hooks": \{[\s\S]*\n {2}\}\n {2}\/\/ more\n\}\n$/,
  );
});

const older = [
  ['another launcher', '{ "type": "command", "command": "baton", "args": ["hook", "Stop"], "timeout": 10 }'],
  [
    'another time-out',
    '{ "type": "command", "command": "npx", "args": ["-y", "batonpass", "hook", "Stop"], "timeout": 60 }',
  ],
  ['a version', '{ "type": "command", "command": "npx", "args": ["-y", "batonpass@0.0.1", "hook", "Stop"] }'],
  ['one line for a shell', '{ "type": "command", "command": "npx -y batonpass hook Stop" }'],
  ['a script', '{ "command": "node \\"/opt/my tools/batonpass/bin/baton.js\\" hook Stop" }'],
  [
    'a script of Windows',
    '{ "command": "node", "args": ["C:\\\\npm\\\\node_modules\\\\batonpass\\\\bin\\\\baton.js", "hook", "Stop"] }',
  ],
] as const;

for (const [name, handler] of older) {
  verifies(['INIT.older'], `an older registration with ${name} is replaced by a present one`, () => {
    const foreign = '{ "type": "command", "command": "say done" }';
    const alone = register(
      `{\n  "hooks": {\n    "Stop": [\n      { "hooks": [${handler}] }, // remark\n      { "hooks": [${foreign}] }\n    ]\n  }\n}\n`,
    );
    expect(hooksOf(alone).Stop).toEqual([createHookSettings(npxLauncher).Stop?.[0], { hooks: [JSON.parse(foreign)] }]);
    expect(alone).toContain('// remark');
    const shared = register(`{ "hooks": { "Stop": [{ "hooks": [${handler}, ${foreign}] }] } }`);
    expect(hooksOf(shared).Stop).toEqual([{ hooks: [JSON.parse(foreign)] }, createHookSettings(npxLauncher).Stop?.[0]]);
    const doubled = register(`{ "hooks": { "Stop": [{ "hooks": [${handler}] }, { "hooks": [${handler}] }] } }`);
    expect(countOurs(doubled)).toBe(hookEvents.length);
    expect(countOurs(register(doubled, globalLauncher))).toBe(hookEvents.length);
  });
}

verifies(['INIT.older', 'INIT.merge'], 'a line of the user’s that runs our hook stays, and is not doubled', () => {
  for (const command of ['baton hook Stop || true', 'echo hello; npx -y batonpass hook Stop']) {
    const text = `{ "hooks": { "Stop": [{ "hooks": [{ "command": "${command}" }] }] } }`;
    const once = register(text);
    expect(hooksOf(once).Stop).toEqual([{ hooks: [{ command }] }]);
    expect(countOurs(once)).toBe(hookEvents.length - 1);
    expect(removeHooks(once, path, text)).toBe(text);
  }
});

verifies(['INIT.older'], 'a registration of ours on an event that is not ours any more goes', () => {
  const text = `{ "hooks": { "PostCompact": [{ "hooks": [{ "command": "baton hook PostCompact" }] }], "Stop": [] } }`;
  expect(Object.keys(hooksOf(register(text)))).not.toContain('PostCompact');
});

verifies(['INIT.idempotent'], 'what a user adds to our entry stays, and is no reason to write', () => {
  const text = register('{}').replace('"timeout": 5', '"timeout": 5, "statusMessage": "Saving"');
  expect(register(text)).toBe(text);
});

const settingsValue = fc.dictionary(
  fc
    .oneof(fc.string({ unit: 'binary' }), fc.constantFrom('hooks', 'env', 'permissions'))
    .filter((key) => key !== 'hooks'),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 6 },
);
const foreignHooks = fc.dictionary(
  fc.constantFrom(...hookEvents, 'PreToolUse', 'Notification'),
  fc.array(
    fc.record(
      {
        matcher: fc.string(),
        hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() }), { maxLength: 2 }),
      },
      { requiredKeys: ['hooks'] },
    ),
    { maxLength: 3 },
  ),
);
const layout = fc.constantFrom<[string | undefined, string]>(
  ['  ', '\n'],
  ['\t', '\r\n'],
  [undefined, '\n'],
  ['', '\n'],
);

verifies(
  ['INIT.merge', 'INIT.idempotent'],
  'any settings: foreign values stay, twice is once, taking out is exact',
  () => {
    fc.assert(
      fc.property(settingsValue, fc.option(foreignHooks, { nil: undefined }), layout, (rest, hooks, [indent, eol]) => {
        const value = hooks === undefined ? rest : { ...rest, hooks };
        const text = JSON.stringify(value, null, indent).replaceAll('\n', eol);
        const once = register(text);
        expect(register(once)).toBe(once);
        const { hooks: merged, ...others } = JSON.parse(once) as { hooks: Hooks };
        expect(others).toEqual(JSON.parse(JSON.stringify(rest)));
        for (const [event, groups] of Object.entries(hooks ?? {})) {
          expect(merged[event]?.slice(0, groups.length)).toEqual(JSON.parse(JSON.stringify(groups)));
        }
        expect(removeHooks(once, path, text)).toBe(text);
        expect(JSON.parse(removeHooks(once, path, ''))).toEqual(withoutEmptyLists(JSON.parse(text), merged));
      }),
      { numRuns: 300 },
    );
  },
);

/** Without knowing what was there before, lists that only Baton filled go. */
function withoutEmptyLists(value: { hooks?: Hooks }, merged: Hooks): unknown {
  if (value.hooks === undefined) return value;
  const kept = Object.entries(value.hooks).filter(
    ([event, groups]) => groups.length > 0 || !(event in createHookSettings(npxLauncher)),
  );
  const { hooks: _, ...rest } = value;
  return kept.length === 0 && Object.keys(merged).length > 0 ? rest : { ...value, hooks: Object.fromEntries(kept) };
}

verifies(['INIT.broken'], 'what is no JSON or of another form is refused with line and column', () => {
  const cases: [string, string, RegExp][] = [
    ['{\n  "a": 1,\n  "b" 2\n}', 'parse_error', /settings\.json:3:7 .*colon/],
    ['{ "a": "x', 'parse_error', /settings\.json:1:/],
    ['{\n} trailing', 'parse_error', /settings\.json:2:3/],
    ['/* open', 'parse_error', /settings\.json:1:/],
    ['[]', 'invalid_structure', /settings\.json:1:1 holds an array/],
    ['null', 'invalid_structure', /settings\.json:1:1 holds null/],
    ['{\n  "hooks": []\n}', 'invalid_structure', /settings\.json:2:12 has an array for "hooks"/],
    ['{ "hooks": { "Stop": {} } }', 'invalid_structure', /settings\.json:1:22 has an object for the hooks of Stop/],
    [`{ "a": ${'['.repeat(200_000)}`, 'invalid_structure', /nested too deeply/],
  ];
  for (const [text, code, message] of cases) {
    expect(() => register(text)).toThrowError(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  }
});

verifies(['DOCTOR.runs'], 'the rows of a session that is tried follow each other as their host writes them', () => {
  const chainOf = (host: 'claude-code' | 'copilot-cli', id: string, parent: string) => {
    const session = { host, session_id: 's', transcript_path: 't', cwd: '/c' };
    const rows = recordedTranscript(session, '2026-11-20T12:00:00.000Z').trimEnd().split('\n');
    const read = rows.map((row) => JSON.parse(row) as Record<string, unknown>);
    return { ids: read.map((row) => row[id]), parents: read.map((row) => row[parent]) };
  };
  for (const { ids, parents } of [
    chainOf('claude-code', 'uuid', 'parentUuid'),
    chainOf('copilot-cli', 'id', 'parentId'),
  ]) {
    expect(new Set(ids).size).toBe(ids.length);
    expect(parents).toEqual([null, ...ids.slice(0, -1)]);
  }
});

verifies(['DOCTOR.runs'], 'the text of a session that is tried is of the kind that Codex gives its speaker', () => {
  const session = { host: 'codex', session_id: 's', transcript_path: 't', cwd: '/c' } as const;
  const [, ...rows] = recordedTranscript(session, '2026-11-20T12:00:00.000Z').trimEnd().split('\n');
  const kinds = rows.map((row) => {
    const { role, content } = JSON.parse(row).payload as { role: string; content: { type: string }[] };
    return `${role}: ${content.map(({ type }) => type).join()}`;
  });
  expect(new Set(kinds)).toEqual(new Set(['user: input_text', 'assistant: output_text']));
});
