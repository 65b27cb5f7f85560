import { describe, expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import { contentWords } from '../../packages/batonpass/src/extraction/content-words.ts';
import { toStatement } from '../../packages/batonpass/src/extraction/plain-text.ts';
import { readLabels, readRejected } from '../../packages/batonpass/src/extraction/selections.ts';
import { clauseOf, cutSentence, followEdit } from '../../packages/batonpass/src/extraction/summary-clauses.ts';
import { toContentInput } from '../../packages/batonpass/src/extraction/to-content-input.ts';
import { verifies } from '../verifies.ts';
import { decisionsOf, dialogue, extract } from './dialogue.ts';

describe('a self-contained statement', () => {
  verifies(['RULES.canonical'], 'says what is wanted and not that somebody wants it', () => {
    expect(decisionsOf("Let's print errors to stderr.", 'Done.')).toEqual(['Print errors to stderr.']);
    expect(decisionsOf('Can the app remember the last tab?', 'Yes, done.')).toEqual([
      'The app should remember the last tab.',
    ]);
    const { decisions } = extract("Ok, let's keep the cache for a week.", 'Fine.');
    expect(decisions[0]).toMatchObject({
      content: 'Keep the cache for a week.',
      evidence: { message: 0, quote: "Ok, let's keep the cache for a week." },
    });
  });

  verifies(['RULES.canonical', 'RULES.support'], 'names what "it" is, with the quote of the proposal', () => {
    const answer = "The old dashboard does not work with the new queue. I'd drop it for now.";
    const conversation = dialogue('Should we keep the dashboard?', answer, 'yes drop it');
    const { decisions } = extract(...conversation.messages.map(({ text }) => text));
    expect(decisions).toHaveLength(1);
    expect(decisions[0]?.content).toBe('The old dashboard does not work with the new queue: drop it for now.');
    expect(decisions[0]?.support).toEqual([{ message: 1, quote: "I'd drop it for now." }]);
    const input = toContentInput(extract(...conversation.messages.map(({ text }) => text)), conversation);
    const { content } = completeContent(input, { source_agent: 'test' });
    expect(content.decisions[0]?.support).toEqual([{ message: 1, quote: "I'd drop it for now." }]);
  });
});

describe('what a user accepts', () => {
  const review =
    '1. Rotate the session id after login.\n2. Add an index to the sessions.\n3. Rename the helper class.\n\nWant me to apply these?';

  verifies(['RULES.selection'], 'is chosen and left out by number', () => {
    expect(decisionsOf('Review it.', review, 'yes apply 1 and 2. ignore 3, that is another PR.')).toEqual([
      'Rotate the session id after login.',
      'Add an index to the sessions.',
      'Left out: Rename the helper class.',
    ]);
  });

  verifies(['RULES.selection'], 'is the option that an answer weighs first, where it has no list', () => {
    const ways =
      'The cycle can be broken in two ways. A type-only import would break the cycle. Moving the type would too, but it touches 30 files.';
    expect(decisionsOf('And the circular import?', ways, 'the first.')).toEqual([
      'A type-only import would break the cycle.',
    ]);
  });

  verifies(['RULES.selection', 'RULES.changed-acceptance'], 'is the option with what is said behind it', () => {
    const options = 'A) SQLite in one file\nB) Postgres on a server\n\nWhich one?';
    expect(decisionsOf('Go.', options, 'B. But keep A as a fallback for tests.', 'OK.')).toEqual([
      'Postgres on a server.',
      'Keep A as a fallback for tests.',
    ]);
    const offer = 'Fixed. Do you want me to refactor the session code?';
    expect(decisionsOf('Go.', offer, 'yes but only the cookie part', 'OK.')).toEqual([
      'Refactor the session code, but only the cookie part.',
    ]);
  });

  verifies(['RULES.selection'], 'is nothing where the options are compared, or another thing is said', () => {
    const options =
      '### Option 1: Rewrite the history\n\nIt is clean.\n\n### Option 2: Keep the history\n\nIt is quick.';
    expect(decisionsOf('Two ways?', options, 'For each of options 1 and 2 it looks like it deletes files.')).toEqual(
      [],
    );
    const offer = 'Would you like me to walk you through the rebase in more detail?';
    expect(decisionsOf('How?', offer, 'Another branch maybe.', 'I look.')).toEqual([]);
  });

  verifies(['RULES.refusal'], 'is never what is refused, in any language', () => {
    const offer = 'Done. Shall I force-push the branch to main?';
    const refusals =
      "absolutely not|okay, don't|yeah no|sure, not|ja nein, lass es|natürlich nicht|bien sûr que non|claro que no|当然不行|いいえ|нет, оставь|yes - actually no, mobile still uses it|yes. no wait, keep it until May|yes to the tests, no to the push";
    for (const refusal of refusals.split('|'))
      expect(decisionsOf('Go.', offer, refusal, 'OK.')).toEqual([`Shall I force-push the branch to main? ${refusal}.`]);
    for (const accepted of ['yes', "yes. Don't touch the tests."])
      expect(decisionsOf('Go.', offer, accepted, 'OK.')[0]).toBe('force-push the branch to main.');
    for (const [question, reply] of [
      ['Dois-je supprimer le dossier ?', 'oui, vas-y'],
      ['¿Quieres que borre la carpeta?', 'sí, dale'],
      ['要不要删除旧目录？', '好的'],
      ['古いフォルダを削除しますか？', 'はい、お願いします'],
      ['Мне удалить старую папку?', 'да, давай'],
    ] as const)
      expect(decisionsOf('Go.', question, reply, 'OK.')).toEqual([`${question} ${reply}.`]);
    for (const reply of ['sure, if the tests pass', "yes if staging is green, otherwise don't", 'yes'])
      expect(decisionsOf('Go.', 'Should I deploy to production now?', reply, 'OK.')).toEqual([
        `Should I deploy to production now? ${reply}.`,
      ]);
    expect(decisionsOf('Go.', 'Should I deploy to production now?', 'only to staging', 'OK.')).toEqual([
      'Should I deploy to production now: only to staging.',
    ]);
    expect(decisionsOf('Go.', 'I could remove the flags and the cron. Shall I?', 'no, the cron stays', 'OK.')).toEqual([
      'I could remove the flags and the cron. Shall I? no, the cron stays.',
    ]);
    // "No" before a noun is a ban of its own, and takes nothing back.
    expect(decisionsOf('Go.', offer, 'yes. No new tags please.', 'OK.')[0]).toBe('force-push the branch to main.');
    // What it is about is not said: then nothing is.
    expect(decisionsOf('Go.', "I'd drop it for now.", 'absolutely not', 'OK.')).toEqual([]);
    // A question of fact is no offer.
    expect(decisionsOf('Go.', 'Is there anything in its log?', 'no, nothing', 'OK.')).toEqual([]);
    expect(
      extract('Go.', 'I will delete the staging data.', 'no!', 'OK.').words.map(({ content }) => content),
    ).toContain('no! [to: I will delete the staging data.]');
    const { where_it_stands } = extract('Build the pages of the tide map.', offer, 'no', 'OK.');
    expect(where_it_stands.at(-1)?.content).toBe('no [asked: Shall I force-push the branch to main?]');
    expect(extract('Go.', offer, 'no', 'OK.').words.map(({ content }) => content)).toContain(
      'no [asked: Shall I force-push the branch to main?]',
    );
  });

  verifies(['RULES.canonical'], 'is an offer without its offer', () => {
    const offer = "When you're ready, say the word and I'll wire up the missing sounds and animations.";
    expect(decisionsOf('Write the guide first.', `The guide is written. ${offer}`, 'yes, go ahead')).toEqual([
      'Wire up the missing sounds and animations.',
    ]);
  });

  verifies(['RULES.short-answer'], 'is a short answer with its question', () => {
    expect(decisionsOf('Go.', 'Not yet decided: how long rejected rows are kept.', '30 days.')).toEqual([
      'How long rejected rows are kept: 30 days.',
    ]);
    expect(decisionsOf('Go.', 'Should the window be per user or global?', 'Per user, definitely.')).toHaveLength(1);
    const many = '30 rows, 20 columns, nine tables, two views, one map';
    const long = '30 rows, as it is with all of those that there are in it at this time';
    const lists = ['- 30 rows', '# 30 rows', '1. 30 rows', many, long, 'a', '/rows 30', '30 rows?', 'use staging'];
    const reports = ['because it was slow', 'ok, because it was slow', 'it shows 30 rows', 'I would like 30'];
    for (const nothing of ['thanks!', 'interesting', 'run the tests', ...lists, ...reports])
      expect(decisionsOf('Go.', 'How many rows should the page have?', nothing), nothing).toEqual([]);
    expect(decisionsOf('Go.', 'What did the log say?', 'nothing at all')).toEqual([]);
  });

  verifies(['RULES.changed-acceptance'], 'holds with the change that it names', () => {
    const offer = 'I would keep version one alive for 12 months. Sound good?';
    expect(decisionsOf('How long?', offer, 'yup, but 6 months')).toEqual(['Keep version one alive for 6 months.']);
    expect(decisionsOf('How long?', offer, 'yup')).toEqual(['Keep version one alive for 12 months.']);
  });

  verifies(['RULES.scope'], 'leaves out what an offer or a question named', () => {
    expect(decisionsOf('Go.', 'What about links that anyone can open?', 'Not now.')).toEqual([
      'Not now: links that anyone can open.',
    ]);
    expect(decisionsOf('Go.', 'Shall I write the OpenAPI document?', 'later')).toEqual([
      'Not now: write the OpenAPI document.',
    ]);
  });
});

describe('what a user requires', () => {
  verifies(['RULES.requirements'], 'is each entry of a list labelled as requirements, and each exclusion', () => {
    const brief =
      'We get hourly files.\n\nRequirements:\n- idempotent, the same file may arrive twice\n- configuration by environment variables\n\nOut of scope:\n- files older than a week\n\nThings I saw:\n- the bucket has two folders';
    expect(decisionsOf(brief, 'I see.')).toEqual([
      'Idempotent, the same file may arrive twice.',
      'Configuration by environment variables.',
      'Out of scope: files older than a week.',
    ]);
  });

  verifies(['RULES.requirements'], 'is not lost because he also asks for an opinion', () => {
    expect(decisionsOf('We must keep the old links working. What do you think?', 'Yes, easily.')).toEqual([
      'We must keep the old links working.',
    ]);
  });

  verifies(['RULES.latest-wins'], 'holds as he said it last', () => {
    const { decisions } = extract(
      'Set the limit to 60 requests per minute for each key.',
      'Done.',
      'Set the limit to 120 requests per minute for each key.',
      'Done.',
    );
    expect(decisions.map(({ content, supersedes }) => [content, supersedes])).toEqual([
      [
        'Set the limit to 120 requests per minute for each key.',
        ['Set the limit to 60 requests per minute for each key.'],
      ],
    ]);
  });

  verifies(['RULES.latest-wins'], 'includes what the same reply corrects or excludes', () => {
    const retracted = 'Use Node 22 in the images. No wait, the runtime is stuck on 20 until January. So 20.';
    expect(decisionsOf(retracted, 'OK.')[0]).toBe(retracted);
    const reply = "Yes let's go for 22. No wait, the runtime is stuck on 20 until January. So 20.";
    expect(decisionsOf('Which version?', "I'd go for 22.", reply, 'OK.')).toEqual([reply]);
    const ways = 'A) Add a timeout and fall back to the cached rate.\nB) Retry three times with a delay.\n\nWhich one?';
    const [chosen] = decisionsOf(
      'The rates fail.',
      ways,
      'option A, but without the cached rate: legal forbids it.',
      'OK.',
    );
    expect(chosen).toContain('but without the cached rate');
    const { decisions } = extract(
      'Please rename getUser to fetchUser everywhere.',
      'OK.',
      'Sorry, I meant getUsers',
      'OK.',
    );
    expect(decisions.map(({ content, supersedes }) => [content, supersedes?.length])).toEqual([
      ['Sorry, I meant getUsers.', 1],
    ]);
    expect(
      decisionsOf(
        'Upgrade the ORM to version 7.',
        'Done.',
        'Add a test.',
        'Done.',
        'v7 breaks it. Undo the upgrade.',
        'OK.',
      ),
    ).toContain('Taken back: Upgrade the ORM to version 7.');
    // Of several choices about the same thing the newest is undone.
    const kept = 'Use a parser of its own for the tables.';
    expect(
      decisionsOf(kept, 'Done.', 'Add a cache in front of the parser.', 'Done.', 'Undo the parser cache.', 'OK.'),
    ).toEqual([kept, 'Taken back: Add a cache in front of the parser.']);
  });

  verifies(['RULES.latest-wins'], 'stays where he undoes another thing', () => {
    const kept = 'Use the z score for the outliers.';
    for (const other of [
      'revert the plan and write in a concise cell',
      'annule la fusion',
      'mach die Migration rückgängig',
    ])
      expect(decisionsOf(kept, 'Done.', other, 'OK.')).toEqual([kept]);
    for (const same of [
      'undo it, and write a plan',
      'revert your last change',
      'revert the outliers and go on',
      'annule tout',
    ])
      expect(decisionsOf(kept, 'Done.', same, 'OK.')).toEqual([`Taken back: ${kept}`]);
  });

  verifies(['RULES.latest-wins'], 'falls where he takes it back, or changes his mind', () => {
    expect(decisionsOf('Rewrite the parser with a regex.', 'Done.', "that's unreadable, undo it", 'OK.')).toEqual([
      'Taken back: Rewrite the parser with a regex.',
    ]);
    expect(decisionsOf('Benutze Redis für die Sitzungen.', 'Fertig.', 'mach das rückgängig', 'OK.')).toHaveLength(1);
    const { decisions } = extract('Use tokens for the login.', 'Done.', 'I changed my mind, take sessions', 'OK.');
    expect(decisions.map(({ content, supersedes }) => [content, supersedes])).toEqual([
      ['I changed my mind, take sessions.', ['Use tokens for the login.']],
    ]);
    expect(decisionsOf('Read the file.', 'Read.', 'Standard doch UTF-8, nicht cp1252', 'OK.')).toEqual([
      'Standard doch UTF-8, nicht cp1252.',
    ]);
  });

  verifies(
    ['RULES.latest-wins'],
    'is no longer put off once he orders it, and another way "after all" replaces the one before',
    () => {
      const offer = 'Should I delete the old exports now?';
      expect(decisionsOf('Clean up.', offer, 'not now', 'OK.')).toEqual(['Not now: delete the old exports.']);
      expect(decisionsOf('Clean up.', offer, 'not now', 'OK.', 'go ahead and delete them', 'Deleted.')).toEqual([]);
      expect(decisionsOf('Clean up.', offer, 'not now', 'OK.', 'never delete the exports', 'OK.').join()).toContain(
        'Not now',
      );
      const redis = ['A cache, please.', 'Redis or memcached?', 'Redis', 'Done.'];
      expect(decisionsOf(...redis)).toEqual(['Redis or memcached: Redis.']);
      expect(decisionsOf(...redis, 'make it memcached after all', 'Done.')).toEqual(['Make it memcached after all.']);
    },
  );

  verifies(['RULES.latest-wins'], 'stays twice where one turn says alike things of two subjects', () => {
    const both = 'Set the read timeout to 5 seconds. Set the write timeout to 5 seconds.';
    expect(decisionsOf(both, 'Done.')).toHaveLength(2);
  });

  verifies(['RULES.objection'], 'is not what the assistant states and he objects to', () => {
    const mongo = '## Design\n\n- **MongoDB instead of Postgres** for the documents, so that fields can be added.';
    expect(decisionsOf('Design it.', mongo, 'Fine.', 'OK.')).toHaveLength(1);
    expect(decisionsOf('Design it.', mongo.replace('Postgres', 'Redis'), 'wrong, we run Redis', 'OK.')).toEqual([]);
    expect(decisionsOf('Design it.', mongo, "no, I don't want mongo. postgres please", 'OK.')).toEqual([
      "I don't want mongo.",
    ]);
    const design =
      '## Design\n\n- **The owner always keeps access**, even to private folders, so that nothing is orphaned.\n- **Grants live in one table** rather than one per node type.';
    const implied = (answer: string) =>
      extract('How would you model it?', design, answer)
        .decisions.filter(({ confidence }) => confidence < 1)
        .map(({ evidence }) => evidence.quote.slice(0, 12))
        .sort();
    expect(implied('Okay, next question.')).toEqual(['**Grants liv', '**The owner ']);
    expect(implied('I disagree with the rule that an owner keeps access to private folders.')).toEqual([
      '**Grants liv',
    ]);
  });

  verifies(['RULES.german'], 'is read in German too', () => {
    expect(
      decisionsOf(
        'Wie würdest du es machen?',
        'Ich würde einen Index auf die Spalte legen. Soll ich das so umsetzen?',
        'Ja, mach das. Aber bitte keine neuen Abhängigkeiten. Die Bilder lassen wir wie sie sind.',
      ),
    ).toEqual([
      'Ich würde einen Index auf die Spalte legen.',
      'Keine neuen Abhängigkeiten.',
      'Die Bilder lassen wir wie sie sind.',
    ]);
    expect(decisionsOf('Was ist ein Index?', 'Eine Datenstruktur.', 'Danke, das war hilfreich!')).toEqual([]);
  });
});

describe('what is left to know', () => {
  verifies(['RULES.risk-left'], 'is no concern that was remedied, or whose approach was abandoned', () => {
    const concern = 'The queue is in. One thing I noticed: a failing refund would be lost silently in the queue.';
    expect(extract('Go.', concern).risks).toHaveLength(1);
    const remedy = 'Errors of the refund queue should go to the dead letter table.';
    expect(extract('Go.', concern, remedy, 'Added, they are written there.').risks).toEqual([]);
    const way = 'Hard. I would expect a day of work, and it may break on slow devices.';
    const praise = 'The minimum-risk way to ship the refund queue is a second index on the orders table.';
    expect(extract('Go.', praise).risks).toEqual([]);
    expect(extract('Go.', praise.replace('minimum-risk way', 'risk when we')).risks).toHaveLength(1);
    expect(extract('How hard is scroll restoration?', way, 'then not worth it.', 'Fine.').risks).toEqual([]);
  });

  verifies(['RULES.relevance'], 'is how central each file is', () => {
    const { files } = extract(
      'The export in src/export.ts is slow, see docs/export.md.',
      'I read `src/query.ts`. `src/export.ts` now streams its rows. Added `test/export.test.ts`. Wrote `docs/adr/4-export.md`. Alternatives such as `src/batch.ts` stay out. It resembles `lib/stream.ts`.',
    );
    expect(files.map(({ path, relevance }) => `${path} ${relevance}`).sort()).toEqual([
      'docs/adr/4-export.md high',
      'docs/export.md medium',
      'lib/stream.ts low',
      'src/batch.ts low',
      'src/export.ts high',
      'src/query.ts low',
      'test/export.test.ts medium',
    ]);
  });

  verifies(['RULES.dead-ends'], 'is what was tried in vain, and how it ended', () => {
    const { tried, risks } = extract(
      'Make the image smaller.',
      "I tried the Alpine base image first, but sharp fails to build there. Then I switched to distroless. That didn't work because the entrypoint needs a shell. A multi-stage build works.",
    );
    expect(tried).toEqual([
      { what: 'I tried the Alpine base image first.', outcome: 'Sharp fails to build there.' },
      {
        what: 'Then I switched to distroless.',
        outcome: "That didn't work because the entrypoint needs a shell.",
      },
    ]);
    expect(risks).toEqual([]);
    expect(extract('Go.', 'If it does not work, try the other one. Users tried to log in twice.').tried).toEqual([]);
  });

  verifies(['RULES.next-steps'], 'is the last list of next steps, under a heading or a line', () => {
    const steps = (...texts: string[]) => extract('Go.', ...texts).next_steps.map(({ content }) => content);
    expect(steps('Done.\n\nNext steps:\n- Migrate the billing module\n- Load test the worker')).toEqual([
      'Migrate the billing module.',
      'Load test the worker.',
    ]);
    expect(
      steps('Next steps:\n- Migrate the billing module', 'do it', 'Done.\n\n**Remaining:**\n1. Load test the worker'),
    ).toEqual(['Load test the worker.']);
    const later = 'Released. **Remaining manual step:** set the default branch of the repository.';
    expect(steps('Next steps:\n- Migrate the billing module', 'do it', later)).toEqual([
      'Remaining manual step: set the default branch of the repository.',
    ]);
  });

  verifies(['RULES.next-steps'], 'is under a heading in seven languages, without what is ticked', () => {
    for (const heading of [
      'Next steps',
      'Nächste Schritte',
      'Prochaines étapes',
      'Próximos pasos',
      '下一步',
      '次のステップ',
      'Следующие шаги',
    ]) {
      const list =
        '- [x] Migrate the login module\n- ~~Rename the tables~~\n- ✅ Fix the linter\n- [ ] Load test the worker';
      const { next_steps } = extract('Go.', `OK.\n\n## ${heading}\n\n${list}`);
      expect(
        next_steps.map(({ content }) => content),
        heading,
      ).toEqual(['Load test the worker.']);
    }
  });

  verifies(['RULES.summary'], 'is summed up: what was asked, what was settled, what is next', () => {
    const { summary, title } = extract(
      'hi there',
      'Hello! What can I do?',
      'The nightly import of articles is too slow. We need to write only changed rows.',
      'I can compare hashes.\n\nNext steps:\n- Measure the import at night',
      'Use a staging table for the import instead of hashes.',
      'Done.\n\nNext steps:\n- Measure the import at night',
    );
    expect(title).toBe('The nightly import of articles is too slow');
    expect(summary).toBe(
      'We need to write only changed rows. Decided: Use a staging table for the import instead of hashes. Next: Measure the import at night.',
    );
  });

  verifies(['RULES.summary'], 'is summed up by the end of the last answer where nothing was settled', () => {
    const asked = '看下是不是有 padding？';
    const { summary } = extract(
      asked,
      '需在样式中排除它。',
      '提交',
      '已推送。下一步：\n\n如果需要，我可以继续。还有问题吗？',
    );
    expect(summary).toBe(`${asked} 已推送。`);
    const answer = 'I looked at the styles. The padding is in the card alone. Let me know if you want it changed.';
    expect(extract('Where is the padding set?', 'In the list.', 'Look again.', answer).summary).toBe(
      'Where is the padding set? The padding is in the card alone.',
    );
  });

  verifies(['RULES.summary'], 'ends with one stop, of whichever script', () => {
    for (const text of ['好。', '“好。”', '何？', 'Go on …', 'He said “yes.”']) expect(toStatement(text)).toBe(text);
    expect(toStatement('合并到属性中：')).toBe('合并到属性中.');
    expect(clauseOf('使用缓存。')).toBe('使用缓存');
  });

  verifies(['RULES.summary'], 'changes its summary with an item that is reworded or removed', () => {
    const summary = 'Asked: x. Decided: Use A; Use B. Next: Go.';
    expect(followEdit(summary, 'Use A', 'Use C.')).toBe('Asked: x. Decided: Use C; Use B. Next: Go.');
    expect(followEdit(summary, 'Use A')).toBe('Asked: x. Decided: Use B. Next: Go.');
    expect(followEdit(summary, 'Use B.')).toBe('Asked: x. Decided: Use A. Next: Go.');
    expect(followEdit(summary, 'Go.')).toBe('Asked: x. Decided: Use A; Use B.');
    for (const other of ['Use', '.']) expect(followEdit(summary, other)).toBe(summary);
    expect([240, 241].map((length) => cutSentence('a'.repeat(length)).length)).toEqual([240, 121]);
    expect(cutSentence('abc '.repeat(90))).toMatch(/^(?:abc ){58}abc…$/);
  });

  verifies(
    ['RULES.selection'],
    'is chosen by number, letter or position, and by nothing that only looks like one',
    () => {
      const chosen: Record<string, string[]> = {
        '2': ['2'],
        'option 2': ['2'],
        'item 3': ['3'],
        B: ['b'],
        '#1 and #3': ['1', '3'],
        'ok, 1, 2 and 3 please': ['1', '2', '3'],
        'take 1 & 2 only': ['1', '2'],
        'go with the latter.': ['2'],
        'ja, die erste Variante': ['1'],
        '1 looks good': ['1'],
      };
      for (const [words, labels] of Object.entries(chosen)) expect([words, readLabels(words)]).toEqual([words, labels]);
      for (const words of [
        '1 does not look good',
        '2 looks like',
        'you 2',
        '2?',
        'skip 3',
        'the first step',
        '2 '.repeat(81),
      ])
        expect([words, readLabels(words)]).toEqual([words, []]);
      expect([readRejected('skip 3'), readRejected('leave out 1 and 2.'), readRejected('3')]).toEqual([
        ['3'],
        ['1', '2'],
        [],
      ]);
    },
  );

  verifies(['RULES.latest-wins'], 'is about what its words name, with any endings', () => {
    expect([...contentWords('The read_timeout of 5 uploads: für Über-Größe “Ω” ×2')]).toEqual([
      'read_timeout',
      'upload',
      'für',
      'über',
      'größ',
    ]);
    expect([...contentWords('running applications tries quickly bed red')]).toEqual([
      'runn',
      'applic',
      'tri',
      'quick',
      'bed',
      'red',
    ]);
    const [longest, tooLong] = ['x'.repeat(60), 'y'.repeat(61)];
    expect([...contentWords(`${longest} ${tooLong} a`)]).toEqual([longest]);
  });
});
