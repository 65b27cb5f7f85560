import { expect } from 'vitest';
import { introducesOthers } from '../../packages/batonpass/src/extraction/attribution-cues.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { verifies } from '../verifies.ts';
import { dialogue, extract } from './dialogue.ts';

verifies(['FIDELITY.final'], 'words behind the mark of an attachment are the person’s own', () => {
  for (const mark of [
    '[Image #1]',
    '[Image #1] [Image #2]',
    '[Pasted text #2 +12 lines]',
    '[Image: source: /a/b.png]',
  ]) {
    const { where_it_stands, title } = extractByRules(dialogue(`${mark} the header of the page is cut off`));
    expect(where_it_stands[0]?.content).toBe(`${mark} the header of the page is cut off`);
    expect(title).toBe('The header of the page is cut off');
  }
  for (const printed of ['[INFO] the server is listening on its port', '[2026-01-01] the server is listening'])
    expect(extractByRules(dialogue(printed)).where_it_stands[0]?.content).toBe(`[pasted 1 line: ${printed}]`);
});

verifies(['FIDELITY.final'], 'a line with too few letters is data, unless it is short or mostly an address', () => {
  const shown = (text: string) => extractByRules(dialogue(text)).where_it_stands[0]?.content;
  for (const own of ['1.2 3.4 5.6', 'abcdefgh 1.2/34', 'see https://example.org/a/1/2/3/4/5/6/7 12/3'])
    expect(shown(own)).toBe(own);
  for (const data of ['1.2 3.4 5.67', 'abcdefgh 1.2/345']) expect(shown(data)).toBe(`[pasted 1 line: ${data}]`);
});

/** What a handoff takes for the person's: decisions, instructions, next steps, risks and the title. */
function wantedIn(...texts: string[]): string {
  const { decisions, instructions, next_steps, risks, title } = extractByRules(dialogue(...texts));
  const wanted = [decisions, instructions, next_steps].flatMap((list) => list.map(({ content }) => content));
  return [...wanted, ...risks.map(({ description }) => description), title].join('\n');
}

verifies(
  ['FIDELITY.others'],
  'a text that the person introduces as somebody else’s is not what the person wants',
  () => {
    const text =
      'Requirements:\n- Never store the audit log\n- Drop the tests\n\nNext steps:\n1. Delete the Postgres database';
    for (const lead of [
      'This is the ticket the customer filed. Tell me what you think:',
      'Please review this description, I did not write it:',
      'The consultant wrote, I call it nonsense:',
      'Das hat mir der Kunde geschrieben:',
      'Voici le mail du client :',
      'Mi jefe escribió:',
      '这是客户写的：',
      'お客様が書いたものです:',
      'Заказчик написал:',
    ]) {
      for (const gap of ['\n\n', '\n']) {
        const wanted = wantedIn(`${lead}${gap}${text}\n\nKeep the old importer in Python.`, 'It is dangerous.');
        expect(wanted, lead).not.toMatch(/audit log|tests|Postgres/);
        expect(wanted, lead).toContain('Keep the old importer in Python');
      }
    }
    const [asked] = extractByRules(dialogue(`This is what Bob wrote:\n\n${text}`, 'No.')).where_it_stands;
    const noted = '[pasted 5 lines: Requirements: - Never store the audit log]';
    expect(asked?.content).toBe(`This is what Bob wrote: ${noted}`);
  },
);

verifies(['FIDELITY.others'], 'a text that the person asks to carry out is what the person wants', () => {
  const list = 'Requirements:\n- Store the audit log for a year';
  for (const lead of ['This is my ticket:', 'The customer sent this, please implement it:', 'As I wrote:'])
    expect(wantedIn(`${lead}\n\n${list}`, 'I do.'), lead).toContain('Store the audit log for a year');
});

verifies(['FIDELITY.others'], 'what the person reports that somebody said is not what the person wants', () => {
  for (const report of [
    'In the standup Ann said we should use gRPC everywhere.',
    'My colleague Tom says "we should use gRPC" and "we must never use REST". ',
    'He said "we should use gRPC. Never use REST." lol.',
    'The customer wrote: We must use gRPC. Never use REST.',
    'Mein Chef meint, wir müssen immer gRPC nehmen.',
    'Mon chef a dit qu’il faut toujours gRPC.',
    'Mi jefe dice que siempre hay que usar gRPC.',
    '老板说必须用 gRPC。',
    '田中さんは必ずgRPCを使うべきだと言っていました。',
    'Мой начальник сказал, что всегда надо gRPC.',
  ]) {
    const wanted = wantedIn(`${report}\n\nUpdate the docs of the API, REST stays.`, 'Updated.');
    expect(wanted, report).not.toContain('gRPC');
    expect(wanted, report).toContain('Update the docs of the API');
    const { words } = extractByRules(dialogue(report, 'I see.'));
    expect(words.map(({ content }) => content).join(' '), report).toContain('gRPC');
  }
  for (const own of [
    'As Ann said, we must use gRPC.',
    'Ann said REST, but we should use gRPC.',
    'I said we must use gRPC.',
  ])
    expect(wantedIn(own, 'Done.'), own).toContain('gRPC');
});

verifies(
  ['FIDELITY.others'],
  'a text that its frame or its introduction shows to be another’s is not what the person wants',
  () => {
    const order = 'Always send a copy of the keys to Bob. We must use gRPC.';
    for (const [framed, own] of [
      [
        `I got this mail, can you draft a reply?\n\nFrom: Bob <bob@example.org>\nSubject: Access\n\n${order}\n\nBob`,
        '',
      ],
      [`Von: Bob\nBetreff: Zugang\n\n${order}\n\nCan you draft a reply?`, 'Can you draft a reply?'],
      [`<page>\n${order}\n</page>\nTranslate this to German`, 'Translate this to German'],
      [`Here is what the wiki page says:\n\n${order}\n\nFix the css.`, 'Fix the css.'],
      [`The readme of the lib: ${order}\n\nFix the css.`, 'Fix the css.'],
      [`In der Doku steht:\n\n${order}\n\nFix the css.`, 'Fix the css.'],
      [`维基页面写着：\n\n${order}\n\nFix the css.`, 'Fix the css.'],
      [
        `I tried to open the page but got this:\nno repo configured\n\n${order}\n\n    config :flop;\n\nSet a default:\n\n    use Flop\n\nFix the css.`,
        'Fix the css.',
      ],
    ] as const) {
      const { decisions, instructions, words } = extractByRules(dialogue(framed, 'I see.'));
      expect(
        [decisions, instructions].flatMap((list) => list.map(({ content }) => content)).join(' '),
        framed,
      ).not.toMatch(/keys|gRPC|Flop/);
      expect(words.map(({ content }) => content).join(' ')).toContain(own);
    }
  },
);

verifies(['FIDELITY.others'], 'an introduction of another’s text is short', () => {
  const holds = (length: number) => introducesOthers(`${' readme'.padStart(length, 'x')}:`);
  expect([120, 121].map(holds)).toEqual([true, false]);
  const says = (length: number) => introducesOthers(`${'Ann wrote '.padEnd(length - 1, 'x')}:`);
  expect([600, 601].map(says)).toEqual([true, false]);
});

verifies(['FIDELITY.others'], 'what only looks framed is the person’s own', () => {
  for (const own of [
    'The docs: always keep the API in English.',
    '<instructions>\nAlways keep the API in English.\n</instructions>',
    'To: be decided. Always keep the API in English.',
    'Problem:\nAlways keep the API in English.\n\nAdd:\n\nconst language = "en";',
  ])
    expect(wantedIn(own, 'Done.'), own).toContain('keep the API in English');
});

verifies(['FIDELITY.others'], 'a block of code with a block of code in it is one', () => {
  const answer =
    'Here:\n\n````markdown\n# Readme\n```bash\nmake\n```\nWe decided to use gRPC, not REST.\n````\n\nDone.';
  expect(wantedIn('Write a readme.', answer, 'ok')).not.toContain('gRPC');
  expect(wantedIn('````\n```\nx\n```\nAlways use gRPC.\n````\nRead it.', 'OK.')).not.toContain('gRPC');
});

verifies(['FIDELITY.others'], 'a script and a build’s failure are pasted, whatever language they are in', () => {
  const lane = [
    'platform :mac do',
    '  lane :beta do',
    '    build_mac_app(',
    '      workspace: "Runner.xcworkspace",',
    '    )',
    '  end',
    'end',
  ];
  const failure = [
    'Xcode build done.                          12,1s',
    "Error (Xcode): We must use another framework, not 'iOS'",
    'make: *** [ffi] Error 70',
  ];
  for (const lines of [lane, failure]) {
    const { words, title } = extract(`Почини сборку приложения.\n\n${lines.join('\n')}`, 'OK.');
    expect(title).toBe('Почини сборку приложения');
    const own = words.filter(({ by }) => by === 'person').map(({ content }) => content);
    expect(own[0]).toBe('Почини сборку приложения.');
    expect(own.slice(1).join()).toMatch(/^\[pasted \d lines: /);
  }
});

verifies(['FIDELITY.others'], 'a terminal’s content is pasted from its prompt to its end', () => {
  const output = [
    'boot.sh: building the image ...',
    'total 56',
    'drwxr-xr-x 1 dev dev 72 Sep 18 08:47 .',
    '[build] done',
  ];
  const pasted = [
    'shop main ✗ vm/boot.sh --rail 14',
    ...output,
    ...output,
    ...output,
    'boot.sh: backend is not compiled in',
  ];
  const { where_it_stands, title, words } = extractByRules(
    dialogue(`${pasted.join('\n')}\n\nit gives this error`, 'I see.'),
  );
  expect(where_it_stands[0]?.content).toContain('it gives this error');
  expect(title).toBe('It gives this error');
  const own = words.filter(({ by }) => by === 'person');
  expect(own.map(({ content }) => content).join(' ')).not.toContain('drwxr');
  for (const line of ['bash: git: command not found', 'C:\\shop>git init', '(base) dev@box:~/shop$'])
    expect(extractByRules(dialogue(`Set up the git repository.\n\n${line}`, 'OK.')).title).toBe(
      'Set up the git repository',
    );
});

verifies(
  ['FIDELITY.others'],
  'pasted text is kept as such behind all that was said, of a long one its beginning and end',
  () => {
    const log = Array.from(
      { length: 100 },
      (_, line) => `2026-01-01T10:00:00Z INFO step ${line} of the import is done`,
    );
    const asked = [
      'Why does the import stop?',
      'What does it print?',
      log.join('\n'),
      'Step 99 is the last one.',
      'Thanks, go on.',
    ];
    const { words } = extractByRules(dialogue(...asked));
    const pasted = words.filter(({ by }) => by === 'pasted');
    expect(pasted.map(({ content }) => content)).toEqual([...log.slice(0, 20), ...log.slice(-20)]);
    expect(pasted.every(({ message }) => message === 2)).toBe(true);
    const said = words.filter(({ by }) => by !== 'pasted');
    expect(said.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['Why does the import stop?', 'Thanks, go on.']),
    );
    expect(Math.max(...said.map(({ rank }) => rank))).toBeLessThan(Math.min(...pasted.map(({ rank }) => rank)));
  },
);

verifies(['FIDELITY.others'], 'a long line of a person is kept in pieces that end at words', () => {
  const line = Array.from({ length: 200 }, (_, place) => `word${place}`).join(' ');
  const { words } = extractByRules(dialogue(line, 'I see.'));
  const pieces = words.filter(({ by }) => by === 'person').map(({ content }) => content);
  expect(pieces.join(' ')).toBe(line);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(600);
});

verifies(['FIDELITY.others'], 'a pasted failure is noted by what failed, not by where to read more', () => {
  const log = [
    '[ERROR] Failed to execute goal spring-boot: Unable to find main class',
    '[ERROR] Re-run Maven using the -X switch to enable full debug logging.',
    '[ERROR] For more information about the errors, read: [Help 1]',
    '[ERROR] [Help 1] http://cwiki.apache.org/MojoExecutionException',
  ];
  const [asked] = extractByRules(dialogue(log.join('\n'), 'I see.')).where_it_stands;
  expect(asked?.content).toContain('Unable to find main class');
  expect(asked?.content).not.toContain('cwiki');
});

verifies(
  ['FIDELITY.others'],
  'a request that names a line of a file is the person’s own; a program’s message with one is not',
  () => {
    const requests = [
      'in src/app.ts:42 rename the counter to seen',
      '@app/home/service-card.vue:1-194 为所有的样式转成新的写法',
      '@c:\\notes\\3.txt:530-554',
      'download the next one: https://example.org/courses/01f72f4f-d89c-425f-a1c6-d8406d55aa01/192306f6d5',
    ];
    for (const request of requests) {
      const [asked] = extract(request, 'OK.').where_it_stands;
      expect(asked?.content).toBe(request);
    }
    const messages = [
      'src/app.ts:42: this name is used and never declared here',
      'columns.js:94  Invalid column definition, it should be changed',
      'at work (src/app.ts:42:7)',
      'boot: warning: you can change this by editing the settings',
      'WARN[0000] the attribute is obsolete, please remove it to avoid confusion',
      "python3: can't open file '/app/init.py': [Errno 2] No such file or directory",
      'import psycopg',
      'already running (base) sam@tide:~/shop$ npm run build npm error Missing script: please add it (base) sam@tide:~/shop$',
    ];
    for (const message of messages) {
      const { where_it_stands, decisions, instructions } = extract(`It fails:\n\n${message}`, 'OK.');
      expect(where_it_stands[0]?.content).toMatch(/^It fails: [[(]pasted 1 line: /);
      expect([decisions, instructions]).toEqual([[], []]);
    }
  },
);

verifies(['FIDELITY.others'], 'a text from its front matter on is a file that the person shows', () => {
  const file = '---\ndescription: Create an endpoint\nhint: name\n---\nAlways create a new endpoint called $1.\nDone.';
  expect(extract(file, 'OK.').instructions).toEqual([]);
  const { instructions, where_it_stands } = extract(`The file should have this format:\n\n${file}`, 'OK.');
  expect(instructions).toEqual([]);
  expect(where_it_stands[0]?.content).toMatch(/^The file should have this format: [[(]pasted 6 lines: /);
});

verifies(['FIDELITY.others'], 'of a pasted error the line that says what is wrong is told, not its label', () => {
  const [asked] = extract(
    'I got this:\n\n```\nError:\nUnexpected token `Bar`\nCaused by:\nSyntax Error\n```',
    'OK.',
  ).where_it_stands;
  expect(asked?.content).toContain('Unexpected token `Bar`');
});

verifies(['FIDELITY.others'], 'a change that the agent shows is none of its words', () => {
  const answer =
    '```ts\n<<<<<<< SEARCH\nimport a from "a";\n=======\nimport b from "b";\n>>>>>>> REPLACE\n```\nThe header is mended.\n\n```diff\n- import OldMenuIcon from "icons";\n+ import { Menu } from "lucide";\n```';
  const words = extract('Mend the header.', answer).words.map(({ content }) => content);
  expect(words).toContain('The header is mended.');
  expect(words.join(' ')).not.toContain('import');
});

verifies(['FIDELITY.final'], 'a block of up to five commands is kept whole, with lines that were said before', () => {
  const ranksOf = (...commands: string[]) => {
    const last = `After the restart:\n\n\`\`\`bash\n${commands.join('\n')}\n\`\`\`\n\nThen tell me what it prints.`;
    const { words } = extract('Set up the shop.', `Run the script \`${commands[0]}\` first.`, 'It says nothing.', last);
    return words.filter(({ content }) => commands.includes(content)).map(({ rank }) => rank);
  };
  const commands = ['step-1', 'step-2', 'step-3', 'step-4', 'step-5', 'step-6'];
  const [first = 0, ...others] = ranksOf(...commands.slice(0, 5));
  expect(others).toEqual([first + 1, first + 2, first + 3, first + 4]);
  // Of a longer one, what was said before counts less.
  const [repeated = 0, ...rest] = ranksOf(...commands);
  expect(repeated).toBeGreaterThan(Math.max(...rest));
});

verifies(
  ['FIDELITY.final'],
  'the last short messages are not torn where there is room for more than single sentences',
  () => {
    const report = (topic: string) =>
      Array.from(
        { length: 40 },
        (_, n) => `The ${topic} table ${n} is read from src/${topic}/table-${n}.ts in ${n + 3} ms.`,
      );
    const last = [
      'It is slow in the morning.',
      'The cache is empty then.',
      'Shall I fill it before?',
      'It takes a minute.',
    ];
    const texts = [
      'Read the tables.',
      report('tide').join('\n'),
      'And the maps.',
      report('map').join('\n'),
      'Why is it slow?',
    ];
    const { words } = extract(...texts, last.join('\n'), 'Which cache?', 'The one of the tables.');
    const shown: string[] = [];
    for (const { content } of words.toSorted((left, right) => left.rank - right.rank)) {
      if (shown.join('').length < 2_600) shown.push(content);
    }
    expect(shown).toEqual(expect.arrayContaining([...last, 'Why is it slow?']));
  },
);

verifies(['FIDELITY.final'], 'a last answer of some length is whole before what was said earlier', () => {
  const early = Array.from({ length: 60 }, (_, n) => `Map${n} comes from chart${n} of place${n}.`).join('\n');
  const late = Array.from({ length: 60 }, (_, n) => `Part ${n} of the tides is read again.`).join('\n');
  const { words } = extract('Read the maps.', early, 'And the tides.', late, 'Thanks!', 'Sure.');
  const order = words.toSorted((left, right) => left.rank - right.rank).map(({ message }) => message);
  expect(order.slice(order.lastIndexOf(3)).filter((message) => message === 1).length).toBeGreaterThan(30);
});

verifies(['FIDELITY.final'], 'an item of a list comes with the line that introduces the list', () => {
  const lists = Array.from({ length: 40 }, (_, n) => [
    n % 2 === 0 ? `Open in part ${n}:` : `### Part ${n}`,
    ...[1, 2, 3].map((at) => `${at}. The gauge tide-${n}-${at} is read from src/gauge-${n}-${at}.ts twice.`),
    `All of gauge ${n} is done.`,
  ]);
  const { words } = extract('Read the gauges.', lists.flat().join('\n'));
  const ranks = new Map(words.map(({ content, rank }) => [content, rank]));
  let singles = 0;
  for (const { content } of words.toSorted((left, right) => left.rank - right.rank)) {
    const [, part = ''] = /tide-(\d+)-/.exec(content) ?? [];
    if (part !== '' && singles > 2_500) {
      const [introduction = ''] = lists[Number(part)] ?? [];
      expect(ranks.get(introduction)).toBeLessThan(ranks.get(content) ?? 0);
    }
    singles += content.length;
  }
  expect(singles).toBeGreaterThan(5_000);
});

verifies(['FIDELITY.final'], 'a sentence of one short word stays with the next one', () => {
  const { words } = extract(
    'Does it start the service?',
    'No. The package is a folder. It starts nothing by itself, and nothing else that is in it does so either.',
  );
  expect(words.map(({ content }) => content)).toContain('No. The package is a folder.');
});

verifies(['FIDELITY.final'], 'an answer to thanks does not take the place of the report before it', () => {
  const report = [
    'The tides are read from the new harbour table.',
    'The old harbour table is empty and may be dropped.',
    'Rows without a station still have to be moved by hand.',
  ];
  const firstThree = (...end: string[]) => {
    const earlier = Array.from({ length: 12 }, (_, n) => `Station ${n} is checked against src/station-${n}.ts.`);
    const { words } = extract('Move the tides.', earlier.join('\n'), 'And now?', report.join('\n'), ...end);
    const agents = words.filter(({ by }) => by === 'agent').toSorted((left, right) => left.rank - right.rank);
    return agents.slice(0, 3).map(({ content }) => content);
  };
  expect(firstThree().toSorted()).toEqual(report.toSorted());
  expect(firstThree('Ok, thanks.', 'You are welcome. Tell me when to go on.').toSorted()).toEqual(report.toSorted());
});

verifies(['FIDELITY.final'], 'of a host’s summary its analysis is left out, which comes before it', () => {
  const [, summary, ...others] = dialogue(
    'Go on.',
    'The summary covers the earlier part.\n\nAnalysis:\nLet me go through it: the person asked for tides.\n\nSummary:\n1. The tides are read.',
    'Now the maps.',
    'The maps are read.',
  ).messages;
  if (summary === undefined) return expect.unreachable();
  const { words } = extractByRules({ ...dialogue(), messages: [{ ...summary, role: 'system' }, ...others] });
  const said = words.map(({ content }) => content);
  expect(said).toContain('1. The tides are read.');
  expect(said.join(' ')).not.toContain('Let me go through it');
});
