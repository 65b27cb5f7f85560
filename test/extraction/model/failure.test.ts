import { expect } from 'vitest';
import { limits } from '../../../packages/batonpass/src/core/limits.ts';
import { extractByRules } from '../../../packages/batonpass/src/extraction/extract-by-rules.ts';
import type { ReportedExtraction } from '../../../packages/batonpass/src/extraction/extract-conversation.ts';
import { verifies } from '../../verifies.ts';
import { dialogue } from '../dialogue.ts';
import {
  answers,
  breaksOff,
  keepsSilent,
  nothing,
  openModelServer,
  promptOf,
  recorded,
  sends,
  status,
} from './model-server.ts';
import { anthropic, compatible, extractWith, key, noTime, serve } from './stage.ts';

const conversation = dialogue('Use SQLite for the queue. Do not touch the schema.', 'I will use SQLite.');

const good = answers({
  decisions: [{ content: 'The queue uses SQLite.', confidence: 1, message: 0, quote: 'Use SQLite for the queue.' }],
});

/** The rules' answer, and words that say why. */
function expectRules({ extraction, report }: ReportedExtraction, why: RegExp): void {
  expect(extraction).toEqual(extractByRules(conversation));
  expect(report.extractor).toBe('rules');
  expect(report.note).toMatch(why);
  expect(report.note).toMatch(/The rules extracted instead\.$/);
}

verifies(['MODEL.retry'], 'after 429 a request waits as long as the server asks', async () => {
  const server = await serve(sends(recorded('anthropic-429'), 429, { 'retry-after': '7' }), good);
  const surroundings = noTime();
  const { report } = await extractWith(anthropic(server), conversation, { surroundings });
  expect(report).toMatchObject({ extractor: 'model', model: { requests: 2, input_tokens: 1_200 } });
  expect(surroundings.waits).toEqual([7_000]);
});

verifies(['MODEL.retry'], 'a server may ask in milliseconds, or for an instant', async () => {
  const inPast = new Date(0).toUTCString();
  const server = await serve(
    status(429, 'Slow down.', { 'retry-after-ms': '250', 'retry-after': '9' }),
    status(429, 'Slow down.', { 'retry-after': inPast }),
    good,
  );
  const surroundings = noTime();
  await extractWith(compatible(server), conversation, { surroundings });
  expect(surroundings.waits).toEqual([250, 0]);
});

verifies(['MODEL.retry', 'MODEL.fallback'], 'a server that asks for too long a wait is not waited for', async () => {
  const server = await serve(status(429, 'Come back tomorrow.', { 'retry-after': '86400' }), good);
  const surroundings = noTime();
  expectRules(
    await extractWith(anthropic(server), conversation, { surroundings }),
    /status 429, too much was asked of it: Come back tomorrow\./,
  );
  expect(surroundings.waits).toEqual([]);
});

verifies(
  ['MODEL.retry', 'MODEL.fallback'],
  'a server that keeps failing is asked again ever later, then no more',
  async () => {
    const server = await serve(status(500, 'overloaded'));
    const surroundings = noTime();
    expectRules(await extractWith(anthropic(server), conversation, { surroundings }), /status 500: overloaded\./);
    expect(server.requests).toHaveLength(limits.model_attempts_max);
    expect(surroundings.waits).toEqual([1_000, 2_000, 4_000]);
  },
);

verifies(['MODEL.retry'], 'an answer that is cut off in the middle is asked for again', async () => {
  for (const settings of [anthropic, compatible]) {
    const server = await serve(breaksOff(recorded('anthropic-native', nothing)), good);
    const surroundings = noTime();
    const { report } = await extractWith(settings(server), conversation, { surroundings });
    expect(report).toMatchObject({ extractor: 'model', model: { requests: 2 } });
    expect(surroundings.waits).toEqual([1_000]);
  }
});

verifies(['MODEL.retry', 'MODEL.fallback'], 'where no server listens the rules answer', async () => {
  const server = await openModelServer(good);
  await server.close();
  const outcome = await extractWith(compatible(server), conversation);
  expectRules(outcome, /did not answer: /);
  expect(outcome.report.model?.requests).toBe(limits.model_attempts_max);
});

verifies(
  ['MODEL.retry', 'MODEL.spending'],
  'an answer that is not JSON is requested again, and both are paid',
  async () => {
    const server = await serve(answers('Here is what I found: the queue'), good);
    const { report } = await extractWith(anthropic(server), conversation);
    expect(report).toMatchObject({
      extractor: 'model',
      model: { requests: 2, input_tokens: 2_400, output_tokens: 680 },
    });
  },
);

verifies(
  ['MODEL.no-retry', 'MODEL.fallback', 'MODEL.spending'],
  'two answers of another form are enough: the rules answer',
  async () => {
    const wrong = { ...nothing, risks: [{ description: 'x', severity: 'catastrophic', message: 0, quote: 'x' }] };
    for (const reply of [answers('no JSON'), answers(JSON.stringify(wrong)), answers('{"decisions": []}')]) {
      const server = await serve(reply);
      const outcome = await extractWith(compatible(server), conversation);
      expectRules(outcome, /something other than the JSON/);
      expect(outcome.report.model).toMatchObject({ requests: 2, input_tokens: 2_400 });
    }
  },
);

verifies(['MODEL.no-retry', 'MODEL.fallback'], 'a refusal is not argued with', async () => {
  const outcomes = [
    [anthropic, 'anthropic-refusal'],
    [compatible, 'compatible-refusal'],
  ] as const;
  for (const [settings, name] of outcomes) {
    const server = await serve(sends(recorded(name)), good);
    expectRules(await extractWith(settings(server), conversation), /refused to answer/);
    expect(server.requests).toHaveLength(1);
  }
});

verifies(['MODEL.no-retry', 'MODEL.key'], 'a key that is not accepted is reported and never shown', async () => {
  const server = await serve(
    status(401, `Incorrect API key provided: ${key}. You can find\n\u001b[31myours elsewhere.`),
  );
  const outcome = await extractWith(anthropic(server), conversation);
  expectRules(outcome, /status 401, its key is not accepted: Incorrect API key provided: \[key\]\./);
  expect(JSON.stringify(outcome)).not.toContain(key);
  expect(outcome.report.note).not.toMatch(/\p{Cc}/u);
  expect(server.requests).toHaveLength(1);
});

verifies(['MODEL.time-out', 'MODEL.fallback'], 'a request that gets no answer ends after its time', async () => {
  const server = await serve(keepsSilent);
  const outcome = await extractWith(anthropic(server, { timeout_ms: 20 }), conversation);
  expectRules(outcome, /did not answer within 0\.02 s/);
  expect(outcome.report.model?.requests).toBe(1);
  // On a busy machine the time can be over before the request has arrived.
  await server.requests[0]?.closed;
});

verifies(['MODEL.time-out'], 'all requests together end after their time', async () => {
  const server = await serve(keepsSilent);
  const outcome = await extractWith(anthropic(server, { total_timeout_ms: 20 }), conversation);
  expectRules(outcome, /was not done within 0\.02 s/);
  await server.requests[0]?.closed;
});

verifies(['MODEL.key', 'MODEL.no-retry'], 'a redirect, which would take the key along, is not followed', async () => {
  const other = await serve(good);
  const server = await serve(sends('', 307, { location: `${other.url}/messages` }));
  expectRules(await extractWith(anthropic(server), conversation), /status 307, which leads elsewhere/);
  expect(other.requests).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

verifies(['MODEL.bounds', 'MODEL.fallback'], 'an answer without end is broken off', async () => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  expectRules(await extractWith(compatible(server), conversation), /more than 4194304 bytes/);
  await server.requests[0]?.closed;
});

verifies(['MODEL.bounds', 'MODEL.spending'], 'a window whose answer does not fit is read in halves', async () => {
  const cutOff = recorded('anthropic-native', '{"decisions": [{"content": "The que').replace('end_turn', 'max_tokens');
  const server = await serve(sends(cutOff), good);
  const { extraction, report } = await extractWith(anthropic(server), conversation);
  expect(report).toMatchObject({ extractor: 'model', model: { windows: 1, requests: 3, output_tokens: 3 * 340 } });
  const [, first, second] = server.requests.map(promptOf);
  expect(first).toMatch(/message 0 \(user\)/);
  expect(first).not.toMatch(/message 1 \(assistant\)/);
  expect(second).toMatch(/message 1 \(assistant\)/);
  expect(extraction.decisions).toHaveLength(1);
});

verifies(['MODEL.bounds'], 'JSON that is whole but was cut off is not accepted as the whole answer', async () => {
  const server = await serve(sends(recorded('anthropic-native', nothing).replace('end_turn', 'max_tokens')), good);
  const { report } = await extractWith(anthropic(server), conversation);
  expect(report.model?.requests).toBe(3);
});

verifies(['MODEL.fallback'], 'one window that fails leaves no half of an extraction', async () => {
  const long = dialogue(...Array.from({ length: 60 }, (_, place) => `Message number ${place}.`));
  const server = await serve(good, status(403, 'no'));
  const { extraction, report } = await extractWith(anthropic(server), long);
  expect(extraction).toEqual(extractByRules(long));
  expect(report).toMatchObject({ extractor: 'rules', model: { windows: 2, requests: 2, input_tokens: 1_200 } });
});
