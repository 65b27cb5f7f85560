import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content, ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { isImplied } from '../../packages/batonpass/src/core/implied.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { carryOn } from '../../packages/batonpass/src/extraction/carry-on.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { toContentInput } from '../../packages/batonpass/src/extraction/to-content-input.ts';
import { renderContent } from '../../packages/batonpass/src/formats/prompt.ts';
import { verifies } from '../verifies.ts';
import { dialogue } from './dialogue.ts';

/** A content as a session saved it. */
function saved(input: ContentInput, session = 'a'): Content {
  const content = { summary: 'Work.', ...input, origin: { session, trigger: 'SessionEnd' } };
  return completeContent(content, { source_agent: 'test', decision_source: 'ai-extracted' }).content;
}

/** What a session hands on that said something after it had received contents. */
function goOn(session: string, received: readonly Content[], ...texts: string[]): Content {
  const conversation = dialogue(...texts);
  const extraction = extractByRules(conversation, { earlier: received.flatMap(({ decisions }) => decisions) });
  return saved(carryOn(toContentInput(extraction, conversation), received, extraction.revoked) ?? {}, session);
}

const decisionsOf = ({ decisions = [] }: Pick<ContentInput, 'decisions'> = {}) =>
  decisions.map((decision) => (typeof decision === 'string' ? decision : decision.content));

const count = (length: number, word: string) => Array.from({ length }, (_, index) => `${word} ${index}`);

describe('what a session hands on', () => {
  verifies(['CARRY.order'], 'is its own first, then what it was given, in its order', () => {
    const received = saved({
      decisions: ['old one', 'old two', 'Said in both.'],
      files: ['old.ts', 'both.ts'],
      risks: ['old risk'],
      tried: [{ what: 'old way', outcome: 'no' }],
      open_questions: ['old?'],
      next_steps: ['old step'],
    });
    const own = {
      decisions: ['new one', 'Said in  both'],
      files: ['both.ts', 'new.ts', 'OLD.ts'],
      risks: ['new risk'],
      tried: [{ what: 'new way', outcome: 'no' }],
      open_questions: ['new?'],
    };
    const all = saved(carryOn(own, [received]) ?? {});
    expect(decisionsOf(all)).toEqual(['new one', 'Said in  both', 'old one', 'old two']);
    expect(all.files.map(({ path }) => path)).toEqual(['both.ts', 'new.ts', 'OLD.ts', 'old.ts']);
    expect(all.risks.map(({ description }) => description)).toEqual(['new risk', 'old risk']);
    expect(all.tried.map(({ what }) => what)).toEqual(['new way', 'old way']);
    expect(all.open_questions).toEqual(['new?', 'old?']);
    expect(all.next_steps).toEqual(['old step']);
    expect(carryOn({ ...own, next_steps: ['new step'] }, [received])?.next_steps).toEqual(['new step']);
  });

  verifies(
    ['CARRY.lasting'],
    'is every standing instruction and what was found out, though it said nothing of them',
    () => {
      const first = goOn('a', [], 'Never touch the legacy module. Add the limiter.', 'Done.');
      expect(first.instructions).toHaveLength(1);
      const given = saved({ ...first, environment: ['The staging server listens on port 8081.'] }, 'a');
      const third = goOn('c', [goOn('b', [given], 'Now rename the limiter.', 'Done.')], 'Add a test of it.', 'Done.');
      expect(third.instructions).toMatchObject([
        { content: 'Never touch the legacy module.', evidence: { transcript: 'a', message: 0 } },
      ]);
      expect(third.environment).toMatchObject([{ content: 'The staging server listens on port 8081.' }]);
      expect(third.words?.map(({ content }) => content).join()).not.toContain('legacy');
      expect(third.where_it_stands?.map(({ content }) => content)).toEqual(['Add a test of it.']);
    },
  );

  verifies(['CARRY.order'], 'is cut by a budget from its old end, pinned or not', () => {
    const words = 'with many words in it that take room '.repeat(6);
    const pinned = completeContent(
      { summary: 'old', decisions: count(40, `Old ${words}`) },
      { source_agent: 'sam', decision_source: 'user-pinned' },
    ).content;
    const content = goOn('b', [pinned], 'We will use NEWEST for the queue, not Redis.', 'Agreed.');
    const { text, cut } = renderContent(content, limits.render_tokens_default);
    expect(text.match(/^- .*$/m)?.[0]).toContain('NEWEST');
    expect(cut.decisions).toBeGreaterThan(0);
  });

  verifies(['CARRY.best'], 'is the agreed, the grave and the relevant, where not all is carried on', () => {
    const decisions = count(60, 'choice').map((content, index) => ({
      content,
      source: 'ai-extracted' as const,
      confidence: index < 30 ? 0.5 : 1,
      evidence: { message: 0, quote: 'q' },
    }));
    const degrees = (['low', 'medium', 'high'] as const).flatMap((degree) => Array<typeof degree>(20).fill(degree));
    const received = saved({
      decisions,
      files: degrees.map((relevance, index) => ({ path: `f${index}.ts`, relevance })),
      risks: degrees.map((severity, index) => ({ description: `risk ${index}`, severity })),
    });
    const all = saved(carryOn({ decisions: ['mine'] }, [received]) ?? {});
    expect(all.decisions.filter(({ confidence }) => confidence === 1)).toHaveLength(30);
    expect(all.decisions.filter(({ confidence }) => confidence === 0.5).map(({ content }) => content)).toEqual(
      count(10, 'choice'),
    );
    expect(all.files.map(({ relevance }) => relevance)).toEqual(degrees.slice(20));
    expect(all.risks.map(({ severity }) => severity)).toEqual(degrees.slice(20));
  });

  verifies(['CARRY.several', 'CARRY.revoked'], 'is all of what it was given, the newest first', () => {
    const first = saved({ decisions: ['one', 'replaced'], next_steps: ['first step'] });
    const second = saved({ decisions: [{ content: 'two', supersedes: ['replaced.'] }], next_steps: ['second'] }, 'b');
    const third = saved({ decisions: ['replaced'] }, 'c');
    expect(decisionsOf(carryOn({ decisions: ['own'] }, [first, second]))).toEqual(['own', 'two', 'one']);
    expect(decisionsOf(carryOn({ decisions: ['own'] }, [first, second], ['one']))).toEqual(['own', 'two']);
    // Said again after it had been replaced.
    expect(decisionsOf(carryOn({ decisions: ['own'] }, [first, second, third]))).toEqual([
      'own',
      'replaced',
      'two',
      'one',
    ]);
    const looked = carryOn(undefined, [first, second]);
    expect(decisionsOf(looked)).toEqual(['two', 'one']);
    expect(looked?.next_steps).toEqual(['second']);
    expect(carryOn({ title: 'own' }, [])).toEqual({ title: 'own' });
    expect(carryOn(undefined, [])).toBeUndefined();
  });

  verifies(['CARRY.bounds'], 'is little or nothing of what it was given, where more would be too large to keep', () => {
    const long = (items: number, mark: string) => count(items, `${mark}${'é'.repeat(9_000)}`);
    const received = saved({ decisions: long(40, 'a'), risks: long(40, 'b'), open_questions: long(40, 'c') });
    for (const [items, carried] of [
      [1, 40],
      [120, 5],
      [200, 0],
    ] as const) {
      const all = saved(carryOn({ decisions: long(items, 'own') }, [received]) ?? {});
      expect([all.decisions, all.risks, all.open_questions].map((list) => list.length)).toEqual([
        items + carried,
        carried,
        carried,
      ]);
    }
  });

  verifies(['CARRY.nothing-lost'], 'is every item that it was given, where it has no results itself', () => {
    const received = saved({
      decisions: count(300, 'choice'),
      files: count(300, 'file'),
      tried: [{ what: 'a', outcome: 'b' }],
      results: [{ description: 'made', status: 'completed' }],
      body: 'text',
      payload: { deep: [1] },
    });
    expect(saved(carryOn(undefined, [received]) ?? {}, 'a')).toEqual(received);
  });
});

describe('what a session reverses of what it was given', () => {
  const given = (...texts: string[]) => goOn('a', [], ...texts);

  verifies(['CARRY.revoked'], 'is dropped by the rules of one conversation, and its replacement names it', () => {
    const postgres = given('We will use Postgres for the queue, not Redis.', 'Agreed.');
    const mysql = goOn('b', [postgres], 'Actually, switch from Postgres to MySQL for the queue.', 'Done.');
    expect(decisionsOf(mysql)).toEqual(['Switch from Postgres to MySQL for the queue.']);
    expect(mysql.decisions[0]?.supersedes).toEqual(['We will use Postgres for the queue, not Redis.']);
    // It does not come back by another path by which it was handed on.
    const later = goOn('c', [postgres, mysql], 'The legend should sit below the map.', 'Done.');
    expect(decisionsOf(later).join()).not.toMatch(/We will use Postgres/);
  });

  verifies(['CARRY.revoked'], 'stays dropped, though its replacement is dropped too', () => {
    const postgres = given('We will use Postgres for the queue, not Redis.', 'Agreed.');
    const content = goOn(
      'b',
      [postgres],
      'Actually, switch from Postgres to MySQL for the queue.',
      'Done.',
      'We will use Kafka for the queue and the events, not MySQL.',
      'Done.',
    );
    expect(decisionsOf(content)).toEqual(['We will use Kafka for the queue and the events, not MySQL.']);
  });

  verifies(['CARRY.revoked'], 'is kept once where it is said again, in the new words', () => {
    const received = given('Set the limit to 60 requests per minute for each key.', 'Done.');
    const content = goOn('b', [received], 'Set the limit to 120 requests per minute for each key.', 'Done.');
    expect(decisionsOf(content)).toEqual(['Set the limit to 120 requests per minute for each key.']);
  });

  verifies(['CARRY.revoked'], 'is never dropped by an implicit statement', () => {
    const received = given('We must use one table per station rather than one wide table.', 'Agreed.');
    const content = goOn(
      'b',
      [received],
      'How would you store the tides?',
      '## Design\n\n- **One wide table** instead of one table per station, so that queries become simple.\n- **One table per station** rather than one wide table.',
    );
    expect(decisionsOf(content)).toContain('We must use one table per station rather than one wide table.');
    expect(decisionsOf(content)).not.toContain('One table per station rather than one wide table.');
  });

  verifies(['CARRY.revoked'], 'changes nothing of what the conversation itself is found to say', () => {
    const texts = ["Let's use Leaflet for the tiles.", 'Done.', 'Actually, switch from Leaflet to MapLibre.', 'Done.'];
    const { revoked, ...alone } = extractByRules(dialogue(...texts));
    expect(revoked).toEqual([]);
    const { decisions: earlier } = given('Never log the tokens.', 'Agreed.');
    expect(extractByRules(dialogue(...texts), { earlier })).toEqual({ ...alone, revoked: [] });
  });
});

describe('a quote that is carried on', () => {
  const evidence = { message: 0, quote: 'Use Rust' };
  const agreed = { content: 'Use Rust', source: 'ai-extracted' as const, confidence: 1, evidence };

  verifies(['CARRY.evidence'], 'names its conversation, and keeps the name that it has', () => {
    const elsewhere = { ...agreed, content: 'Use tokio', evidence: { ...evidence, transcript: 'z' } };
    const received = saved({
      decisions: [agreed, elsewhere],
      files: [{ path: 'a.rs', evidence }],
      risks: [{ description: 'slow', evidence }],
    });
    for (const own of [undefined, { decisions: ['mine'] }]) {
      const all = saved(carryOn(own, [received]) ?? {}, 'b');
      const quoted = [...all.decisions, ...all.files, ...all.risks].flatMap((item) => item.evidence ?? []);
      expect(quoted.map(({ transcript }) => transcript)).toEqual(['a', 'z', 'a', 'a']);
      expect(quoted.map(({ quote }) => quote)).toEqual(Array(4).fill('Use Rust'));
    }
  });

  verifies(['CARRY.evidence'], 'is dropped without a name; an agreed or pinned item stays agreed or pinned', () => {
    const received = completeContent(
      {
        decisions: [
          agreed,
          { ...agreed, content: 'Use tokio', confidence: 0.5 },
          { content: 'Use axum', source: 'user-pinned', confidence: 0.3, evidence },
        ],
        files: [{ path: 'a.rs', evidence }],
      },
      { source_agent: 'sam' },
    ).content;
    const { decisions, files } = saved(carryOn({ decisions: [] }, [received]) ?? {}, 'b');
    expect([...decisions, ...files].flatMap((item) => item.evidence ?? [])).toEqual([]);
    expect(decisions.map(isImplied)).toEqual([false, true, false]);
    expect(decisions.map(({ source, confidence }) => [source, confidence])).toEqual([
      ['ai-extracted', undefined],
      ['ai-extracted', 0.5],
      ['user-pinned', 0.3],
    ]);
  });
});

describe('a chain of sessions', () => {
  const subjects = ['queue', 'cache', 'search', 'mail', 'login'];
  const tools = ['Postgres', 'Redis', 'Kafka', 'MySQL', 'Elastic', 'Nginx', 'Consul'];
  const session = fc.record({ subject: fc.constantFrom(...subjects), tool: fc.constantFrom(...tools) });

  verifies(['CARRY.bounds', 'CARRY.order', 'CARRY.revoked'], 'has its newest choice first and none twice', () => {
    fc.assert(
      fc.property(fc.array(session, { minLength: 20, maxLength: 20 }), (sessions) => {
        const inForce = new Map<string, string>();
        let content: Content | undefined;
        for (const [index, { subject, tool }] of sessions.entries()) {
          const former = inForce.get(subject);
          if (former === tool) continue;
          const order =
            former === undefined
              ? `We will use ${tool} for the ${subject}.`
              : `Switch from ${former} to ${tool} for the ${subject}.`;
          const filler = count(5, `The module${index}`).map((name) => `Always log ${name} of part${index}.`);
          content = goOn(`s${index}`, content === undefined ? [] : [content], [order, ...filler].join('\n'), 'Done.');
          inForce.set(subject, tool);
          const said = decisionsOf(content);
          expect(said[0]).toBe(order);
          for (const [about, choice] of inForce) {
            const found = said.filter((text) => text.endsWith(` for the ${about}.`));
            expect(found.every((text) => text.includes(`to ${choice} `) || text.includes(`use ${choice} `))).toBe(true);
            expect(found.length).toBeLessThanOrEqual(1);
          }
          expect(new Set(said).size).toBe(said.length);
          expect(said.length).toBeLessThanOrEqual(46);
        }
      }),
      { numRuns: 25 },
    );
  });

  verifies(['CARRY.bounds'], 'can be saved, for any size of what each has and is given', () => {
    const size = fc.constantFrom(0, 3, 39, 990, limits.entries_max);
    const room = fc.constantFrom(1, 60, 700);
    fc.assert(
      fc.property(fc.array(fc.tuple(size, room), { minLength: 20, maxLength: 20 }), (sessions) => {
        const received: Content[] = [];
        for (const [index, [items, characters]] of sessions.entries()) {
          const texts = count(items, `${index} ${'é'.repeat(characters)}`);
          const own = {
            decisions: texts,
            files: count(items, `${index}`),
            risks: index % 3 === 0 ? texts : [],
            open_questions: texts.slice(0, 5),
          };
          if (index % 5 === 4) received.splice(0, 3);
          const content = saved(carryOn(own, received) ?? {}, `s${index}`);
          received.push(content);
          expect(decisionsOf(content).slice(0, items)).toEqual(texts);
          expect(content.files.slice(0, items).map(({ path }) => path)).toEqual(own.files);
        }
      }),
      { numRuns: 2 },
    );
  });
});
