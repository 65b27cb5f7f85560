import { describe, expect } from 'vitest';
import type { Content } from '../../packages/batonpass/src/core/content.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import type { ExtractedDecision } from '../../packages/batonpass/src/extraction/extraction.ts';
import { mergeExtractions } from '../../packages/batonpass/src/extraction/merge-extractions.ts';
import type { PartlyEvidenced } from '../../packages/batonpass/src/extraction/partly-evidenced.ts';
import { verifies } from '../verifies.ts';
import { extract } from './dialogue.ts';

const nothing = extract();

const of = (parts: Partial<PartlyEvidenced>): PartlyEvidenced => ({ ...nothing, title: '', summary: '', ...parts });

const decision = (content: string, more: Partial<ExtractedDecision> = {}): ExtractedDecision => ({
  content,
  confidence: 1,
  evidence: { message: 0, quote: content },
  ...more,
});

const contents = ({ decisions }: PartlyEvidenced) => decisions.map(({ content }) => content);

describe('merged extractions', () => {
  verifies(['RULES.merge'], 'change nothing where the same was extracted twice', () => {
    const found = extract(
      "Let's use Kafka for the events, see src/events.ts.",
      'Fine. A consumer could lose messages.\n\nNext steps:\n- Load test it',
    );
    expect(mergeExtractions([found, found])).toEqual(found);
    expect(mergeExtractions([])).toEqual(of({}));
  });

  verifies(
    ['RULES.merge'],
    'hold once what is said in the same words, or in similar words on the same evidence',
    () => {
      const evidence = { message: 3, quote: 'yup, kafka for the events' };
      const merged = mergeExtractions([
        of({ decisions: [decision('Use **Kafka** for events'), decision('Kafka for the event bus', { evidence })] }),
        of({
          decisions: [
            decision('use kafka  for events.'),
            decision('Events go through Kafka', { evidence: { message: 3, quote: 'kafka for the events' } }),
            decision('Set the read timeout to 5 seconds'),
            decision('Set the write timeout to 5 seconds'),
          ],
        }),
      ]);
      expect(contents(merged)).toEqual([
        'Events go through Kafka',
        'Set the read timeout to 5 seconds',
        'Set the write timeout to 5 seconds',
      ]);
    },
  );

  verifies(['RULES.merge'], 'keep the surer of two and what either replaced, the implied last', () => {
    const merged = mergeExtractions([
      of({ decisions: [decision('One table per station', { supersedes: ['One wide table'] })] }),
      of({
        decisions: [
          decision('One table per station.', { confidence: 0.5, supersedes: ['Two tables'] }),
          decision('Times are in UTC', { confidence: 0.5 }),
          decision('Never log keys'),
        ],
      }),
    ]);
    expect(merged.decisions.map(({ content, confidence, supersedes }) => [content, confidence, supersedes])).toEqual([
      ['One table per station', 1, ['Two tables', 'One wide table']],
      ['Never log keys', 1, undefined],
      ['Times are in UTC', 0.5, undefined],
    ]);
  });

  verifies(['RULES.merge'], 'have one file a path, with the highest relevance and the words that are evidenced', () => {
    const evidence = { message: 0, quote: 'a.ts' };
    const { files } = mergeExtractions([
      of({ files: [{ path: 'src/a.ts', relevance: 'low', context: 'Named.', evidence }] }),
      of({
        files: [
          { path: './src//a.ts', relevance: 'high', context: 'A guess.' },
          { path: 'src/b.ts', relevance: 'medium', context: 'Read.' },
        ],
      }),
    ]);
    expect(files).toEqual([
      { path: 'src/a.ts', relevance: 'high', context: 'Named.', evidence },
      { path: 'src/b.ts', relevance: 'medium', context: 'Read.' },
    ]);
  });

  verifies(['RULES.merge'], 'have the last title and summary that are not empty', () => {
    const named = [of({ title: 'First' }), of({ title: 'Second', summary: 'All of it.' }), of({})];
    expect(mergeExtractions(named)).toMatchObject({ title: 'Second', summary: 'All of it.' });
  });

  verifies(['RULES.merge'], 'keep within what a list can hold, and report what is left out', () => {
    const many = (mark: string) =>
      Array.from({ length: limits.entries_max - 100 }, (_, index) => decision(`${mark}${index} stays`));
    const merged = mergeExtractions([of({ decisions: many('a') }), of({ decisions: many('b') })]);
    expect(merged.decisions).toHaveLength(limits.entries_max);
    expect(merged.cut).toEqual(['800 of 1800 decisions were left out.']);
  });
});

describe('what people made of an extraction', () => {
  const own = (content: string, source: Content['decisions'][number]['source']) => ({ id: 'd1', content, source });

  verifies(['RULES.merge-people'], 'is neither repeated nor overruled', () => {
    const again = of({ decisions: [decision('Use Kafka for events'), decision('Never log keys')] });
    const people = { decisions: [own('use Kafka for events!', 'user-edited'), own('Never log keys', 'ai-extracted')] };
    expect(contents(mergeExtractions([again], people))).toEqual(['Never log keys']);
    const pinned = { ...own('Kafka it is', 'user-pinned'), evidence: { message: 0, quote: 'Use Kafka for events' } };
    expect(contents(mergeExtractions([again], { decisions: [pinned] }))).toEqual(['Never log keys']);
  });

  verifies(['RULES.merge-people'], 'does not bring back what he removed', () => {
    const again = of({
      decisions: [decision('Use Kafka for events'), decision('Never log keys')],
      files: [
        { path: './src/a.ts', relevance: 'high', context: '' },
        { path: 'src/b.ts', relevance: 'high', context: '' },
      ],
      risks: [{ description: 'Keys may leak.', severity: 'high' }],
    });
    const { decisions, files, risks } = mergeExtractions([again], {
      removed: ['Never log keys.', 'src/a.ts', 'keys may leak'],
    });
    expect([decisions.length, files.map(({ path }) => path), risks.length]).toEqual([1, ['src/b.ts'], 0]);
  });
});
