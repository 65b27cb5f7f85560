import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { showHidden } from '../../packages/batonpass/src/core/hidden-characters.ts';
import type { Baton, ContentInput } from '../../packages/batonpass/src/index.ts';
import type { ScreenName } from '../../packages/studio/src/shell/router.ts';
import { screens } from '../../packages/studio/src/shell/screens.ts';
import { verifies } from '../verifies.ts';
import { fiveHundredTexts } from './five-hundred-texts.ts';
import { type ReviewStage, SESSION, stageReview, writeSession } from './review-stage.ts';

const stage = stageReview();

/** No store keeps half a character: a whole one replaces it. */
const texts = fiveHundredTexts.map((text) => text.toWellFormed());

/** Every address of a screen that shows what others wrote; a new screen does not compile before it has one here. */
const addresses = ({ draft, open, planned, planName }: Written): Readonly<Record<ScreenName, readonly string[]>> => ({
  home: ['/'],
  brainstorm: ['/b', `/b/${SESSION}`],
  inbox: ['/inbox', '/inbox?tab=drafts', '/inbox?tab=waiting', `/inbox?task_id=${encodeURIComponent(name())}`],
  handoff: [
    ...['content', 'receiver', 'timeline', 'diff', 'raw'].map((tab) => `/h/${open}?tab=${tab}`),
    `/h/${planned}?tab=timeline`,
  ],
  review: [`/review/${draft}`, `/review/${open}`],
  run: ['/run', `/run/${planned}`],
  lineage: ['/lineage', `/lineage/${open}`],
  plans: ['/plans', `/plan/${planName}`],
  import: ['/import'],
  settings: ['/settings'],
});

interface Written {
  draft: string;
  open: string;
  planned: string;
  planName: string;
}

let next = 0;

/** The next texts of the list, from its beginning again behind its end. */
const text = (length = Number.POSITIVE_INFINITY) => {
  let found = texts[next++ % texts.length] ?? '';
  while (found.length > length || found.trim() === '') found = texts[next++ % texts.length] ?? '';
  return found;
};

/** A name is trimmed and short; each hides something. */
const name = () => `${text(150).trim()} a\u202E\u200Bb`;

/** Every field of a content, the lists with all texts where they take them. */
function hostileContent(): ContentInput {
  return {
    title: name(),
    summary: texts.slice(0, 60).join(' '),
    body: texts.slice(60, 160).join('\n\n'),
    task_id: name(),
    source_agent: name(),
    scope: name(),
    phase: name(),
    origin: { host: name(), session: SESSION, branch: name(), worktree: name(), commit: name(), trace: name() },
    decisions: texts.map((content, message) => ({
      content,
      confidence: 1,
      source: 'ai-extracted' as const,
      evidence: { message, quote: text() },
      supersedes: [text()],
    })),
    files: texts.slice(0, 120).map((context) => ({ path: name(), context, evidence: { message: 1, quote: text() } })),
    risks: texts.slice(120, 240).map((description) => ({ description, evidence: { message: 1, quote: text() } })),
    tried: texts.slice(240, 300).map((what) => ({ what, outcome: text() })),
    next_steps: texts.slice(300, 360),
    open_questions: texts.slice(360, 420),
    results: texts.slice(420, 450).map((description) => ({
      description,
      status: 'partial' as const,
      artifacts: [name()],
      notes: text(),
    })),
    references: texts.slice(450, 480).map(() => ({
      type: name(),
      identifier: name(),
      title: name(),
      path: name(),
      url: text(1_900),
    })),
    context_snapshot: { decision_ids: [name()], warning_ids: [name()], finding_ids: [name()], summaries: [text()] },
    payload: { [text()]: texts.slice(0, 100) },
    extra: { [text()]: text() },
  };
}

/** A draft, a handoff with a history, and a planned one, all of hostile texts. */
async function writeAll({ baton, folder }: ReviewStage): Promise<Written> {
  const said = texts.map((each, index) => [index % 2 === 0 ? 'user' : 'assistant', each] as const);
  writeSession({ folder, home: baton.context.environment.HOME ?? '', said });
  const { id } = await baton.run('handoff.create', { content: hostileContent(), draft: true });
  const person = { name: name(), type: 'person' as const };
  const agent = { name: name(), type: 'agent' as const };
  const parent = await baton.run('handoff.create', { content: { title: name(), summary: text() } }, { actor: agent });
  const content = { ...hostileContent(), parent_id: parent.id };
  const made = await baton.run('handoff.create', { content }, { actor: person });
  for (let count = 0; count < 30; count += 1) {
    await baton.run(
      'handoff.create',
      { content: { title: name(), summary: text(), task_id: name() } },
      { actor: agent },
    );
  }
  const claim = async (wanted: string) =>
    (await baton.run('handoff.claim', { id: wanted }, { actor: agent })).handoff?.delivery.lease?.token ?? '';
  await baton.run('handoff.release', { id: made.id, token: await claim(made.id), reason: text() }, { actor: agent });
  const token = await claim(made.id);
  await baton.run('handoff.report', { id: made.id, token, text: text(), data: { [text()]: text() } }, { actor: agent });
  await baton.run('handoff.ask', { id: made.id, token, question: text() }, { actor: agent });
  await baton.run('handoff.answer', { id: made.id, answer: text() }, { actor: person });
  const asked = await baton.run('handoff.create', { content: { title: name(), summary: text() } });
  await baton.run('handoff.ask', { id: asked.id, token: await claim(asked.id), question: text() }, { actor: agent });
  return { draft: id, open: made.id, ...(await plan(baton)) };
}

/** A plan, and the run that made it. */
async function plan(baton: Baton): Promise<Pick<Written, 'planned' | 'planName'>> {
  const actor = { name: 'plan-agent', type: 'agent' } as const;
  const content = { title: name(), summary: text(), decisions: texts.slice(0, 40), target_agent: 'plan-agent' };
  const { id } = await baton.run('handoff.create', { content });
  const { handoff } = await baton.run('handoff.claim', { id }, { actor });
  const token = handoff?.delivery.lease?.token ?? '';
  const report = (words: string, data: object) =>
    baton.run('handoff.report', { id, token, text: words, data: data as never }, { actor });
  await report(text(), { type: 'run-started', planner: text(), instructions_sha256: '0'.repeat(64), steps_max: 20 });
  for (let number = 1; number < 20; number += 1) {
    const tools = [{ name: text(), input: { [text()]: text() }, output: { [text()]: text() } }];
    const step = { type: 'step', number, tools, text: text(), tokens: { input: 1, output: 1 }, duration_ms: 10 };
    await report(text(), step);
  }
  for (const words of texts.slice(100, 130))
    await baton.run('planning.add-decision', { id, token, content: words }, { actor });
  const line = () =>
    text(150)
      .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
      .trim();
  const plan_content = {
    title: line(),
    phases: ['init', 'execute', 'finalize'],
    tasks: ['init', 'execute', 'finalize'].map((phase) => ({
      name: line(),
      phase,
      goal: line(),
      acceptance_criteria: [line(), line()],
      checklist: [line(), line()],
    })),
  };
  await baton.run('planning.complete', { id, token, summary: text(), plan_content, plan_name: 'hostile' }, { actor });
  return { planned: id, planName: 'hostile' };
}

verifies(
  ['HOSTILE.screens', 'HOSTILE.hidden'],
  'five hundred hostile texts in every field are text on every screen',
  async () => {
    expect(texts.length).toBeGreaterThanOrEqual(500);
    const opened = await stage.open({ content: { title: 'Before', summary: 'Before' } });
    const { page, server } = opened;
    const written = await writeAll(opened);
    const all = addresses(written);
    expect(Object.keys(all).sort()).toEqual(Object.keys(screens).sort());
    // The review leads to the conversation, which is a brainstorm from then on.
    for (const path of [...all.review, ...Object.values({ ...all, review: [] }).flat()]) {
      await page.goto(server.url + path);
      await settle(page, path);
      const found = await look(page);
      expect([path, found.faults]).toEqual([path, []]);
      const seen = found.texts.filter((each) => showHidden(each) !== each);
      expect([path, seen]).toEqual([path, []]);
      if (path === `/review/${written.draft}`) await openBrainstorm(page);
    }
  },
);

/** The session that the draft says it comes from, as a brainstorm of this browser: by the path back from its review. */
async function openBrainstorm(page: Page): Promise<void> {
  await page.locator('[data-baton-item="decision:d2"]').focus();
  await page.keyboard.press('v');
  await page.getByRole('dialog').locator('[aria-current="true"]').waitFor();
  const { faults, texts: shown } = await look(page);
  expect([faults, shown.filter((each) => showHidden(each) !== each)]).toEqual([[], []]);
  await page.getByRole('button', { name: 'The whole conversation' }).click();
  await page.waitForURL(`**/b/${SESSION}`);
}

/** What shows nothing that others wrote, or nothing that this address names. */
const plain = ['/b', '/plans', '/import', '/settings', '/lineage', '/inbox?tab=waiting', '/inbox?task_id'];

/** Waits until the screen shows what it loads: hostile words, where there are any. */
async function settle(page: Page, path: string): Promise<void> {
  const isPlain = plain.some((each) => path === each || path.startsWith(`${each}=`));
  await page.waitForFunction(
    (wanted) => {
      const screen = document.querySelector('.studio-screen');
      const isLoading = screen === null || document.querySelector('.studio-loading') !== null;
      return !isLoading && screen.textContent !== '' && screen.textContent.includes(wanted);
    },
    isPlain ? '' : 'canary',
  );
}

/** Every text of the page, those of its attributes included, and what of it is more than text. */
function look(page: Page): Promise<{ texts: string[]; faults: string[] }> {
  return page.evaluate(() => {
    const shown: string[] = [document.title];
    const faults: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) shown.push(walker.currentNode.nodeValue ?? '');
    for (const element of document.body.querySelectorAll('*')) {
      if (/^(?:script|iframe|object|embed|base|link|meta|style|form|video|audio|img)$/i.test(element.tagName)) {
        const isOwn = element.tagName === 'FORM' && !element.hasAttribute('action');
        if (!isOwn) faults.push(element.outerHTML.slice(0, 200));
      }
      for (const { name: attribute, value } of element.attributes) {
        if (/^on/i.test(attribute)) faults.push(`${attribute}=${value}`);
        if (/^(?:href|src|action|xlink:href|poster|srcset)$/i.test(attribute)) {
          const { protocol } = new URL(value, location.href);
          if (!['http:', 'https:'].includes(protocol)) faults.push(`${attribute}=${value}`);
        } else if (['title', 'aria-label', 'alt', 'placeholder', 'aria-description'].includes(attribute))
          shown.push(value);
      }
    }
    if ('hit' in window) faults.push('A script ran.');
    if ('hit' in Object.prototype) faults.push('A prototype was changed.');
    const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (excess > 0) faults.push(`${excess} pixels are cut off.`);
    return { texts: shown, faults };
  });
}
