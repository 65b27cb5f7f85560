import { expect } from 'vitest';
import { showHidden } from '../../packages/batonpass/src/core/hidden-characters.ts';
import { showHiddenIn } from '../../packages/batonpass/src/core/shown-values.ts';
import { verifies } from '../verifies.ts';
import { openHttp } from './http/http-stage.ts';
import { connectToCommand, revisions } from './mcp-client.ts';
import { openStage } from './stage.ts';

const hidden = {
  'a C1 control': '\u009b',
  'the next line of C1': '\u0085',
  'a tag character': '\u{E0041}',
  'an override of direction': '\u202E',
  'an isolate': '\u2066',
  'a left-to-right mark': '\u200E',
  'a right-to-left mark': '\u200F',
  'an Arabic mark of direction alone': '\u061C',
  'a zero width space': '\u200B',
  'a word joiner': '\u2060',
  'a byte order mark': '\uFEFF',
  'an escape': '\u001b',
};
const all = Object.values(hidden);
const raw = new RegExp(`[${all.join('')}]`, 'u');
const escaped = /\\u(?:00[01789][0-9a-f]|061c|20[0-6][0-9a-f]|feff|db40)/i;

/** Neither in the bytes of an answer, nor in JSON as an escape that a parser turns into them. */
function assertShown(...texts: string[]): void {
  for (const text of texts) {
    expect(text).not.toMatch(raw);
    if (/^[{[]|^data: /m.test(text)) expect(text.replace(/\\\\u/g, '')).not.toMatch(escaped);
  }
}

const said = `left${all.map((character) => `${character}x`).join('')} right`;
const readable = 'שלום 👩‍👩‍👧‍👦 ❤️ می‌خواهیم';
const content = {
  title: said,
  summary: said,
  decisions: [{ content: said }],
  next_steps: [readable],
  payload: { [`name${said}`]: [said, 1, null] },
};

verifies(['DOORS.hidden'], 'each kind is shown by its number, and what is readable stays', () => {
  for (const [kind, character] of Object.entries(hidden)) {
    const number = character.codePointAt(0)?.toString(16).toUpperCase();
    expect(showHidden(`a${character}b`), kind).toBe(`a\\u{${number}}b`);
  }
  expect(showHidden(readable)).toBe(readable);
  expect(showHidden('שלום, \u200Fa.md\u200F')).toBe('שלום, \u200Fa.md\u200F');
  // A mark of direction is no right-to-left letter, and vouches for no other.
  expect(showHidden('a\u061Cb\u200Ec')).toBe('a\\u{61C}b\\u{200E}c');
});

verifies(['DOORS.hidden'], 'a value keeps its shape and its numbers, and a date stays one', () => {
  const at = new Date(0);
  const value = { a: [1, null, true, undefined, { b: 'x' }], at };
  expect(showHiddenIn(value)).toBe(value);
  expect(showHiddenIn({ ...value, 'k\u200B': ['\u{E0041}'] })).toEqual({ ...value, 'k\\u{200B}': ['\\u{E0041}'] });
  const shown = showHiddenIn(content);
  expect(showHiddenIn(shown)).toBe(shown);
});

verifies(['DOORS.hidden'], 'by the command line: JSON, text and errors', async () => {
  const stage = openStage({ git: false });
  try {
    const created = await stage.baton(['create', '-', '--json'], { input: JSON.stringify(content) });
    const { id } = JSON.parse(created.stdout).handoff as { id: string };
    const runs = [created];
    for (const words of [
      ['show', id, '--json'],
      ['show', id],
      ['list', '--json'],
      ['log', '--json'],
      ['render', id],
    ])
      runs.push(await stage.baton(words));
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0));
    for (const words of [
      ['show', said, '--json'],
      ['show', said],
    ]) {
      const refused = await stage.baton(words);
      expect(refused.code).not.toBe(0);
      runs.push(refused);
    }
    assertShown(...runs.map(({ stdout, stderr }) => stdout + stderr));
    expect(JSON.parse(runs[1]?.stdout ?? '')).toMatchObject({ handoff: { content: showHiddenIn(content) } });
  } finally {
    stage.close();
  }
});

verifies(['DOORS.hidden'], 'by MCP: structured content, text, errors, resources and prompts', async () => {
  for (const revision of Object.keys(revisions) as (keyof typeof revisions)[]) {
    const stage = openStage({ git: false });
    const mcp = await connectToCommand(stage, revision);
    try {
      const created = await mcp.call('handoff_create', { content });
      const { id } = created.structuredContent.handoff as { id: string };
      const answers = [
        created,
        await mcp.call('handoff_read', { action: 'get', id }),
        await mcp.call('handoff_read', { action: 'get', id: said }),
        await mcp.call('handoff_claim', { id }),
      ];
      const resources = [
        await mcp.client.readResource({ uri: `baton://handoff/${id}` }),
        await mcp.client.readResource({ uri: `baton://handoff/${id}/context` }),
        await mcp.client.readResource({ uri: 'baton://queue' }),
        await mcp.client.getPrompt({ name: 'resume', arguments: { id } }),
      ];
      const refused = await mcp.client.getPrompt({ name: 'resume', arguments: { id: said } }).catch((error) => error);
      expect(answers.map(({ isError }) => isError === true)).toEqual([false, false, true, false]);
      assertShown(
        JSON.stringify([answers, resources, { message: refused.message, data: refused.data }]),
        ...answers.map((answer) => answer.content[0]?.text ?? ''),
      );
      expect(answers[1]?.structuredContent).toMatchObject({ content: showHiddenIn(content) });
    } finally {
      await mcp.close();
      stage.close();
    }
  }
});

verifies(['DOORS.hidden'], 'by HTTP: answers, problems and events', async () => {
  const { ask, baton } = await openHttp();
  const stream = await ask('/api/events');
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const created = await ask('/api/handoff.create', { method: 'POST', body: JSON.stringify({ content }) });
  const { id } = (await created.clone().json()) as { id: string };
  const claimed = await baton.run('handoff.claim', { id });
  const token = claimed.handoff?.delivery.lease?.token ?? '';
  await baton.run('handoff.fail', { id, token, reason: said });
  const texts = [await created.text()];
  for (const query of [`handoff.get?id=${id}`, 'handoff.list', `handoff.events?id=${id}`, `handoff.render?id=${id}`])
    texts.push(await (await ask(`/api/${query}`)).text());
  const refused = await ask(`/api/handoff.get?id=${encodeURIComponent(said)}`);
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  let told = '';
  while (!told.includes('left') && reader !== undefined) told += (await reader.read()).value ?? '';
  await reader?.cancel();
  assertShown(...texts, await refused.text(), told);
  expect(JSON.parse(texts[1] ?? '')).toMatchObject({ content: showHiddenIn(content) });
  // What is kept are the bytes that were given.
  expect((await baton.run('handoff.get', { id })).content).toMatchObject(content);
});
