import { describe, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { extract } from './dialogue.ts';

const orders = (...texts: string[]) => extract(...texts).instructions.map(({ content }) => content);

describe('standing instructions', () => {
  verifies(['FIDELITY.orders'], 'what a person reports of always or never is no standing order', () => {
    const reports = [
      'You keep saying they are gone, but they have always remained.',
      'It has never worked on my machine.',
      'There is always a gap at the bottom.',
    ];
    for (const report of reports) expect(extract(report, 'OK.').instructions).toEqual([]);
    for (const order of ['Always run the tests.', 'Secrets are never logged.', 'The agent must never push.'])
      expect(extract(order, 'OK.').instructions.map(({ content }) => content)).toEqual([order]);
  });

  verifies(['FIDELITY.orders'], 'are kept word for word, and one that is alike replaces none', () => {
    expect(
      orders(
        'Never touch the legacy module.',
        'Understood.',
        'Don’t ever push to main. Never touch the billing module.',
        'Fine.',
        'We do not need a parser for that yet. Now run the tests.',
      ).sort(),
    ).toEqual(['Don’t ever push to main.', 'Never touch the billing module.', 'Never touch the legacy module.']);
  });

  verifies(['FIDELITY.withdrawn'], 'have the later words that allow what they forbid, or reject what they name', () => {
    for (const [order, later] of [
      ['Never deploy on Fridays.', 'Fridays are fine after all, drop that rule'],
      ['Use yarn for everything, always.', 'npm, not yarn'],
      ['Never touch src/schema.sql.', 'ok, you can change schema.sql now'],
      ['Ändere niemals die Datei schema.sql.', 'schema.sql darfst du jetzt ändern'],
    ] as const)
      expect(orders(order, 'OK.', later, 'Done.')).toContain(`${order} (later: “${later}”)`);
    const again = [
      'Never deploy on Fridays.',
      'OK.',
      'Fridays are fine after all',
      'OK.',
      'Never deploy on Fridays.',
      'OK.',
    ];
    expect(orders(...again)).toEqual(['Never deploy on Fridays.']);
    const other = 'you can change the billing module now';
    expect(orders('Never touch the legacy module.', 'OK.', other, 'Done.')).toEqual(['Never touch the legacy module.']);
  });

  verifies(['FIDELITY.orders'], 'are no sentences that the person quotes', () => {
    for (const quoted of [
      'The runbook says: "Operators must restart the worker after each deploy. Never scale below two replicas." Is that still true',
      'Le ticket dit : « Ne jamais utiliser UTC, toujours l’heure de Paris. » Je trouve ça absurde.',
      'In der Anleitung steht: „Niemals direkt deployen. Immer erst fragen.“ Das ist alt.',
    ])
      expect(orders(quoted, 'OK.')).toEqual([]);
  });

  verifies(
    ['FIDELITY.orders'],
    'are no titles in capitals, no reports of what things do, no features of a product',
    () => {
      const texts = [
        'EVENT REGISTRATION SYSTEM\n\nNew events do not appear on the page.',
        'OK.',
        'It allows organizers to:\n- never lose a ticket\n- always see their sales\n\nHelp me to describe it.',
        'OK.',
      ];
      expect(orders(...texts)).toEqual([]);
      expect(orders('Use my `gh` tool to create the new repository.', 'OK.', 'Use `gh` for all of it.', 'OK.')).toEqual(
        ['Use `gh` for all of it.'],
      );
      expect(orders('看看能不能都帮我操作一下', 'OK.', '要不要改名', 'OK.')).toEqual([]);
      expect(orders('先评估，不要修改', 'OK.')).toEqual([]);
      for (const report of [
        'A click outside always closes the window.',
        'The list is filled from the props but never synced again.',
        'The button is now always enabled.',
      ])
        expect(orders(report, 'OK.')).toEqual([]);
      for (const order of ['Always embed the fonts.', 'Releases are never rushed.', 'Always pass the flag.'])
        expect(orders(order, 'OK.')).toEqual([order]);
      expect(orders('我记得有一个日志文件，复制一份', 'OK.', '但你并不能去优化一个空壳', 'OK.')).toEqual([]);
      expect(orders('IMPORTANT:\n- do NOT break the UI\n- NEVER TOUCH THE BUILD!', 'OK.').sort()).toEqual([
        'NEVER TOUCH THE BUILD!',
        'do NOT break the UI',
      ]);
    },
  );

  verifies(['FIDELITY.orders'], 'are single sentences in scripts without spaces too', () => {
    expect(orders('ログイン画面を直して。今後は必ず日本語で答えてください。', 'はい。')).toEqual([
      '今後は必ず日本語で答えてください。',
    ]);
    expect(orders('修复登录页面。不要修改数据库！谢谢。', '好的。')).toEqual(['不要修改数据库！']);
  });

  verifies(['FIDELITY.orders'], 'are found in seven languages, also in polite forms', () => {
    for (const order of [
      "I think it's better not to store personal data in the browser.",
      'Bitte besser nicht direkt in die Datenbank schreiben.',
      'Il vaut mieux laisser la configuration où elle est.',
      'Mejor no cambiar la base de datos a mano.',
      '不要碰 crates 目录。',
      'テストは必ず手元で実行してください。',
      'Никогда не трогай папку с ключами.',
    ])
      expect(orders(order, 'OK.')).toEqual([order]);
  });

  verifies(['FIDELITY.orders'], 'set the limits of the work in six languages', () => {
    for (const limit of [
      'Limit your fixes to `chart.js`.',
      'Only change the files below src.',
      'Leave the parser as it is.',
      'Ändere nur die Ausgabe.',
      'Ne modifie que le fichier de sortie.',
      'Limítate a los archivos de prueba.',
      '只修改测试文件。',
      'Ограничься файлом вывода.',
    ])
      expect(orders(limit, 'OK.')).toEqual([limit]);
  });

  verifies(['FIDELITY.orders'], 'are no commands of the host', () => {
    expect(extract('use /unslop', 'I do.').instructions).toEqual([]);
    expect(extract('Always use /unslop for texts.', 'I do.').instructions).toHaveLength(1);
  });

  verifies(['FIDELITY.orders'], 'are no questions that the host put for the agent', () => {
    const asked = '**Should we never cache?**\n- **Yes** - never\n- **No** - an hour';
    expect(orders('Plan it.', asked, '**Should we never cache?** Yes', 'Fine.')).toEqual([]);
  });

  verifies(['FIDELITY.orders'], 'are no order for one act, and nothing that is only quoted', () => {
    for (const once of [
      'Rename it to tide reader.',
      'Run the tests and show me the output.',
      'Make sure you read the documents first, and then do option 2.',
      'Move the commits one by one, keep the messages.',
      'Write at the top of the README: "Never commit the sessions folder".',
      'Only change `tides.py`:\n\n1. Read the rates.\n2. Check them.',
      '只修改 tides.py：\n\n1. 读取数据。\n2. 检查数据。',
    ])
      expect(orders(once, 'Done.')).toEqual([]);
    for (const standing of ['Make sure you never build this here.', 'Please keep the commits small.', 'Use pnpm here.'])
      expect(orders(standing, 'OK.')).toEqual([standing]);
  });
});
