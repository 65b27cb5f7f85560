import { expect } from 'vitest';
import type { Conversation } from '../../packages/batonpass/src/core/conversation.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { toContentInput } from '../../packages/batonpass/src/extraction/to-content-input.ts';
import { verifies } from '../verifies.ts';
import { dialogue, extract } from './dialogue.ts';

const titleOf = (conversation: Conversation) => toContentInput(extractByRules(conversation), conversation).title;

verifies(['FIDELITY.title'], 'a title is the name of the session', () => {
  const conversation = { ...dialogue('Fix the login of the shop.', 'Done.'), title: '# Repair of the shop’s login' };
  expect(titleOf(conversation)).toBe('Repair of the shop’s login');
  expect(titleOf({ ...conversation, title: '/home/dev/shop/' })).toBe('Fix the login of the shop');
});

verifies(['FIDELITY.title'], 'a title is the goal, without what only asks or greets, in any language', () => {
  const titles = [
    'Hi there, can you please move the nightly import to the new queue?',
    'Hallo, kannst du bitte den nächtlichen Import auf die neue Warteschlange umstellen?',
    'Bonjour, peux-tu déplacer l’import de nuit vers la nouvelle file ?',
    'Hola, quiero que muevas la importación nocturna a la cola nueva',
    '你好，请帮我把夜间导入移到新的队列',
    'Привет, можешь перенести ночной импорт в новую очередь?',
  ].map((request) => titleOf(dialogue(request, 'OK.')));
  expect(titles).toEqual([
    'Move the nightly import to the new queue',
    'Den nächtlichen Import auf die neue Warteschlange umstellen',
    'Déplacer l’import de nuit vers la nouvelle file',
    'Muevas la importación nocturna a la cola nueva',
    '把夜间导入移到新的队列',
    'Перенести ночной импорт в новую очередь',
  ]);
  // An enumeration is one clause.
  expect(titleOf(dialogue('将该项目中的按钮，如图2、3、4中的按钮，都改成图1的对角圆角矩形', 'OK.'))).toBe(
    '都改成图1的对角圆角矩形',
  );
});

verifies(['FIDELITY.title'], 'a title is no heading, path, address, prompt, log line or greeting', () => {
  const asked = 'Make the export of invoices faster';
  const before = [
    '# Overview of the export of invoices',
    'https://example.org/export/of/invoices/faster',
    '/srv/app/export/invoices/faster.ts',
    '$ npm run export -- invoices faster export invoices',
    '2026-09-14T08:00:01Z ERROR export of invoices is slow',
    'Hello everyone, good morning!',
  ];
  for (const line of before) expect(titleOf(dialogue(`${line}\n\n${asked}.`, 'OK.'))).toBe(asked);
});

verifies(['FIDELITY.title'], 'of sentences that say as much, the title is the first of the message', () => {
  const sentences = [
    'Rename the folder of the drafts.',
    'Sort the customers by name.',
    'Keep the letterhead of the invoices.',
    'Make the export of the invoices faster.',
  ];
  expect(titleOf(dialogue(sentences.join(' '), 'OK.'))).toBe('Rename the folder of the drafts');
  expect(titleOf(dialogue(sentences.toReversed().join(' '), 'OK.'))).toBe('Make the export of the invoices faster');
});

verifies(['FIDELITY.title'], 'a title has at most ten words and ends where a clause does, else at a word', () => {
  const long =
    'Rewrite the importer of the articles so that each supplier has a folder of its own with rules that nobody else reads.';
  expect(titleOf(dialogue(long, 'OK.'))).toBe('Rewrite the importer of the articles…');
  const list = 'Move the nightly import, its tables, its rules, the two reports, all old exports to the new queue.';
  expect(titleOf(dialogue(list, 'OK.'))).toBe('Move the nightly import, its tables, its rules');
});

verifies(['FIDELITY.title'], 'a link is no title, whether it opens the first message or is all of it', () => {
  const link = 'https://example.org/tide/issues/12';
  const answer = 'The importer stops at empty rows.';
  expect(titleOf(dialogue(link, answer))).toBe('The importer stops at empty rows');
  expect(titleOf(dialogue(`${link} fix this`, answer))).not.toContain('://');
  expect(titleOf(dialogue(`${link}\nMake the importer skip empty rows`, answer))).toBe(
    'Make the importer skip empty rows',
  );
  expect(titleOf(dialogue(`Make the importer skip empty rows: ${link}`, answer))).toBe(
    'Make the importer skip empty rows',
  );
  expect(titleOf(dialogue('/srv/tide/import.log', 'OK'))).toBe('Conversation of messages');
});

verifies(
  ['FIDELITY.title'],
  'a title is the goal, not what was asked in passing later, in another language or permanently',
  () => {
    const goal = 'Bitte baue den Import der Artikel so um, dass jeder Lieferant einen Ordner bekommt.';
    const work = 'I pushed the import to the main branch; the main branch now has the import of each supplier. '.repeat(
      20,
    );
    const texts = [
      goal,
      work,
      'push it to the main branch now please',
      work.slice(0, 90),
      'Never push to the main branch',
      'OK.',
    ];
    expect(titleOf(dialogue(...texts))).toBe('Baue den Import der Artikel so um');
  },
);

verifies(
  ['FIDELITY.title', 'FIDELITY.final'],
  'the main request is the one that introduces what is spoken of after it, however early the first came, in any language',
  () => {
    const sessions = [
      [
        'Set the name and the mail address in my git settings, please',
        'Both are set.',
        'Find out why the proxy opens the page of the admin for qbittorrent',
        'The proxy has no server block for qbittorrent, so the admin page answers.',
        'Now qbittorrent answers 401',
        'The proxy passes the wrong host; qbittorrent refuses it with 401.',
        'and now commit that',
        'Done.',
      ],
      [
        '请帮我把用户名改成新的名字，然后告诉我结果',
        '改好了。',
        '夜间导入很慢，每个供应商的文件都要读两次，请找出原因并修复',
        '夜间导入读取供应商的文件时没有缓存。',
        '请把结果写进自述文件，并且说明每一步现在要花多长时间，谢谢',
        '夜间导入现在每个供应商只读一次文件。',
      ],
    ];
    const found = sessions.map((texts) => extract(...texts));
    expect(found.map(({ title }) => title)).toEqual([
      'Find out why the proxy opens the page…',
      '夜间导入很慢，每个供应商的文件都要读两次',
    ]);
    expect(found.map(({ where_it_stands }) => where_it_stands.filter(({ kind }) => kind === 'goal'))).toMatchObject([
      [{ content: sessions[0]?.[2], evidence: { message: 2 } }],
      [{ content: sessions[1]?.[2], evidence: { message: 2 } }],
    ]);
  },
);

verifies(['FIDELITY.title'], 'an answer that repeats a request does not make it the main request', () => {
  const texts = [
    'Make offline notes for the field workers.',
    'The notes are stored locally.',
    'Which conflicts can happen?',
    'Two field workers change the offline notes.',
    'Show both versions side by side, never merge automatically, leave photos alone',
    'Both versions are side by side, I never merge automatically and leave photos alone.',
  ];
  expect(extract(...texts).title).toBe('Make offline notes for the field workers');
});

verifies(['FIDELITY.title'], 'of a question and the work that it leads to, the work is the main request', () => {
  const texts = [
    'Which harbours have lights and currents in the tide service?',
    'All of them have both.',
    'Write a report of the harbours into the wiki, with their lights.',
    'The wiki has the report: harbours with lights.',
    'Now with currents, and link the report in the wiki.',
    'The wiki links the report, which has the currents too.',
    'ok',
    'The report stays in the wiki of the tide service, which the harbours and their lights can read.',
  ];
  expect(titleOf(dialogue(...texts))).toMatch(/^Write a report/);
  expect(titleOf(dialogue(...texts.with(0, (texts[0] ?? '').replace('?', '.'))))).not.toMatch(/^Write a report/);
});

verifies(['FIDELITY.title'], 'a session of short requests has the name of the one that was spoken of most', () => {
  const texts = [
    '/check',
    'Done.',
    '/checkはどこにありますか',
    '/checkはここにあります。',
    'ok',
    '他にどこにありますか。',
  ];
  const [main] = extract(...texts).where_it_stands.filter(({ kind }) => kind === 'goal');
  expect(main?.content).toBe('/checkはどこにありますか');
  expect(titleOf(dialogue(...texts))).toBe('/checkはどこにありますか');
});

verifies(
  ['FIDELITY.title'],
  'brackets around a request are no part of a title, nor is the label of its summary',
  () => {
    expect(titleOf(dialogue('(move the nightly import to the new queue)', 'OK.'))).toBe(
      'Move the nightly import to the new queue',
    );
    const chosen = ['/fix', 'Should I use SQLite for the local index, or Redis?', 'SQLite', 'Done.'];
    expect(titleOf(dialogue(...chosen))).toMatch(/SQLite/);
    expect(titleOf(dialogue(...chosen))).not.toMatch(/^Decided/);
  },
);

verifies(['FIDELITY.title'], 'a session that began with an approved plan has the name of the plan', () => {
  const [plan, answer, ...others] = dialogue(
    'Implement the following plan:\n\n# Plan: Read the tables in blocks\n\n## Context\nThe tables are long.',
    'Done.',
    'Now make the export of the invoices faster, please.',
    'Done.',
  ).messages;
  if (plan === undefined || answer === undefined) throw new Error('No messages.');
  const messages = [{ ...plan, role: 'system' as const }, answer, ...others];
  expect(titleOf({ ...dialogue(), messages })).toBe('Read the tables in blocks');
});

verifies(['FIDELITY.title'], 'a title names topics of the files, of the commands and of the person’s words', () => {
  const edits = Array.from({ length: 6 }, () => ({
    name: 'Edit',
    effect: 'write' as const,
    path: 'src/invoices/exportWriter.ts',
  }));
  const requests = ['There is no total displayed.', 'Still no export.', 'Which invoices?', 'Export the invoices.'];
  const said = dialogue(...requests.flatMap((request) => [request, 'I changed the export of the invoices.']));
  const messages = said.messages.map((each) => (each.role === 'assistant' ? { ...each, tool_calls: edits } : each));
  expect(titleOf({ ...said, messages })).toBe('There is no total displayed (export, invoices)');
});

verifies(['FIDELITY.title'], 'topics of the commands have room next to a long request, and each is named once', () => {
  const deploy =
    'TARGET=tunnels terraform apply -target=module.gateways "the unquoted rest" && terraform show gateway.plan with';
  const calls = Array.from({ length: 4 }, () => ({ name: 'Bash', effect: 'none' as const, command: deploy }));
  const request = 'Move accounts which former colleagues used towards machines rented yesterday evening with support.';
  const said = dialogue(
    ...[request, 'The terraform gateway is still up.', 'And the gateways of the tunnels?'].flatMap((text) => [
      text,
      'I looked with care at the gateway, the tunnels and the gateways.',
    ]),
  );
  const messages = said.messages.map((each) => (each.role === 'assistant' ? { ...each, tool_calls: calls } : each));
  expect(titleOf({ ...said, messages })).toMatch(
    /^Move accounts which former colleagues used towards machines rented… \(gateways?\)$/,
  );
});

verifies(
  ['FIDELITY.title'],
  'a title is the subject of a commit where it says more of the work than the request',
  () => {
    const conversation = dialogue(
      'Can you look at what they wrote?',
      'The harbour import loses measurements. The second measurement of a harbour is lost.',
      'Then do it.',
      'Measurements of a harbour are complete. The import of a harbour without measurements is tested too.',
    );
    const commit = (subject: string) => {
      const [, answer] = structuredClone(conversation.messages);
      if (answer === undefined) return conversation;
      const command = `git commit -qam "${subject}"; git log -1 --oneline`;
      const outcome = { text: `[main 3f2a1bc] ${subject}\n 1 file changed`, is_error: false };
      answer.tool_calls = [{ name: 'Bash', effect: 'none', command, outcome }];
      return { ...conversation, messages: conversation.messages.map((each) => (each.index === 1 ? answer : each)) };
    };
    expect(titleOf(commit('fix(import): keep all measurements of a harbour'))).toBe(
      'Keep all measurements of a harbour',
    );
    expect(titleOf(commit('chore: bump version'))).not.toMatch(/bump/i);
  },
);

verifies(['FIDELITY.title'], 'a title is cut at a word, and names the host where nothing was said', () => {
  const found = { ...extractByRules(dialogue('Fix the login.', 'Done.')), title: '' };
  const title = (summary: string) => toContentInput({ ...found, summary }, { ...dialogue(), host: 'codex' }).title;
  expect(title('')).toBe('Conversation of codex');
  expect(title('Repair the login of the shop.')).toBe('Repair the login of the shop');
  expect(title('Repair the shop '.repeat(9))?.length).toBeLessThanOrEqual(80);
});

verifies(['FIDELITY.title'], 'a title is no reply that takes something back', () => {
  const asked = 'Rewrite the parser of the tide tables.';
  for (const reply of [
    "That's unreadable, undo it",
    'Wrong, we run Redis here and nothing else',
    'No wait, keep the old tables until May',
  ])
    expect(extract(asked, 'Done.', reply, 'OK.').title).toBe('Rewrite the parser of the tide tables');
});

verifies(['FIDELITY.title'], 'a quotation mark without its partner is no part of a title', () => {
  expect(titleOf(dialogue('"Move the nightly import to the new queue. Keep the old one."', 'OK.'))).toBe(
    'Move the nightly import to the new queue',
  );
  expect(titleOf(dialogue('Rename "import" to "nightly import"', 'OK.'))).toBe('Rename "import" to "nightly import"');
});
