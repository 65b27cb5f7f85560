import { describe, expect } from 'vitest';
import type { ToolCall } from '../../packages/batonpass/src/core/conversation.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { shorten } from '../../packages/batonpass/src/extraction/plain-text.ts';
import { splitMessage } from '../../packages/batonpass/src/extraction/sentences.ts';
import { verifies } from '../verifies.ts';
import { decisionsOf, dialogue, extract } from './dialogue.ts';

describe('decisions', () => {
  verifies(['EXTRACT.decisions'], 'are what the user orders, wishes and rules out', () => {
    const said = decisionsOf(
      "We need a map view. Let's use Leaflet for the tiles. The legend should sit below the map. Don't load tiles before the user zooms. I'd like the colours from our style guide.",
      'Understood.',
    );
    expect(said).toEqual([
      'We need a map view.',
      'Use Leaflet for the tiles.',
      'The legend should sit below the map.',
      "Don't load tiles before the user zooms.",
      "I'd like the colours from our style guide.",
    ]);
  });

  verifies(['EXTRACT.decisions'], 'are what the user accepts by name, and no report that something works', () => {
    for (const said of [
      'It is fine for the queue.',
      'I tried the map and the legend works for me.',
      'Run the tests works for me.',
      'SQLite is fine currently.',
      '(SQLite is fine)',
    ])
      expect(decisionsOf(said, 'Understood.'), said).toEqual([]);
    expect(decisionsOf('SQLite is fine for the queue.', 'Understood.')).toEqual(['SQLite is fine for the queue.']);
  });

  verifies(['EXTRACT.decisions'], 'are requests in the form of a question only where they are carried out', () => {
    expect(decisionsOf('Can we move the legend to the left side?', 'Done. It is on the left side now.')).toEqual([
      'Move the legend to the left side.',
    ]);
    expect(
      decisionsOf(
        'Can we move the legend to the left side?',
        'That would cover the scale, and the library offers no way.',
      ),
    ).toEqual([]);
  });

  verifies(['EXTRACT.abstains'], 'are no questions that nobody settles', () => {
    for (const [asked, answer] of [
      ['shall we do an iterative drop or is there a more clever design', 'Yes. A cleaner way is influence analysis.'],
      ["for that i'll need to change line 70 only right", 'No. Line 266 as well.'],
      ['Can I plug in both of them together and not give up the other bus because I need it', 'Yes, both fit.'],
      ['Compare the two. explain which practice is better.', 'The second is better.'],
      ['You should keep the legend ?? 🙂.', 'It would cover the scale.'],
      ['I want to know how the cache should be used.', 'It is used by the tiles.'],
      ['je voudrais savoir pourquoi tu ne testes pas toujours', 'Il manque un serveur.'],
      ['tu ne peux pas lancer la commande /mcp .?.', 'Non.'],
    ] as const) {
      const { decisions, instructions } = extract(asked, answer);
      expect([...decisions, ...(instructions ?? [])]).toEqual([]);
    }
    expect(decisionsOf('should we cache the tiles', 'Yes, I have added a cache.')).toEqual(['Cache the tiles.']);
    const both = extract("Je voudrais savoir pourquoi c'est lent, mais ne touche jamais au cache.", 'Bien.');
    expect(both.instructions).toHaveLength(1);
  });

  verifies(['EXTRACT.ratifications'], 'are no bare yes to a question that leaves a choice', () => {
    const asked = "Tu veux que je te liste son schéma ou que je fasse une requête d'exemple ?";
    expect(decisionsOf('Crée la table.', asked, 'ok, franchement top', 'Merci.')).toEqual([]);
    expect(decisionsOf('Crée la table.', asked, 'oui, le schéma', 'Voici.')).toEqual([`${asked} oui, le schéma.`]);
    const offer = 'Möchtest du mir die offenen Punkte nennen (z. B. Tarif)?';
    expect(decisionsOf('Hallo.', offer, 'ja', 'Gut.')).toEqual([`${offer} ja.`]);
  });

  verifies(['EXTRACT.decisions'], 'end with their sentence, not at an abbreviation', () => {
    const sentencesOf = (text: string) =>
      splitMessage({ index: 0, role: 'user', text }).map((sentence) => sentence.text);
    for (const whole of [
      'Speichere Stammdaten, z. B. Namen, d. h. keine Bilder, u. a. Logos.',
      'No uses iconos, p. ej. emojis, en los textos.',
      "N'utilise pas d'icônes, c.-à-d. d'émojis.",
      'Не используй иконки, т. е. эмодзи.',
      'Compare free vs. Pro, bzw. Team, in ca. 3 tests.',
      'Make two tasks: 1. check the list of wishes, 2. write a plan of it.',
    ]) {
      expect(sentencesOf(whole)).toEqual([whole]);
      expect(shorten(`${whole} Then go on.`, whole.length + 9)).toBe(`${whole} …`);
      expect(shorten(`${whole} Then go on.`, whole.length)).not.toMatch(/\. …$/);
    }
    const split = ['use plan B.', 'then pin version 2.', 'keep x in main.c.', 'skip the rest.'];
    expect(sentencesOf(split.join(' '))).toEqual(split);
    expect(sentencesOf('Do these: 1. Add a test. 2. Remove it.')).toEqual([
      'Do these: 1. Add a test.',
      '2. Remove it.',
    ]);
    expect(sentencesOf('1. not sure yet 2. workflows of the server 3. keys of 2. generation 5. end')).toEqual([
      'not sure yet',
      'workflows of the server',
      'keys of 2.',
      'generation 5.',
      'end',
    ]);
    expect(sentencesOf('1. 登录后转到首页；2. 按钮没有倒计时')).toEqual(['登录后转到首页；', '按钮没有倒计时']);
  });

  verifies(
    ['EXTRACT.decisions'],
    'are implied where the assistant states a structural choice, with half the confidence and last',
    () => {
      const { decisions } = extract(
        'How would you store the tides?',
        '## Design\n\n- **One table per station** rather than one wide table, so that old years can be dropped.\n- It is Tuesday.\n- **Drop the old years yourself** rather than waiting, so that you keep the space.',
        'Okay. Stations must have a time zone.',
      );
      expect(decisions.map(({ confidence }) => confidence)).toEqual([1, 0.5]);
      expect(decisions[1]?.content).toBe(
        'One table per station rather than one wide table, so that old years can be dropped.',
      );
    },
  );

  verifies(
    ['EXTRACT.decisions'],
    'are implied by no sentence of more than 32 words of its own, 600 characters or three code names',
    () => {
      const choice = '**One table per station** rather than one wide table';
      const implied = (text: string) =>
        decisionsOf('How would you store the tides?', `## Design\n\n- ${text}.`, 'Okay.').length;
      // The choice itself has four.
      const naming = (count: number) => Array.from({ length: count }, (_, index) => `, name${index}`).join('');
      expect([28, 29].map((count) => implied(choice + naming(count)))).toEqual([1, 0]);
      const long = `${choice}, so that ${'abcdefghij'.repeat(5)} `.padEnd(599, 'klmnop ');
      expect([long, `${long}z`].map(implied)).toEqual([1, 0]);
      const calling = (...names: string[]) => names.map((name) => `, \`${name}\``).join('');
      expect([calling('a', 'b', 'c'), calling('a', 'b', 'c', 'd')].map((names) => implied(choice + names))).toEqual([
        1, 0,
      ]);
    },
  );

  verifies(
    ['EXTRACT.ratifications'],
    'are what the person answers to a question of the host, with what it means',
    () => {
      const asked = '**Where are tables kept?**\n- **SQLite** - one file next to the code\n- **Postgres** - a server';
      expect(decisionsOf('Plan it.', asked, '**Where are tables kept?** SQLite', 'Fine.')).toEqual([
        'Where are tables kept? SQLite — one file next to the code.',
      ]);
      expect(decisionsOf('Plan it.', 'Which one?', '**Where are tables kept?** SQLite', 'Fine.')).toEqual([]);
      const both = decisionsOf('Plan it.', asked, '**Where are tables kept?** SQLite\n\nDo not add Redis.', 'Fine.');
      expect(both).toHaveLength(2);
      expect(both[1]).toBe('Do not add Redis.');
      // Text within a line of the previous answer is quoted, not answered.
      expect(decisionsOf('Plan it.', 'I saw **the log** and left it.', '**the log** line 12 of it', 'Fine.')).toEqual(
        [],
      );
    },
  );

  verifies(['EXTRACT.ratifications'], 'are the option that the person likes, by its number', () => {
    const ways = 'Two ways:\n\n1. Return the email from the endpoint, or\n2. Keep it in the browser.';
    expect(decisionsOf('How?', ways, '1 does seem like a decent path forward, though we may improve it.')).toEqual([
      'Return the email from the endpoint.',
    ]);
    expect(decisionsOf('How?', ways, '2 does not seem like a good way')).toEqual([]);
  });

  verifies(['EXTRACT.decisions'], 'are what the agent chose by itself, where it then did it', () => {
    const write = { name: 'Edit', path: 'src/store.ts', effect: 'write' as const };
    const chosen = (text: string, calls: readonly ToolCall[], answer = 'Thanks.') => {
      const said = dialogue('Make it faster.', text, answer);
      said.messages[1]?.tool_calls.push(...calls);
      return extractByRules({ ...said, host: 'claude-code' }).decisions.map(({ content, confidence }) => [
        content,
        confidence,
      ]);
    };
    const text = 'I will use Postgres rather than Redis, because it runs already.';
    expect(chosen(text, [write])).toEqual([['Use Postgres rather than Redis, because it runs already.', 0.6]]);
    expect(chosen('Ich verwende Postgres statt Redis, weil es schon läuft.', [write])).toHaveLength(1);
    expect(chosen('我会使用 Postgres 而不是 Redis。', [write])).toHaveLength(1);
    expect(chosen(text, [])).toEqual([]);
    expect(chosen(text, [{ ...write, outcome: { is_error: true, text: 'no such file' } }])).toEqual([]);
    expect(chosen(text, [write], "No, I don't want Postgres for that, Redis is right.")).not.toContainEqual([
      expect.stringContaining('Postgres rather than Redis'),
      0.6,
    ]);
    expect(chosen('Should I use Postgres rather than Redis?', [write], 'What would it cost?')).toEqual([]);
  });

  verifies(
    ['EXTRACT.decisions'],
    'are a short rule in bold with the sentence behind it, and no label of one word',
    () => {
      const stated = (text: string) => decisionsOf('Design it.', `## Design\n\n- ${text}`, 'OK.');
      const behind = 'The index keeps its rows in one table.';
      expect(stated(`**Stay small.** ${behind}`)).toEqual([`Stay small. ${behind}`]);
      expect(stated(`**Small.** ${behind}`)).toEqual([]);
      expect(stated(`**Never split.** ${behind}`)).toEqual([`Never split. ${behind}`]);
      expect(stated(`Rows are plain. **Never split.** ${behind}`)).toEqual([]);
    },
  );

  verifies(['EXTRACT.decisions'], 'are read with either apostrophe', () => {
    for (const order of ['Let’s use SQLite for the queue.', 'We shouldn’t store passwords in plain text.'])
      expect(decisionsOf(order, 'Yes.')).toEqual(decisionsOf(order.replace('’', "'"), 'Yes.'));
    expect(decisionsOf('Let’s use SQLite for the queue.', 'Yes.')).toEqual(['Use SQLite for the queue.']);
  });

  verifies(['EXTRACT.abstains'], 'are none in conversations that decide nothing', () => {
    expect(decisionsOf('What is a tide?', 'The rise and fall of the sea. It happens twice a day.', 'Thanks!')).toEqual(
      [],
    );
    expect(decisionsOf('Run the tests.', 'All 12 tests pass.', 'Commit and push.', 'Done.')).toEqual([]);
    expect(
      decisionsOf('Show me the logs.', 'Here they are.', 'Hm, I see. Why does it restart?', 'The memory runs out.'),
    ).toEqual([]);
    expect(decisionsOf('Rename it to tide reader.', 'Renamed.', "Let's dive into the tests.", 'OK.')).toEqual([]);
    expect(decisionsOf('So the importer only stops at empty rows, right?', 'Yes, exactly.')).toEqual([]);
    expect(decisionsOf('hello', 'Hello! How can I help?')).toEqual([]);
    expect(extract().decisions).toEqual([]);
    expect(extract('', '').summary).not.toBe('');
  });

  verifies(['EXTRACT.decisions'], 'are what an agent offers in a condition, as the person accepts it', () => {
    const offer = 'The readme is updated.\n\nIf you want, I can also add a command that migrates the tables.';
    expect(decisionsOf('Write the readme.', offer, 'yeah please go ahead', 'Added.')).toEqual([
      'Add a command that migrates the tables.',
    ]);
  });

  verifies(['EXTRACT.abstains'], 'are none where the person leaves it open', () => {
    for (const open of [
      "We should make the container of the link bigger or something, I don't know.",
      'Use Redis for the sessions, idk.',
    ])
      expect(decisionsOf(open, 'I wrap the text instead.')).toEqual([]);
    expect(decisionsOf('We should make the container of the link bigger.', 'I do.')).toHaveLength(1);
  });

  verifies(['EXTRACT.abstains'], 'are not the options that the agent offers', () => {
    const offered =
      '## Approach\n\nA) **Core tiling first** rather than animations\nB) **Animations first** instead of tiling\n\nWhich one?';
    expect(decisionsOf('Plan it.', offered, 'Let me think about it.')).toEqual([]);
  });

  verifies(['EXTRACT.abstains'], 'are not what somebody else suggests and the user asks about', () => {
    expect(
      decisionsOf(
        'The reviewer suggests:\n\n1. Add a retry to the client.\n2. Remove the cache.\n\nThoughts?',
        'Both can wait.',
      ),
    ).toEqual([]);
  });

  const offer =
    'Two ways:\n\n1. **Queue**: keep failed saves and send them again.\n2. **Local first**: write to the database of the phone first.\n\nWhich one do you want?';

  verifies(['EXTRACT.ratifications'], 'resolve a choice by number or name to the proposal', () => {
    for (const answer of ['2', 'option 2', "let's go with option 2", 'the second one']) {
      const { decisions } = extract('How do we save offline?', offer, answer);
      expect(decisions[0], answer).toMatchObject({
        content: 'Local first: write to the database of the phone first.',
        confidence: 1,
        evidence: { message: 2, quote: answer },
        support: [{ message: 1, quote: '**Local first**: write to the database of the phone first.' }],
      });
    }
    expect(
      decisionsOf(
        'And?',
        '1. Add a retry to the client.\n2. Remove the cache.\n3. Log each failure.\n\nWant me to apply these?',
        'apply #1 and #3',
      ),
    ).toEqual(['Add a retry to the client.', 'Log each failure.']);
  });

  verifies(['EXTRACT.ratifications'], 'are no numbers of what the person lists in one line', () => {
    const done = '1. **Store**: the tides are in SQLite now.\n2. **Map**: the map has its legend.';
    expect(decisionsOf('Build it.', done, '1. the store is slow 2. the legend is missing').join()).not.toContain(
      'SQLite',
    );
  });

  verifies(['EXTRACT.ratifications'], 'are no proposals that the person asks about', () => {
    const offered = '1. Keep the log.\n2. Tag each event with its snapshot.\n3. Drop old events.';
    expect(decisionsOf('What is left?', offered, 'Explain more about #2', 'It is a number.')).toEqual([]);
  });

  verifies(['EXTRACT.ratifications'], 'name a heading alone where the next line is a heading too', () => {
    const ways = '**Option 1: Merge into main**\n\n**Option 2: Begin a new branch**\n\nWhich one do you want?';
    expect(decisionsOf('How?', ways, 'option 1')).toEqual(['Option 1: Merge into main.']);
  });

  verifies(['EXTRACT.ratifications'], 'are no names of a table’s columns', () => {
    const table = '| Choice | We recommend to use |\n|---|---|\n| Store | I recommend to use SQLite for the tables |';
    const found = decisionsOf('How?', table, 'yes, go ahead');
    expect(found.some((content) => content.includes('SQLite'))).toBe(true);
    expect(found.some((content) => content.includes('We recommend'))).toBe(false);
  });

  verifies(['EXTRACT.ratifications'], 'resolve a plain yes to what was offered', () => {
    expect(decisionsOf('And?', 'The cache is stale. Want me to add a version to each cache key?', 'yup')).toEqual([
      'Add a version to each cache key.',
    ]);
    expect(
      decisionsOf('And?', "I'd recommend a version in each cache key. Want me to do that?", 'yes, go ahead'),
    ).toEqual(['A version in each cache key.']);
    expect(decisionsOf('And?', 'The cache is stale.', 'yup')).toEqual([]);
  });

  verifies(['EXTRACT.ratifications'], 'join numbered answers with their questions', () => {
    const questions =
      '1. Should the list be sorted by name or by date?\n2. How many entries fit on a page?\n3. What happens to deleted entries?';
    expect(decisionsOf('A list, please.', questions, '1. the latter\n2. fifty\n3. keep them for a week')).toEqual(
      [
        'A list, please.',
        'The list: by date.',
        'How many entries fit on a page: fifty.',
        'What happens to deleted entries: keep them for a week.',
      ].slice(1),
    );
  });

  verifies(
    ['EXTRACT.ratifications'],
    'are no numbered list of a new request, joined with a list that asked nothing',
    () => {
      const steps = 'How to test it:\n1. Sign in.\n2. Click Register.\n3. Open the dashboard.';
      const request =
        'Now help me to apply for the grant. We build a platform for events. It is nearly done. Write:\n1. A strong application\n2. Why the project matters\n3. The timeline';
      expect(decisionsOf('Add the form.', steps, request, 'I write it.').join(' ')).not.toMatch(
        /Sign in|Register|dashboard/,
      );
      const brief =
        'Goals:\n1. Check the imports\n2. List the gaps\n3. Name the entries\n\nThe store is nearly done.\n\nKeep the old folders.\n\nWrite a report of it.';
      expect(decisionsOf('Add the form.', steps, brief, 'I check.').join(' ')).not.toMatch(
        /Sign in|Register|dashboard/,
      );
    },
  );

  verifies(['EXTRACT.ratifications'], 'answer no heading, which has its answer below it', () => {
    const told = '### Which project should it be?\n\nThe folder names none.\n\nIt is very likely the shop.';
    expect(decisionsOf('Which project?', told, 'new link, please').join()).not.toContain('Which project');
  });

  verifies(['EXTRACT.ratifications'], 'leave out a short order that says nothing without what it refers to', () => {
    const decisions = decisionsOf(
      'Move it.',
      'Moved. Old files that can be deleted:\n\n- `a.yml`\n\nAnything else?',
      'Delete them.',
    );
    expect(decisions).toEqual([]);
    expect(decisionsOf('How?', 'Moved first, then deleted.', 'Implement the plan.')).toEqual([]);
  });

  verifies(['EXTRACT.reversals'], 'drop what a later one reverses, and name it', () => {
    const { decisions } = extract(
      'Store the counters in Redis.',
      'Fine.',
      "Let's use Postgres for the counters instead of Redis.",
      'Done.',
    );
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toMatchObject({
      content: 'Use Postgres for the counters instead of Redis.',
      supersedes: ['Store the counters in Redis.'],
    });
  });

  verifies(['EXTRACT.reversals'], 'keep what a later ban does not touch', () => {
    expect(decisionsOf('Show the tide in metres.', 'Fine.', "Don't show the wind.", 'Fine.')).toHaveLength(2);
  });
});

verifies(['EXTRACT.ratifications'], 'a list below a request answers no list that asks nothing', () => {
  const steps = '1. The folder holds the readers.\n2. The index exports them.';
  const request =
    'Move the reader of tides now.\n\n1. In `tides.ts` the rates become a parameter with 6, 12 and 18 as its default.\n2. Remove the old one.';
  const contents = decisionsOf('Make a folder.', `Made it:\n\n${steps}`, request, 'Done.');
  expect(contents.filter((content) => /folder holds|index exports/i.test(content))).toEqual([]);
  const answers = decisionsOf('Make a folder.', `Made it:\n\n${steps}`, 'Fine.\n\n1. Only two.\n2. By name.', 'Done.');
  expect(answers.join(' ')).toMatch(/index exports.*By name/);
});
