import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Conversation } from '../../packages/batonpass/src/core/conversation.ts';
import { isEvidenced } from '../../packages/batonpass/src/core/evidence.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { toContentInput } from '../../packages/batonpass/src/extraction/to-content-input.ts';
import { withinBounds } from '../../packages/batonpass/src/extraction/within-bounds.ts';
import { verifies } from '../verifies.ts';
import { dialogue, withCalls } from './dialogue.ts';

const most = 4_000_000;
const bounds = { characters_max: most, message_characters_max: most / 4 };

const sizeOf = ({ messages }: Conversation) =>
  messages.reduce((sum, { text, tool_calls }) => sum + text.length + JSON.stringify(tool_calls).length - 2, 0);

describe('a conversation without measure', () => {
  verifies(['EXTRACT.bounded'], 'is read from its end, every message in its place', () => {
    const noise = 'x'.repeat(limits.extraction_message_characters_max);
    const messages = Math.ceil(limits.extraction_characters_max / limits.extraction_message_characters_max);
    const texts = [
      'Use the old way always.',
      ...Array<string>(messages + 1 - (messages % 2)).fill(noise),
      'We will use Kafka, not Redis.',
      'Done.',
    ];
    const conversation = dialogue(...texts);
    const found = extractByRules(conversation);
    expect(found.decisions.map(({ content, evidence }) => [content, evidence.message])).toEqual([
      ['We will use Kafka, not Redis.', texts.length - 2],
    ]);
    const said = `3 of ${texts.length} messages were left out or shortened: together they are too long.`;
    expect(found.cut).toEqual([said]);
    expect(found.decisions.every(({ evidence }) => isEvidenced(evidence, conversation))).toBe(true);
    expect(toContentInput(found, conversation).summary).toContain(said);
  });

  verifies(['EXTRACT.bounded'], 'is returned unchanged where it fits', () => {
    const conversation = dialogue('Short.', 'x'.repeat(most / 4));
    expect(withinBounds(conversation, bounds)).toEqual({ conversation, cut: 0 });
    expect(withinBounds(conversation, bounds).conversation).toBe(conversation);
    // A character that nothing could read is kept as well, where nothing has to be cut.
    const unread = dialogue('Short.', `${'x'.repeat(most / 4 - 1)}\uFFFD`);
    expect(withinBounds(unread, bounds).conversation).toBe(unread);
  });

  verifies(['EXTRACT.bounded'], 'keeps the rest where one text or one answer’s tool calls are huge', () => {
    const pasted = `Use Kafka. ${'\u{1F600}'.repeat(most)}`;
    const { conversation, cut } = withinBounds(dialogue('First.', 'Second.', pasted, 'Done.'), bounds);
    expect(cut).toBe(1);
    expect(conversation.messages.map(({ text }) => text.slice(0, 10))).toEqual([
      'First.',
      'Second.',
      'Use Kafka.',
      'Done.',
    ]);
    expect(conversation.messages[2]?.text.isWellFormed()).toBe(true);

    const answer = { is_error: false, text: 'y'.repeat(most / 5) };
    const call = { name: 'Bash', command: 'make', effect: 'none' as const, outcome: answer };
    const bounded = withinBounds(withCalls(...Array<typeof call>(9).fill(call)), bounds);
    expect(bounded.cut).toBe(1);
    expect(bounded.conversation.messages[1]?.tool_calls).toHaveLength(1);
    expect(bounded.conversation.messages[0]?.text).toBe('Go on.');
  });

  verifies(['EXTRACT.bounded'], 'never exceeds the bound, and what is kept is a beginning of what was said', () => {
    const length = fc.oneof(fc.nat(50), fc.integer({ min: 0, max: most / 2 }));
    fc.assert(
      fc.property(fc.array(length, { maxLength: 30 }), (lengths) => {
        const whole = dialogue(...lengths.map((size) => 'z'.repeat(size)));
        const { conversation, cut } = withinBounds(whole, bounds);
        expect(sizeOf(conversation)).toBeLessThanOrEqual(most);
        expect(conversation.messages.map(({ index }) => index)).toEqual(whole.messages.map(({ index }) => index));
        const shorter = conversation.messages.filter(({ index, text }) => text !== whole.messages[index]?.text);
        expect(shorter).toHaveLength(cut);
        for (const { index, text } of shorter) expect(whole.messages[index]?.text.startsWith(text)).toBe(true);
        if (lengths.length > 0) expect((conversation.messages.at(-1)?.text.length ?? 0) > 0).toBe(lengths.at(-1) !== 0);
      }),
      { numRuns: 40 },
    );
  });

  verifies(['EXTRACT.artifacts'], 'has its written files counted beyond what a list can hold', () => {
    const write = (path: string) => ({ name: 'Write', path, effect: 'write' as const });
    const paths = Array.from({ length: limits.entries_max + 200 }, (_, index) => `src/f${index}.ts`);
    const long = `${'deep/'.repeat(limits.name_characters_max / 5)}a.ts`;
    const conversation = withCalls(write(long), ...paths.map(write));
    const extraction = extractByRules(conversation);
    const { results } = completeContent(toContentInput(extraction, conversation), { source_agent: 'test' }).content;
    expect(results).toEqual([
      {
        description: 'Wrote 1201 files, 201 of them not named here.',
        status: 'completed',
        artifacts: paths.slice(0, limits.entries_max),
      },
    ]);
  });

  verifies(['EXTRACT.bounded'], 'names no more replaced choices than a list can hold', () => {
    const parts = Array.from({ length: limits.entries_max + 5 }, (_, index) => `part${index}`);
    const orders = parts.map((part) => `We will use Redis for the queue in ${part}.`).join('\n');
    const conversation = dialogue(orders, 'Done.', 'Actually, drop Redis for the queue.', 'Done.');
    const extraction = extractByRules(conversation);
    expect(extraction.decisions[0]?.supersedes).toHaveLength(parts.length);
    const { decisions } = completeContent(toContentInput(extraction, conversation), { source_agent: 'test' }).content;
    expect(decisions[0]?.supersedes).toHaveLength(limits.entries_max);
  });

  verifies(['EXTRACT.bounded'], 'is cut only where it is longer than a field can hold', () => {
    const { name_characters_max: most, refused_items_max } = limits;
    const write = (path: string) => ({ name: 'Write', path, effect: 'write' as const });
    const longest = `${'deep/'.repeat(most / 5 - 1)}ab.ts`;
    const conversation = withCalls(write(longest), write(`${longest}x`));
    const of = (given: Partial<Conversation>, refused: string[] = []) => {
      const items = refused.map((content) => ({ kind: 'quote' as const, content }));
      return toContentInput({ ...extractByRules(conversation), refused: items }, { ...conversation, ...given });
    };
    expect(of({}).files).toMatchObject([{ path: longest }]);
    const [fits, over] = ['s'.repeat(most), 's'.repeat(most + 1)];
    const cut = `${'s'.repeat(most - ' [cut]'.length)} [cut]`;
    expect(of({ session: fits, branch: fits }).origin).toMatchObject({ session: fits, branch: fits });
    expect(of({ session: over, branch: over }).origin).toMatchObject({ session: cut, branch: cut });
    const refused = of({}, [over, ...Array<string>(refused_items_max).fill(fits)]).origin?.refused;
    expect(refused?.map(({ content }) => content)).toEqual([cut, ...Array<string>(refused_items_max - 1).fill(fits)]);
  });
});
