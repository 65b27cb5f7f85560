import { expect } from 'vitest';
import { extractByRules } from '../../packages/batonpass/src/brainstorm/extract-by-rules.ts';
import type { ToolCall } from '../../packages/batonpass/src/core/conversation.ts';
import { verifies } from '../verifies.ts';
import { dialogue, withCalls } from './dialogue.ts';

const wordsOf = (...texts: string[]) => extractByRules(dialogue(...texts)).words.map(({ content }) => content);

verifies(['FIDELITY.final'], 'a sentence that is said again with another fact is left out, in any language', () => {
  const words = wordsOf(
    'How far is the branch of the import?',
    'The branch of the import is 40 commits ahead of main. It waits in queue-a for its review.',
    'And now?',
    'The branch of the import is 44 commits ahead of main.',
    'Wie steht es?',
    'Der Zweig liegt jetzt 51 Commits vor dem Hauptzweig.',
    'Und nun?',
    'Der Zweig liegt jetzt 53 Commits vor dem Hauptzweig.',
  ).join('\n');
  for (const held of ['44 commits', 'queue-a', '53 Commits']) expect(words).toContain(held);
  for (const old of ['40 commits', '51 Commits']) expect(words).not.toContain(old);
});

const wrote = (path: string): ToolCall => ({
  name: 'Write',
  path,
  effect: 'write',
  outcome: { is_error: false, text: '' },
});
const ran = (command: string, exit_code = 0): ToolCall => ({
  name: 'Bash',
  command,
  effect: 'none',
  outcome: { is_error: exit_code !== 0, exit_code, text: '' },
});
const changedAfter = (...calls: ToolCall[]) =>
  extractByRules(withCalls(...calls)).where_it_stands.flatMap(({ kind, content }) =>
    kind === 'changed' ? content : [],
  );

verifies(['FIDELITY.final'], 'a commit behind another program is a commit', () => {
  expect(changedAfter(wrote('src/a.ts'), ran('cd api && rtk git commit -m "Read the tables"'))).toEqual([]);
  expect(changedAfter(wrote('src/a.ts'), ran('echo git commit'))).toHaveLength(1);
});

verifies(['FIDELITY.final'], 'files that were removed, moved or committed are not told as changed', () => {
  const both = [wrote('/srv/app/specs/a/plan.md'), wrote('/srv/app/src/b.ts')];
  const only = (path: string) => [`Written since the last commit: ${path}`];
  expect(changedAfter(...both, ran('cd /srv/app && rm -rf specs/a'))).toEqual(only('/srv/app/src/b.ts'));
  expect(changedAfter(...both, ran('rm -rf src', 1))).toEqual(only('specs/a/plan.md, src/b.ts (in /srv/app/)'));
  expect(changedAfter(...both, ran('git mv specs/a specs/c'))).toEqual(
    only('src/b.ts, specs/c/plan.md (in /srv/app/)'),
  );
  for (const command of ['git add -A && git commit -m "Plan"', 'git reset --hard origin/main']) {
    expect(changedAfter(...both, ran(command))).toEqual([]);
  }
});

verifies(['FIDELITY.final'], 'a last request without an answer is told as that', () => {
  const interruptions = (...texts: string[]) =>
    extractByRules(dialogue(...texts)).where_it_stands.filter(({ kind }) => kind === 'interrupted').length;
  expect(interruptions('Add a map view of the tides, please.', 'It is there.')).toBe(0);
  expect(interruptions('Add a map view of the tides, please.', 'It is there.', 'Now publish it.')).toBe(1);
});

verifies(['FIDELITY.final'], 'a failed command is told with the one that replaced it; silence is no dead end', () => {
  const failed = (command: string, text: string): ToolCall => ({
    ...ran(command, 1),
    outcome: { is_error: true, exit_code: 1, text },
  });
  const { tried } = extractByRules(
    withCalls(
      failed('python tools/plot.py --year 2026', 'bash: python: command not found'),
      failed('grep -r gdal src', ''),
      ran('python3 tools/plot.py --year 2026'),
      ran('npm run build'),
    ),
  );
  expect(tried).toEqual([
    {
      what: '`python tools/plot.py --year 2026`',
      outcome: 'bash: python: command not found. Then this worked: `python3 tools/plot.py --year 2026`',
    },
  ]);
});

verifies(['FIDELITY.final'], 'what a summary lists as pending is left out when the person has gone on', () => {
  const summary = {
    index: 0,
    role: 'system' as const,
    text: 'Pending Tasks:\n- Restart the API\n\nPlease continue the conversation from where we left it off.',
    tool_calls: [],
  };
  const after = (requests: number) => {
    const said = dialogue(...Array.from({ length: 2 * requests }, (_, place) => `Message ${place} about the menu.`));
    const messages = [summary, ...said.messages.map((message) => ({ ...message, index: message.index + 1 }))];
    return extractByRules({ ...said, messages });
  };
  const pendingAfter = (requests: number) => after(requests).where_it_stands.filter(({ kind }) => kind === 'pending');
  expect(pendingAfter(1).map(({ content }) => content)).toContain('Restart the API');
  expect(pendingAfter(5)).toEqual([]);
  expect(after(1).words.some(({ content }) => content.startsWith('Please continue'))).toBe(false);
});

verifies(['FIDELITY.final'], 'of a pasted log the errors that say why are told', () => {
  const log = [
    'Run git push origin main',
    ...Array.from({ length: 20 }, (_, line) => `2026-01-0${(line % 9) + 1}T10:00:00Z [step ${line}] ok`),
    'remote: Permission to tide/api.git denied to bot[ci].',
    'fatal: unable to access https://example.org/tide/api.git/: The requested URL returned error: 403',
    'Error: Process completed with exit code 1.',
  ].join('\n');
  const words = wordsOf(`It still fails:\n\n${log}`, 'I look at it.').join('\n');
  for (const held of ['denied to bot', 'error: 403']) expect(words).toContain(held);
  expect(words).not.toContain('completed with exit code');
});

verifies(['FIDELITY.final'], 'a dead end says what was left, and looking at a check is none', () => {
  const deadEnds = (...texts: string[]) => extractByRules(dialogue(...texts)).tried;
  expect(deadEnds('Go on.', "Reverted and pushed. Wait, that won't work.")).toEqual([]);
  expect(deadEnds('Go on.', 'I reverted the bulk read in `omp.lua`, it blocks on pipes.')).toHaveLength(1);
  expect(extractByRules(withCalls(ran('gh pr checks 7713', 1), ran('npm test'))).tried).toEqual([]);
});
