import { describe, expect } from 'vitest';
import { createConversation } from '../../bench/sample-conversation.ts';
import type { Conversation, Message } from '../../packages/batonpass/src/core/conversation.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { Central } from '../../packages/batonpass/src/extraction/central.ts';
import { contentWords, likeness } from '../../packages/batonpass/src/extraction/content-words.ts';
import type { EarlierWord } from '../../packages/batonpass/src/extraction/earlier-words.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import type { ExtractedDecision } from '../../packages/batonpass/src/extraction/extraction.ts';
import { SimilarTexts } from '../../packages/batonpass/src/extraction/similar-texts.ts';
import { turnsBack, walkDialogue } from '../../packages/batonpass/src/extraction/turns.ts';
import { verifies } from '../verifies.ts';
import { dialogue, extract } from './dialogue.ts';

describe('a conversation of any length', () => {
  verifies(['RULES.any-length', 'BR.held.more-than-fifty'], 'loses nothing that was decided long ago', () => {
    const talk = Array.from({ length: 400 }, (_, index) => [`What is part${index}?`, `It is a part.`]).flat();
    const { decisions, cut } = extract(
      'Use Kafka for all events, not Redis.',
      'Fine.',
      ...talk,
      'Never log keys.',
      'Ok.',
    );
    expect(decisions.map(({ content, evidence }) => [content, evidence.message])).toEqual([
      ['Use Kafka for all events, not Redis.', 0],
      ['Never log keys.', 802],
    ]);
    expect(cut).toEqual([]);
  });

  verifies(['RULES.any-length'], 'is walked some turns at a time, and a turn without end in parts', () => {
    const conversation = createConversation(300_000);
    for (const { before, turn } of walkDialogue(conversation)) {
      expect(before.length).toBeLessThanOrEqual(turnsBack);
      expect(before.at(-1)?.index ?? -1).toBe(turn.index - 1);
    }
    const narrated = dialogue('Go.', 'x', 'y', 'z');
    const part = `${'The agent works on and on. '.repeat(10_000)}I couldn't test the last step on a phone.`;
    for (const message of narrated.messages.slice(1)) Object.assign(message, { role: 'assistant', text: part });
    const parts = [...walkDialogue(narrated)].map(({ turn }) => `${turn.role} ${turn.messages.length}`);
    expect(parts).toEqual(['user 1', 'assistant 2', 'assistant 1']);
    expect(extractByRules(narrated).risks).toHaveLength(1);
  });

  verifies(['RULES.least-first'], 'loses its oldest and least sure choices where a list is full', () => {
    const orders = Array.from({ length: limits.entries_max + 60 }, (_, index) => [
      `Add page${index} with chart${index}.`,
      '## Design\n\n**One table per station** rather than one wide table, so that years can be dropped.',
    ]).flat();
    const found = extract(...orders, 'Remove the legend from each chart.', 'Done.');
    expect(found.decisions).toHaveLength(limits.entries_max);
    expect(found.decisions.at(-1)?.content).toBe('Remove the legend from each chart.');
    expect(found.decisions[0]?.content).toBe('Add page61 with chart61.');
    expect(found.cut[0]).toMatch(/^\d+ of \d+ decisions were left out\.$/);
  });

  verifies(['RULES.least-first'], 'loses its lightest risks where a list is full', () => {
    const small = Array.from(
      { length: limits.entries_max + 60 },
      (_, index) =>
        `Rarely, sheet${index} may break book${index}, column${index}, field${index}, page${index} and row${index}.`,
    );
    const grave = 'Two writers could corrupt the ledger, which means data loss.';
    const { risks } = extract('Go.', [grave, ...small].join('\n\n'));
    expect(risks).toHaveLength(limits.entries_max);
    expect(risks[0]).toMatchObject({ description: grave, severity: 'high' });
  });
});

describe('what is central', () => {
  verifies(['RULES.any-length'], 'is everything in a talk, and in a session of work the agent’s last words', () => {
    const talk = dialogue('Go on.', 'We use Kafka.', 'Fine.', 'We use Redis.');
    const call = { name: 'Bash', command: 'make', effect: 'none' as const };
    const tools = { ...talk, messages: talk.messages.map((each) => ({ ...each, tool_calls: [call] })) };
    const work = { ...talk, host: 'claude-code' };
    const after = (message: number, ...roles: Message['role'][]): Conversation => {
      const later = roles.map((role, index): Message => {
        return { index: message + 1 + index, role, text: role === 'system' ? 'Compacted.' : '', tool_calls: [] };
      });
      const said = { ...work.messages[1], index: message + 1 + roles.length, text: 'Done.' } as Message;
      return { ...work, messages: [...work.messages.slice(0, message + 1), ...later, said] };
    };
    const holds = (conversation: Conversation, message: number, rank = 1) => {
      const words = talk.messages.map(({ index, text }) => ({ message: index, content: text, rank }) as EarlierWord);
      const quote = talk.messages[message]?.text ?? '';
      const decision = { content: quote, confidence: 0.5, evidence: { message, quote } };
      return new Central(conversation, words).holdsDecision(decision as ExtractedDecision);
    };
    expect([holds(talk, 1, 1_000), holds(tools, 1, 1_000), holds(work, 1, 1_000)]).toEqual([true, false, false]);
    expect([holds(work, 1), holds(work, 3), holds(after(1), 1)]).toEqual([true, true, false]);
    const passed = {
      ...after(1, 'assistant', 'system'),
      messages: after(1, 'assistant', 'system').messages.slice(0, -1),
    };
    expect(holds(passed, 1)).toBe(true);
    expect([99, 100].map((rank) => holds(work, 1, rank))).toEqual([true, false]);
  });
});

describe('texts found by their words', () => {
  verifies(['RULES.any-length'], 'have words without the marks around them, in any language', () => {
    const found = (text: string) => [...contentWords(text)];
    expect(found('«kafka»·tokio')).toEqual(['kafka', 'tokio']);
    expect(found('ºkafka ªkafka µkafka')).toEqual(['ºkafka', 'ªkafka', 'µkafka']);
    expect(found('kafka×tokio÷grün—“mysql”、名前。')).toEqual(['kafka', 'tokio', 'grün', 'mysql', '名前']);
  });

  verifies(['RULES.any-length'], 'are those that comparing each with each finds', () => {
    const { messages } = createConversation(60_000);
    const entries = messages.map(({ text }) => ({ words: contentWords(text.slice(0, 60)) }));
    const texts = new SimilarTexts<{ words: Set<string> }>();
    for (const entry of entries) texts.add(entry);
    for (const { words } of entries) {
      const slow = entries.filter((other) => likeness(words, other.words) >= 0.6);
      expect(new Set(texts.findAlike(words, 0.6))).toEqual(new Set(slow));
    }
    for (const entry of entries) texts.delete(entry);
    expect([texts.size, texts.findSharing(entries[0]?.words ?? new Set()).length]).toEqual([0, 0]);
  });
});
