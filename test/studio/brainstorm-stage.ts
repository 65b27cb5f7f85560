import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { answers, type Reply } from '../extraction/model/model-server.ts';
import { holdsBack, says, type Turn } from '../extraction/model/model-stream.ts';
import { button, go } from './flow-stage.ts';

export const question = 'Where do sessions live? I want the database out of every request. It is src/session.ts today.';

/** What the model of a chat says, with a sentence between others. */
export const advice =
  "Two ways:\n\n1. **Signed cookies**: no table.\n2. A database.\n\nI'd take the first. Keep sessions in signed cookies, and rotate the key.";

/** The sentence of it that a person pins. */
export const pinned = 'Keep sessions in signed cookies, and rotate the key.';

/** What a model extracts of the two. */
export const found = answers({
  decisions: [
    { content: 'Take the database out of every request', confidence: 1, message: 0, quote: 'database out of every' },
  ],
  filesReferenced: [
    { path: 'src/session.ts', relevance: 'high', context: 'Reads the cookie.', message: 0, quote: 'src/session.ts' },
  ],
  summary: 'Sessions move into signed cookies.',
});

/** A reply whose end the test releases. */
export function heldBack(turn: Turn): { reply: Reply; send: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reply: holdsBack(turn, promise), send: resolve };
}

/** A reply of the chat. */
export const saying = (text: string): Reply => says({ text });

/** A reply that says its beginning at once, and nothing more until the connection ends. */
export function saysHalf(text: string): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'planner-1' };
    const deltas = [{ role: 'assistant', content: '' }, { content: text }];
    for (const delta of deltas) {
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
    }
  };
}

/** Opens the screen. */
export async function openBrainstorm(page: Page, path = '/b'): Promise<void> {
  await go(page, path);
  await page.getByRole('heading', { level: 1 }).and(page.locator('.flow-title')).waitFor();
}

/** The field that a person writes in. */
export const composer = (page: Page): Locator => page.locator('.brainstorm-composer textarea');

/** Writes and sends. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Control+Enter');
}

/** A message by its place. */
export const message = (page: Page, place: number): Locator => page.getByRole('article', { name: `Message ${place},` });

/** An action of a message. */
export const act = (page: Page, place: number, name: string): Locator =>
  page.getByRole('group', { name: `Message ${place}`, exact: true }).getByRole('button', { name });

/** The present pins. */
export const pinsOn = (page: Page): Promise<string[]> => page.locator('.brainstorm-pin-words').allTextContents();

/** Selects words of a message, as a person does with the pointer. */
export async function select(page: Page, place: number, words: string): Promise<void> {
  await message(page, place).evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(wanted) ?? -1;
      if (at === -1) continue;
      getSelection()?.setBaseAndExtent(node, at, node, at + wanted.length);
      return;
    }
    throw new Error(`The message does not say "${wanted}".`);
  }, words);
}

/** Waits until the answer is whole. */
export const whole = (page: Page): Promise<void> => page.getByRole('button', { name: /^Send/ }).waitFor();

/** From the brainstorm to the review of its draft. */
export async function ready(page: Page): Promise<void> {
  await button(page, 'Ready to plan').click();
  await page.getByRole('heading', { name: 'Review the handoff' }).waitFor();
}

/** Waits until the browser has kept what matches. */
export async function expectKept(page: Page, words: string): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open('baton-brainstorms');
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error as Error);
        });
        const all = await new Promise((resolve) => {
          const request = database.transaction('brainstorms').objectStore('brainstorms').getAll();
          request.onsuccess = () => resolve(request.result);
        });
        database.close();
        return JSON.stringify(all);
      }),
    )
    .toContain(JSON.stringify(words).slice(1, -1));
}
