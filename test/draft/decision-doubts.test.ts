import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { findDoubts } from '../../packages/batonpass/src/draft/decision-doubts.ts';
import type { HandoffDecision } from '../../packages/batonpass/src/draft/handoff-draft.ts';
import { verifies } from '../verifies.ts';

/** Decisions with the ids `d1`, `d2` …, of these words. */
function decide(...contents: (string | Partial<HandoffDecision>)[]): HandoffDecision[] {
  return contents.map((given, at) => ({
    id: `d${at + 1}`,
    content: '',
    source: 'user-edited',
    ...(typeof given === 'string' ? { content: given } : given),
  }));
}

/** The doubts in short: `d1=d2` for a duplicate, `d1!d2` for a contradiction. */
function doubtsOf(...contents: (string | Partial<HandoffDecision>)[]): string[] {
  return [...findDoubts(decide(...contents))]
    .flatMap(([id, { duplicates, contradictions }]) => [
      ...duplicates.map((other) => `${id}=${other}`),
      ...contradictions.map((other) => `${id}!${other}`),
    ])
    .sort();
}

const duplicate = ['d1=d2', 'd2=d1'];
const contradiction = ['d1!d2', 'd2!d1'];

describe('the doubts about decisions', () => {
  verifies(['REVIEW.doubts'], 'two that say the same in other words or marks are duplicates', () => {
    expect(doubtsOf('Use SQLite for the job queue', 'use **SQLite** for the job queue.')).toEqual(duplicate);
    expect(doubtsOf('The queue uses SQLite', 'We use SQLite for the queue')).toEqual(duplicate);
    expect(doubtsOf('Never cache tokens', 'never cache tokens')).toEqual(duplicate);
    expect(doubtsOf('Retry 3 times', 'retry 3 times!')).toEqual(duplicate);
    expect(doubtsOf('Use SQLite for the job queue', 'Charge cards through the payment gateway')).toEqual([]);
    expect(doubtsOf('Set the read timeout of the client', 'Set the write timeout of the client')).toEqual([]);
    expect(doubtsOf('Only this one')).toEqual([]);
    expect(doubtsOf()).toEqual([]);
  });

  verifies(['REVIEW.doubts'], 'a text and its denial contradict each other, and two denials do not', () => {
    expect(doubtsOf('Cache the access tokens in memory', 'Never cache the access tokens in memory')).toEqual(
      contradiction,
    );
    expect(doubtsOf('Cache the access tokens in memory', "Don't cache the access tokens in memory")).toEqual(
      contradiction,
    );
    expect(doubtsOf('Cache access tokens in memory', 'Store no access tokens in shared browser tabs')).toEqual([]);
    expect(doubtsOf('Never cache the access tokens', 'We never cache the access tokens')).toEqual(duplicate);
    expect(doubtsOf('Cache the access tokens', 'It is not true that we never cache the access tokens')).not.toContain(
      'd1!d2',
    );
  });

  verifies(['REVIEW.doubts'], 'the same with another number contradicts, where both name one', () => {
    expect(doubtsOf('Keep job logs for 30 days', 'Keep job logs for 7 days')).toEqual(contradiction);
    expect(doubtsOf('Wait 1.5 seconds between attempts', 'Wait 1.6 seconds between attempts')).toEqual(contradiction);
    expect(doubtsOf('Keep job logs for days', 'Keep job logs for 7 days')).toEqual([]);
    expect(doubtsOf('Keep job logs for 7 days', 'Keep job logs for days')).toEqual([]);
    expect(doubtsOf('Keep job logs for 30 days', 'Keep audit logs for 7 days')).toEqual([]);
    // One word alone is no subject.
    expect(doubtsOf('Phase 1', 'Phase 2')).toEqual([]);
  });

  verifies(['REVIEW.doubts'], 'what one replaced, or rejects, and is still there contradicts it', () => {
    const redis = 'Put the queue into Redis';
    expect(doubtsOf(redis, { content: 'Put the queue into SQLite', supersedes: ['put the queue into redis'] })).toEqual(
      contradiction,
    );
    expect(doubtsOf(redis, { content: 'Put the queue into SQLite', supersedes: ['something that is gone'] })).toEqual(
      [],
    );
    expect(doubtsOf({ content: redis, supersedes: [redis] })).toEqual([]);
    expect(doubtsOf('Redis holds the jobs', 'Store jobs in SQLite instead of Redis')).toEqual(contradiction);
    expect(doubtsOf('Redis is for sessions', 'Store the queue in SQLite instead of Redis')).toEqual([]);
    expect(
      doubtsOf('Store the queue in SQLite instead of Redis', 'Keep the queue in SQLite instead of Redis'),
    ).not.toContain('d1!d2');
  });

  verifies(['REVIEW.doubts'], 'names each other once, and no more than five', () => {
    const many = Array.from({ length: 8 }, () => 'Use SQLite for the job queue');
    const doubts = findDoubts(decide(...many));
    expect(doubts.size).toBe(8);
    for (const [id, { duplicates, contradictions }] of doubts) {
      expect([duplicates.length, new Set(duplicates).size, duplicates.includes(id), contradictions]).toEqual([
        5,
        5,
        false,
        [],
      ]);
    }
    const twice = { content: 'Put the queue into SQLite', supersedes: ['Use Redis', 'use redis'] };
    expect(doubtsOf('Use Redis', twice)).toEqual(contradiction);
  });

  verifies(['REVIEW.doubts'], 'are the same in both directions, and change nothing', () => {
    const words = fc.constantFrom(
      'never',
      'cache',
      'tokens',
      'queue',
      'SQLite',
      'Redis',
      '7',
      '30',
      'days',
      'instead of',
    );
    const content = fc.array(words, { minLength: 1, maxLength: 6 }).map((each) => each.join(' '));
    fc.assert(
      fc.property(fc.array(content, { maxLength: 5 }), (contents) => {
        const decisions = decide(...contents);
        const before = JSON.stringify(decisions);
        const doubts = findDoubts(decisions);
        expect(JSON.stringify(decisions)).toBe(before);
        for (const [id, { duplicates, contradictions }] of doubts) {
          expect(duplicates.length + contradictions.length).toBeGreaterThan(0);
          for (const other of duplicates) expect(doubts.get(other)?.duplicates).toContain(id);
          for (const other of contradictions) expect(doubts.get(other)?.contradictions).toContain(id);
        }
      }),
      { numRuns: 300 },
    );
  });
});
