import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { ModelServer, type Script } from '../../packages/batonpass/src/host-trial/model-server.ts';
import { trialPrograms } from '../../packages/batonpass/src/host-trial/trial-programs.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

/** What a host sends: the person's prompt, and what the tools gave since. */
interface Asked {
  prompt: string;
  results?: readonly string[];
  tools?: readonly string[];
}

interface Protocol {
  path: string;
  /** The tools that run a command and write a file. */
  tools: readonly [shell: string, write: string];
  body: (asked: Required<Asked>) => object;
  /** The words of an answer, or its tool and input. */
  read: (answer: string) => { text: string } | { tool: string; input: object };
}

const eventsOf = (answer: string) =>
  [...answer.matchAll(/^data: (\{.*\})\r?$/gm)].map(([, json = '']) => JSON.parse(json));

const chatMessages = ({ prompt, results }: Required<Asked>) => [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'An earlier prompt.' },
  { role: 'tool', content: 'an earlier result' },
  { role: 'assistant', content: null },
  { role: 'user', content: [{ text: `${prompt} <handoff>Deploy it.</handoff-situation>` }] },
  ...results.map((content) => ({ role: 'tool', content })),
];

const chatBody =
  (stream: boolean): Protocol['body'] =>
  (asked) => ({
    model: 'm',
    stream,
    messages: chatMessages(asked),
    ...(asked.tools.length > 0 && { tools: asked.tools.map((name) => ({ function: { name } })) }),
  });

function readChat({
  content,
  tool_calls: [call] = [],
}: {
  content: string;
  tool_calls?: { function: { name: string; arguments: string } }[];
}) {
  if (call === undefined) return { text: content };
  return { tool: call.function.name, input: JSON.parse(call.function.arguments) as object };
}

const geminiBody: Protocol['body'] = ({ prompt, results, tools }) => ({
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  contents: [
    { role: 'user', parts: [{ text: 'An earlier prompt.' }] },
    { role: 'user', parts: [{ functionResponse: { response: 'an earlier result' } }] },
    { role: 'user', parts: [{ text: '<hook_context>Deploy it.' }, { text: prompt }] },
    { role: 'model', parts: [{ functionCall: {} }] },
    ...results.map((response) => ({ role: 'user', parts: [{ functionResponse: { response } }] })),
  ],
  ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map((name) => ({ name })) }, {}] }),
});

function readGemini(answer: {
  candidates: { content: { parts: { text: string; functionCall?: { name: string; args: object } }[] } }[];
}) {
  const [part] = answer.candidates[0]?.content.parts ?? [];
  const call = part?.functionCall;
  return call === undefined ? { text: part?.text ?? '' } : { tool: call.name, input: call.args };
}

const protocols: Record<string, Protocol> = {
  anthropic: {
    path: '/v1/messages',
    tools: ['Bash', 'Write'],
    body: ({ prompt, results, tools }) => ({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: 'An earlier prompt.' },
        { role: 'user', content: [{ type: 'tool_result', content: 'an earlier result' }] },
        { role: 'assistant', content: 'Deploy it.' },
        { role: 'user', content: [{ type: 'text', text: prompt }] },
        ...results.map((content) => ({ role: 'user', content: [{ type: 'tool_result', content }] })),
      ],
      ...(tools.length > 0 && { tools: tools.map((name) => ({ name })) }),
    }),
    read: (answer) => {
      const [, { content_block }, { delta }, , { delta: stop }] = eventsOf(answer);
      if (content_block.type === 'text') return { text: stop.stop_reason === 'end_turn' ? delta.text : '' };
      return { tool: stop.stop_reason === 'tool_use' ? content_block.name : '', input: JSON.parse(delta.partial_json) };
    },
  },
  responses: {
    path: '/v1/responses',
    tools: ['exec_command', 'exec_command'],
    body: ({ prompt, results, tools }) => ({
      instructions: 'Be brief.',
      input: [
        { type: 'message', role: 'user', content: [{ text: 'An earlier prompt.' }] },
        { type: 'function_call_output', output: 'an earlier result' },
        { type: 'message', role: 'assistant', content: [{ text: 'Deploy it.' }] },
        { type: 'reasoning', content: [{ text: 'Deploy it.' }] },
        { type: 'message', role: 'user', content: [{ text: prompt }] },
        { type: 'function_call' },
        ...results.map((output) => ({ type: 'function_call_output', output })),
      ],
      ...(tools.length > 0 && { tools: tools.map((name) => ({ type: 'function', name })) }),
    }),
    read: (answer) => {
      const { item } = eventsOf(answer)[2];
      if (item.type === 'message') return { text: item.content[0].text };
      return { tool: item.name, input: JSON.parse(item.arguments) };
    },
  },
  'gemini, streamed': {
    path: '/v1beta/models/gemini:streamGenerateContent',
    tools: ['run_shell_command', 'write_file'],
    body: geminiBody,
    read: (answer) => readGemini(eventsOf(answer)[0]),
  },
  gemini: {
    path: '/v1beta/models/gemini:generateContent',
    tools: ['run_shell_command', 'write_file'],
    body: geminiBody,
    read: (answer) => readGemini(JSON.parse(answer)),
  },
  'chat, streamed': {
    path: '/v1/chat/completions',
    tools: ['bash', 'create'],
    body: chatBody(true),
    read: (answer) => {
      const [first, second] = eventsOf(answer);
      const said = readChat(first.choices[0].delta);
      expect(second.choices[0].finish_reason).toBe('text' in said ? 'stop' : 'tool_calls');
      return said;
    },
  },
  chat: {
    path: '/v1/chat/completions',
    tools: ['bash', 'write'],
    body: chatBody(false),
    read: (answer) => readChat(JSON.parse(answer).choices[0].message),
  },
};

const script: Script = {
  'Build it.': [{ shell: 'make' }, { write: 'notes.md', content: 'Built.\n' }, { text: 'It is built.' }],
  'Summarise it.': [{ answer: { summary: 'Built.' } }],
  'Deploy it.': [{ text: 'This was no prompt.' }],
};

async function openModel(protocol: Protocol) {
  const model = new ModelServer(script);
  const url = await model.listen();
  onTestFinished(() => model.close());
  const send = async ({ prompt, results = [], tools = protocol.tools }: Asked) => {
    const body = JSON.stringify(protocol.body({ prompt, results, tools }));
    return protocol.read(await (await fetch(`${url}${protocol.path}`, { method: 'POST', body })).text());
  };
  return { model, url, send };
}

/** What the writing tools of the hosts name the place and the text. */
const written: Record<string, object> = {
  create: { path: 'notes.md', file_text: 'Built.\n' },
  write: { filePath: 'notes.md', content: 'Built.\n' },
  Write: { file_path: 'notes.md', content: 'Built.\n' },
  write_file: { file_path: 'notes.md', content: 'Built.\n' },
};

describe.each(Object.entries(protocols))('the model of a trial that speaks %s', (name, protocol) => {
  verifies(['DOCTOR.live'], 'answers a prompt by its script, one answer after each result', async () => {
    const { model, send } = await openModel(protocol);
    const [shell, write] = protocol.tools;
    const command = await send({ prompt: 'Build it.' });
    expect(command).toMatchObject({ tool: shell, input: { [name === 'responses' ? 'cmd' : 'command']: 'make' } });
    const file = await send({ prompt: 'Build it.', results: ['ok'] });
    expect(file).toMatchObject({ tool: write });
    expect(JSON.stringify(file)).toMatch(/notes\.md.*Built\./);
    if (Object.hasOwn(written, write)) expect(file).toMatchObject({ input: written[write] });
    expect(await send({ prompt: 'Build it.', results: ['ok', 'written'] })).toEqual({ text: 'It is built.' });
    expect(await send({ prompt: 'Build it.', results: ['a', 'b', 'c'] })).toEqual({ text: 'Noted.' });
    const [{ texts, prompts, results, tools } = { texts: [], prompts: [], results: [], tools: [] }] =
      model.requests.slice(1);
    expect(texts[0]).toBe('Be brief.');
    expect(prompts.map((each) => each.trim())).toEqual(['An earlier prompt.', 'Build it.']);
    expect(results.map((each) => each.replaceAll('"', ''))).toEqual(['ok']);
    expect(tools).toEqual(protocol.tools);
    expect([model.wasTold('Build'), model.wasTold('nobody said this')]).toEqual([true, false]);
  });

  verifies(
    ['DOCTOR.live'],
    'gives what the script does not name, and a request without tools, no more than a word',
    async () => {
      const { send } = await openModel(protocol);
      expect(await send({ prompt: 'What is this?' })).toEqual({ text: 'Noted.' });
      expect(await send({ prompt: 'Build it.', tools: [] })).toEqual({ text: 'Noted.' });
      const asked = await send({ prompt: 'Summarise it.' });
      if (name === 'anthropic') expect(asked).toEqual({ tool: 'StructuredOutput', input: { summary: 'Built.' } });
      else expect(asked).toEqual({ text: '{"summary":"Built."}' });
    },
  );

  verifies(['DOCTOR.live'], 'counts tokens, lists no models, and has nothing else', async () => {
    const { url, model } = await openModel(protocol);
    const ask = async (method: string, path: string) => {
      const response = await fetch(url + path, { method });
      return [response.status, (await response.text()).slice(0, 15)];
    };
    expect(await ask('POST', '/v1/messages/count_tokens')).toEqual([200, '{"input_tokens"']);
    expect(await ask('GET', '/v1/models')).toEqual([200, '{"object":"list']);
    expect(await ask('HEAD', '/')).toEqual([200, '']);
    expect(await ask('GET', protocol.path)).toEqual([404, '']);
    expect(await ask('POST', '/v1/models')).toEqual([404, '']);
    expect(model.requests).toEqual([]);
  });
});

const newFolder = createFolders();

verifies(['DOCTOR.live'], 'each host finds the settings of a person who trusts the folder of the trial', () => {
  const files = {
    'claude-code': ['home/.claude.json'],
    codex: ['home/.codex/config.toml'],
    'gemini-cli': ['home/.gemini/settings.json'],
    'copilot-cli': ['home/.copilot/config.json'],
    opencode: ['home/.config/opencode/opencode.json', 'project/.opencode/package-lock.json'],
  };
  for (const [host, { settle }] of Object.entries(trialPrograms)) {
    const folder = newFolder();
    const [home, project, cache] = ['home', 'project', 'cache'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const variables = settle({ home, project, cache, url: 'http://127.0.0.1:9', version: '1.2.3' });
    const written = files[host as keyof typeof files].map((name) => join(folder, name));
    expect(written.filter((path) => !existsSync(path))).toEqual([]);
    const settings = JSON.stringify(variables) + written.map((path) => readFileSync(path, 'utf8')).join();
    expect(settings).toContain('127.0.0.1:9');
    if (host === 'copilot-cli') expect(settings).toContain(`"trustedFolders":["${project}"]`);
  }
});
