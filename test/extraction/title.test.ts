import { expect } from 'vitest';
import type { Conversation } from '../../packages/batonpass/src/core/conversation.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { toContentInput } from '../../packages/batonpass/src/extraction/to-content-input.ts';
import { verifies } from '../verifies.ts';
import { dialogue } from './dialogue.ts';

const titleOf = (conversation: Conversation) => toContentInput(extractByRules(conversation), conversation).title;

verifies(['FIDELITY.title'], 'a title is the name that the session was given', () => {
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

verifies(['FIDELITY.title'], 'a title has at most ten words and ends at one', () => {
  const long =
    'Rewrite the importer of the articles so that each supplier has a folder of its own with rules that nobody else reads.';
  expect(titleOf(dialogue(long, 'OK.'))).toBe('Rewrite the importer of the articles so that each supplier…');
});
