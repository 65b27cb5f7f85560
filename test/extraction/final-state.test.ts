import { expect } from 'vitest';
import type { Message, ToolCall } from '../../packages/batonpass/src/core/conversation.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { verifies } from '../verifies.ts';
import { dialogue, withCalls } from './dialogue.ts';

const wordsOf = (...texts: string[]) => extractByRules(dialogue(...texts)).words.map(({ content }) => content);

verifies(['FIDELITY.final'], 'what the agent said of something that a later turn speaks of again comes last', () => {
  const { words } = extractByRules(
    dialogue(
      'Wie steht es um den Import?',
      'Der Import liest tides/import.ts und bricht bei großen Dateien ab. Die Wartezeit beträgt 40 Sekunden.',
      'Und nun?',
      'Jetzt liest tides/import.ts in Blöcken und läuft durch.',
    ),
  );
  const rankOf = (part: string) => words.find(({ content }) => content.includes(part))?.rank ?? -1;
  expect(rankOf('bricht bei')).toBe(words.length - 1);
  expect(rankOf('40 Sekunden')).toBeGreaterThan(rankOf('in Blöcken'));
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

verifies(['FIDELITY.final'], 'a commit after another command is a commit', () => {
  expect(changedAfter(wrote('src/a.ts'), ran('cd api && rtk git commit -m "Read the tables"'))).toEqual([]);
  expect(changedAfter(wrote('src/a.ts'), ran('echo git commit'))).toHaveLength(1);
});

const rebased = [
  '   452090a..138f701  main -> origin/main',
  'Successfully rebased and updated refs/heads/main.',
  '   138f701..1cf8b0e  main -> main',
].join('\n');

verifies(['FIDELITY.final'], 'commits are listed by hash and subject, with what was not pushed', () => {
  const committed = (report: string, command = 'git commit -m "…"'): ToolCall => ({
    ...ran(command),
    outcome: { is_error: false, exit_code: 0, text: `${report}\n 1 file changed` },
  });
  const told = (...calls: ToolCall[]) =>
    extractByRules(withCalls(...calls)).where_it_stands.flatMap(({ kind, content }) =>
      kind === 'done' ? content : [],
    );
  const first = committed('[main 452090a] Read the tables');
  const second = committed('[main 3388a68] Add a map');
  expect(told(first, ran('git push'), second)).toEqual([
    'commit 3388a68 Add a map (no push seen)',
    'commit 452090a Read the tables',
  ]);
  expect(told(first, second)).toEqual(['commits 3388a68 Add a map; 452090a Read the tables (no push seen)']);
  // Mentioned elsewhere, failed, or renamed since.
  expect(told(committed('[main 452090a] Read the tables', 'cat notes.txt'))).toEqual([]);
  for (const command of ['git rebase origin/main', 'git reset HEAD~1']) expect(told(first, ran(command))).toEqual([]);
  expect(told(first, committed('[main a6101e0] Read all tables', 'git commit --amend'))).toEqual([
    'commit a6101e0 Read all tables (no push seen)',
  ]);
  expect(told(first, second, committed('[main 77f0a12] Revert "Add a map"', 'git revert HEAD'))).toEqual([
    'commit 452090a Read the tables (no push seen)',
  ]);
  expect(told(first, ran('git push', 1))).toEqual(['commit 452090a Read the tables (no push seen)']);
  // Made before a later part of the command failed, then rebased and pushed.
  const failing = ran('git commit -m "…" && git push', 1);
  const made = {
    ...failing,
    outcome: { is_error: true, exit_code: 1, text: '[main 3388a68] Add a map\nerror: failed' },
  };
  expect(told(first, made)).toEqual(['commits 3388a68 Add a map; 452090a Read the tables (no push seen)']);
  expect(changedAfter(wrote('src/a.ts'), made)).toEqual([]);
  const pushed = (text: string, command = 'git pull --rebase && git push') => ({
    ...ran(command),
    outcome: { is_error: false, exit_code: 0, text: `To https://example.org/tide.git\n${text}` },
  });
  expect(told(first, pushed('   1f0a2b3..452090a  main -> main', 'git push'), made, pushed(rebased))).toEqual([
    'commits Add a map; 452090a Read the tables',
    'pushed main, now at 1cf8b0e',
  ]);
  expect(told(pushed(' * [new branch]      map -> map'))).toEqual(['pushed map']);
  expect(told(pushed(' + 452090a...3388a68 map -> map (forced update)', 'git push -f'))).toEqual([
    'pushed map, now at 3388a68',
  ]);
  for (const text of ['   452090a..3388a68  map -> origin/map', ' ! [rejected]        map -> map (fetch first)'])
    expect(told(pushed(text))).toEqual([]);
});

verifies(['FIDELITY.final'], 'a subject is a commit of each repository that it was used in', () => {
  const committed = (command: string, hash: string, cwd?: string): ToolCall => ({
    ...ran(command),
    ...(cwd !== undefined && { cwd }),
    outcome: { is_error: false, text: `[main ${hash}] chore: use tides 2` },
  });
  const told = (...calls: ToolCall[]) =>
    extractByRules(withCalls(...calls)).where_it_stands.flatMap(({ kind, content }) =>
      kind === 'done' ? content.match(/[0-9a-f]{7}|no push/g) : [],
    );
  const api = committed('cd /code/api && git commit -m "chore: use tides 2"', '452090a');
  const app = committed('git -C "/code/app" commit -m "chore; use tides 2"', '3388a68');
  const web = committed('git commit -m "chore: use tides 2"', 'a6101e0', '/code/web');
  expect(told(api, app, web)).toEqual(['a6101e0', '3388a68', '452090a', 'no push']);
  expect(told(api, app, committed('cd ../api && git cherry-pick 452090a', '77f0a12', '/code/app'))).toEqual([
    '77f0a12',
    '3388a68',
    'no push',
  ]);
  expect(told(api, app, ran('cd /code/app && git push'))).toEqual(['452090a', 'no push', '3388a68']);
  expect(told(api, app, ran('cd /code/app/src && git reset --hard HEAD~1'))).toEqual(['452090a', 'no push']);
  expect(told(api, app, ran('git push'))).toEqual(['3388a68', '452090a']);
});

verifies(['FIDELITY.final'], 'what ran when the session ended has no result, and commits nothing', () => {
  const endedWith = (...calls: ToolCall[]) =>
    extractByRules(withCalls(wrote('src/a.ts'), ...calls)).where_it_stands.flatMap(({ kind, content }) =>
      kind === 'changed' || kind === 'interrupted' ? content : [],
    );
  const commit: ToolCall = { name: 'Bash', effect: 'none', command: 'cd /srv/app; git commit -am "Read the tables"' };
  const written = 'Written (no commit seen): src/a.ts';
  expect(endedWith(ran('npm test'), commit)).toEqual([
    'Ran when the session ended, result unknown: `git commit -am "Read the tables"`',
    written,
  ]);
  expect(endedWith(ran('npm test'), { ...commit, command: 'cd /srv/app; git status' })).toEqual([written]);
  // Here no result says less: the transcript has none, or not of all.
  expect(endedWith(commit)).toEqual([]);
  expect(endedWith({ ...commit, command: 'npm run build' }, ran('npm test'), commit)).toEqual([]);
});

verifies(
  ['FIDELITY.final', 'RULES.dead-ends'],
  'a call that the person refused is a dead end, unless it was allowed later',
  () => {
    const outcome = { is_error: true, text: "The user doesn't want to proceed with this tool use." };
    const refused = (call: ToolCall): ToolCall => ({ ...call, outcome });
    const triedWith = (...calls: ToolCall[]) => extractByRules(withCalls(...calls)).tried;
    const deploy = ran('npm run deploy -- \\\n  --all');
    expect(triedWith(refused(deploy), refused(wrote('src/a.ts')), refused(ran('git log')))).toEqual([
      { what: '`npm run deploy -- \\ --all`', outcome: 'The person refused it.' },
      { what: 'Write src/a.ts', outcome: 'The person refused it.' },
    ]);
    expect(triedWith(refused(deploy), refused(wrote('src/a.ts')), deploy, wrote('src/a.ts'))).toEqual([]);
    const inCopilot = { is_error: true, text: 'The user rejected this tool call.' };
    expect(triedWith({ ...ran('npx deploy'), outcome: inCopilot })).toEqual([
      { what: '`npx deploy`', outcome: 'The person refused it.' },
    ]);
  },
);

verifies(['FIDELITY.final'], 'the host’s recap comes first, as long as little was asked since', () => {
  const first = (requests_since: number) => {
    const conversation = dialogue('Add a map of the harbours.', 'It is there.');
    conversation.recap = { text: 'Drawing the map. Next: its key.', requests_since };
    return extractByRules(conversation).where_it_stands[0]?.content;
  };
  expect(first(0)).toBe('Drawing the map. Next: its key.');
  expect(first(1)).toBe('(before the last request) Drawing the map. Next: its key.');
  expect(first(3)).toBe('(before the last 3 requests) Drawing the map. Next: its key.');
  expect(first(4)).toBe('Add a map of the harbours.');
});

verifies(['FIDELITY.final'], 'a long subject ends between two words', () => {
  const subject = `fix: read ${'the tables of all harbours and '.repeat(4)}their tides`;
  const [told] = extractByRules(
    withCalls({ ...ran('git commit'), outcome: { is_error: false, text: `[main 452090a] ${subject}` } }),
  ).where_it_stands.flatMap(({ kind, content }) => (kind === 'done' ? content : []));
  expect(told).toMatch(/ (?:the|tables|of|all|harbours|and)… \(no push seen\)$/);
});

verifies(['FIDELITY.final'], 'files that were removed, moved or committed are not reported as changed', () => {
  const both = [wrote('/srv/app/specs/a/plan.md'), wrote('/srv/app/src/b.ts')];
  const only = (path: string) => [`Written (no commit seen): ${path}`];
  expect(changedAfter(...both, ran('cd /srv/app && rm -rf specs/a'))).toEqual(only('/srv/app/src/b.ts'));
  expect(changedAfter(...both, ran('rm -rf src', 1))).toEqual(only('src/b.ts, specs/a/plan.md (in /srv/app/)'));
  expect(changedAfter(...both, ran('git mv specs/a specs/c'))).toEqual(
    only('specs/c/plan.md, src/b.ts (in /srv/app/)'),
  );
  for (const command of [
    'rm src/*.ts',
    'Remove-Item -Path src/b.ts -Force',
    'unlink src/b.ts',
    'git checkout -- src/b.ts',
  ]) {
    expect(changedAfter(...both, ran(command))).toEqual(only('/srv/app/specs/a/plan.md'));
  }
  // Neither what is in a folder that is not known here, nor a pattern that a matcher would never be done with.
  for (const command of ['cd build && rm -rf *', `rm ${'*a'.repeat(2_000)}`]) {
    expect(changedAfter(wrote(`src/${'a'.repeat(1_000)}`), ran(command))).toHaveLength(1);
  }
  expect(changedAfter(...both, ran('rm *.log'))).toEqual(only('src/b.ts, specs/a/plan.md (in /srv/app/)'));
  for (const command of ['git add -A && git commit -m "Plan"', 'git reset --hard origin/main']) {
    expect(changedAfter(...both, ran(command))).toEqual([]);
  }
  expect(changedAfter(...both, ran('git commit -am "Plan"'), wrote('src/c.ts'))).toEqual([
    'Written since the last commit: src/c.ts',
  ]);
});

verifies(['FIDELITY.final'], 'what the agent did after its last words is named, with the folder of a command', () => {
  const endedWith = (...calls: ToolCall[]) => {
    const said = withCalls(...calls);
    const after = { index: 2, role: 'assistant' as const, text: '', tool_calls: calls };
    const messages = [...said.messages.slice(0, 1), { ...said.messages[1], tool_calls: [] } as Message, after];
    return extractByRules({ ...said, cwd: '/srv/app', messages });
  };
  const { where_it_stands, environment } = endedWith(
    wrote('src/a.ts'),
    ran('# Look first\nls'),
    ran('npm test'),
    ran('cd "/srv/app/the site" && npm run publish'),
    ran('npx deploy', 1),
  );
  expect(where_it_stands.flatMap(({ kind, content }) => (kind === 'interrupted' ? content : []))).toEqual([
    'Not reported by the agent: wrote src/a.ts, ran `npm run publish`, ran `npx deploy` (failed)',
  ]);
  expect(environment.map(({ content }) => content)).toEqual(['`npm run publish` (in the site)', '`npm test`']);
  const [script] = endedWith(ran('npm test'), {
    name: 'Bash',
    effect: 'none',
    command: 'git status\ngit init\ngit add -A',
  }).where_it_stands.filter(({ kind }) => kind === 'interrupted');
  expect(script?.content).toBe('Ran when the session ended, result unknown: `git init`');
  // A command that failed and then ran again is named once.
  const deploy = ran('npx deploy', 1);
  const again = endedWith(deploy, { ...deploy, outcome: undefined }).where_it_stands;
  expect(again.filter(({ content }) => content.includes('npx deploy'))).toHaveLength(1);
  const justText = endedWith(ran('npm test'), {
    name: 'Bash',
    effect: 'none',
    command: "cat > notes.sh <<'EOF'\nnpm publish\nEOF\nls",
  }).where_it_stands.filter(({ kind }) => kind === 'interrupted');
  expect(justText).toEqual([]);
});

verifies(['FIDELITY.final'], 'the last request has the decisive line of what was pasted below it', () => {
  const log = Array.from({ length: 9 }, (_, line) => `2026-01-0${line + 1}T10:00:00Z [step ${line}] ok`).join('\n');
  const { where_it_stands } = extractByRules(
    dialogue(`What is wrong here?\n\n${log}\nfatal: no such branch`, 'I look.'),
  );
  expect(where_it_stands[0]?.content).toBe('What is wrong here? [pasted 10 lines: fatal: no such branch]');
});

verifies(['FIDELITY.final'], 'a last request that chooses an option has the option', () => {
  const options = '### Option 1: Rebase onto main\n\nIt is clean.\n\n### Option 2: Merge into main\n\nIt is quick.';
  const { where_it_stands } = extractByRules(
    dialogue(
      'How do I bring my work into main?',
      options,
      'I went with option 2. Does all of it still work?',
      'I look.',
    ),
  );
  expect(where_it_stands.find(({ kind }) => kind === 'asked')?.content).toBe(
    'I went with option 2. Does all of it still work? (chosen: Option 2: Merge into main)',
  );
});

verifies(['FIDELITY.final'], 'the number of a choice ends no sentence', () => {
  const choice =
    'For the store we take number 1. SQLite in one file, and for the queue of the workers number 2. Postgres with a pool of ten.';
  expect(wordsOf(choice, 'Understood.')).toContain(choice);
});

verifies(['FIDELITY.final'], 'the last request is kept also where all of it was pasted', () => {
  const template = `## Outline\n\n${'1. Run the script and read its paths.\n'.repeat(40)}\n## Rules\n\n- Use full paths.`;
  const { where_it_stands } = extractByRules(
    dialogue('Add a map view of the tides, please.', 'Done.', template, 'OK.'),
  );
  expect(where_it_stands.map(({ kind, content }) => `${kind}: ${content}`)).toEqual([
    'goal: Add a map view of the tides, please.',
    'asked: [pasted 43 lines: ## Outline]',
  ]);
});

verifies(
  ['FIDELITY.final'],
  'neither a read-only command nor one whose output reports a failure is listed as a command that worked',
  () => {
    const answered = (command: string, text: string): ToolCall => ({
      ...ran(command),
      outcome: { is_error: false, text },
    });
    const { environment } = extractByRules(
      withCalls(
        answered('npm run import -- --dry', 'Read 40 rows.'),
        answered('tide --yes | head -20', "error: unknown option '--yes'"),
        answered('ps aux | grep node', 'node'),
        {
          ...ran('npm run build'),
          outcome: { is_error: false, exit_code: 0, text: 'cache: no such file or directory' },
        },
        answered('curl -s -o /dev/null -w "%{http_code}" http://localhost:5173', '200'),
      ),
    );
    expect(environment.map(({ content }) => content)).toEqual(['`npm run build`', '`npm run import -- --dry`']);
  },
);

verifies(['FIDELITY.pasted'], 'what the person quotes of the agent’s answer is not the person’s', () => {
  const answer = 'When you are ready, I will never use the old parser for the tables again.';
  const { decisions, instructions } = extractByRules(
    dialogue('How do we go on?', answer, `${answer}\n\nYes?`, 'Yes.', 'Thanks.', 'Done.'),
  );
  expect([...decisions, ...instructions].filter(({ evidence }) => evidence?.message === 2)).toEqual([]);
});

verifies(['FIDELITY.final'], 'a last request without an answer is reported as such', () => {
  const interruptions = (...texts: string[]) =>
    extractByRules(dialogue(...texts)).where_it_stands.filter(({ kind }) => kind === 'interrupted').length;
  expect(interruptions('Add a map view of the tides, please.', 'It is there.')).toBe(0);
  expect(interruptions('Add a map view of the tides, please.', 'It is there.', 'Now publish it.')).toBe(1);
  const stoppedAfter = (...texts: string[]) =>
    extractByRules({ ...dialogue(...texts), interrupted: true }).where_it_stands.find(
      ({ kind }) => kind === 'interrupted',
    );
  expect(stoppedAfter('Add a map view of the tides.', 'It is')?.content).toContain('in the middle of its last answer');
  expect(stoppedAfter('Add a map view of the tides.', 'It is there.', 'Now publish it.')?.content).toBe(
    'The person stopped the agent before the last request was answered.',
  );
});

verifies(
  ['FIDELITY.final'],
  'a failed command is reported with the one that replaced it; silence is no dead end',
  () => {
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
  },
);

verifies(['FIDELITY.final'], 'what a summary lists as pending is left out when the person has continued', () => {
  const summary = {
    index: 0,
    role: 'system' as const,
    text: '7. **Pending Tasks:**\nFrom the list:\n- ✅ Draw the menu\n- Restart the API\n\nPlease continue the conversation from where we left it off.',
    tool_calls: [],
  };
  const after = (requests: number) => {
    const said = dialogue(...Array.from({ length: 2 * requests }, (_, place) => `Message ${place} about the menu.`));
    const messages = [summary, ...said.messages.map((message) => ({ ...message, index: message.index + 1 }))];
    return extractByRules({ ...said, messages });
  };
  const pendingAfter = (requests: number) => after(requests).where_it_stands.filter(({ kind }) => kind === 'pending');
  expect(pendingAfter(1)[0]?.content).toBe('Restart the API');
  expect(pendingAfter(5)).toEqual([]);
  expect(after(1).words.some(({ content }) => content.startsWith('Please continue'))).toBe(false);
});

verifies(['FIDELITY.final'], 'of a pasted log the errors that explain the failure are kept', () => {
  const log = [
    'Run git push origin main',
    ...Array.from({ length: 20 }, (_, line) => `2026-01-0${(line % 9) + 1}T10:00:00Z [step ${line}] ok`),
    'remote: Permission to tide/api.git denied to bot[ci].',
    'fatal: unable to access https://example.org/tide/api.git/: The requested URL returned error: 403',
    ...[1, 2, 3, 4].map((attempt) => `Push failed (attempt ${attempt}/4).`),
    'Error: Process completed with exit code 1.',
  ].join('\n');
  const { words: all } = extractByRules(dialogue(`It still fails:\n\n${log}`, 'I look at it.'));
  const words = all.flatMap(({ by, content }) => (by === 'pasted' ? [] : content)).join('\n');
  for (const held of ['denied to bot', 'error: 403']) expect(words).toContain(held);
  for (const empty of ['completed with exit code', 'Push failed']) expect(words).not.toContain(empty);
});

verifies(['FIDELITY.final'], 'a dead end names what was abandoned, and reading a check is none', () => {
  const deadEnds = (...texts: string[]) => extractByRules(dialogue(...texts)).tried;
  expect(deadEnds('Go on.', "Reverted and pushed. Wait, that won't work.")).toEqual([]);
  expect(deadEnds('Go on.', 'I reverted the bulk read in `omp.lua`, it blocks on pipes.')).toHaveLength(1);
  expect(extractByRules(withCalls(ran('gh pr checks 7713', 1), ran('npm test'))).tried).toEqual([]);
});

verifies(['FIDELITY.final'], 'what was said before a reversal comes last and is marked, for every speaker', () => {
  const { words } = extractByRules(
    dialogue(
      'Use Postgres for the queue.',
      'I will use Postgres with a pool of ten connections.',
      'Actually, use SQLite for the queue.',
      'I will use SQLite; it needs no server.',
    ),
  );
  const lastTwo = words.filter(({ rank }) => rank >= words.length - 2);
  expect(lastTwo.map(({ content, reversed }) => [content, reversed])).toEqual([
    ['Use Postgres for the queue.', true],
    ['I will use Postgres with a pool of ten connections.', true],
  ]);
  expect(words.filter(({ reversed }) => reversed)).toHaveLength(2);
});

verifies(['FIDELITY.final'], 'an order to remove something takes no words back that no choice was made of', () => {
  const { words } = extractByRules(
    dialogue(
      'Why is the tide app slow?',
      'I checked the config files for hooks and found none.',
      'Remove the config files.',
      'They are gone.',
    ),
  );
  expect(words.filter(({ reversed }) => reversed)).toEqual([]);
});

verifies(['FIDELITY.final'], 'a number is reversed only where it is said of the same thing', () => {
  const stated = 'There are 12 columns in the table.\n\nI keep the points for 12 months.';
  const { words } = extractByRules(dialogue('Build the import.', stated, 'Make it 24 months, not 12.', 'Changed.'));
  expect(words.flatMap(({ content, reversed }) => (reversed ? content : []))).toEqual([
    'I keep the points for 12 months.',
  ]);
});

verifies(['FIDELITY.final'], 'a step that was done later, or that the agent is about to do, is no next step', () => {
  const steps = (...texts: string[]) => extractByRules(dialogue(...texts)).next_steps.map(({ content }) => content);
  const listed = 'The reader works.\n\nNext steps:\n- Add a dry run to the importer\n- Publish the tide map';
  expect(steps('Repair the reader.', listed)).toHaveLength(2);
  expect(steps('Repair the reader.', listed, 'skip the dry run', 'OK.')).toEqual(['Publish the tide map.']);
  const numbered = listed.replace('- Add', '1. Add').replace('- Publish', '2. Publish');
  expect(steps('Repair the reader.', numbered, 'do 1, 2 is not needed', 'OK.')).toEqual([]);
  expect(steps('Repair the reader.', listed, 'Then add a dry run to the importer', 'It is in.')).toEqual([
    'Publish the tide map.',
  ]);
  // What was chosen last is still to be done.
  expect(steps('Repair the reader.', listed, 'Then add a dry run to the importer')).toHaveLength(2);
  expect(steps('Repair the reader.', numbered, 'do 1')).toContain('Add a dry run to the importer.');
  for (const ending of ['Great, nothing else to do.', 'Undo the reader, it is too slow.'])
    expect(steps('Repair the reader.', listed, ending, 'OK.')).toEqual([]);
  expect(steps('Repair the reader.', listed, 'Die tide map publish ich selbst', 'OK.')).toHaveLength(1);
  expect(steps('Repair the reader.', listed, 'Go on.', 'I have added the dry run to the importer.')).toEqual([
    'Publish the tide map.',
  ]);
  expect(steps('Go on.', "I'll wire the follow-up import of the map now.")).toEqual([]);
});

verifies(['FIDELITY.final'], 'an example of a question in quotes is no question of the agent', () => {
  const shown = 'The map is there. You can ask it:\n- *"When is the tide high?"*\n- “Where is the harbour?”';
  const asked = extractByRules(dialogue('Add a map.', shown));
  expect(asked.where_it_stands.some(({ kind }) => kind === 'question')).toBe(false);
  expect(asked.open_questions).toEqual([]);
  const own = extractByRules(dialogue('Add a map.', `${shown}\n\nShould it show the moon, too?`));
  expect(own.where_it_stands.find(({ kind }) => kind === 'question')?.content).toBe('Should it show the moon, too?');
});

verifies(
  ['FIDELITY.final'],
  'a command that the sandbox stopped is named once, and one that worked later is no dead end',
  () => {
    const failed = (command: string, text: string) => ({ ...ran(command, 1), outcome: { is_error: true, text } });
    const push = failed('git commit -m "Read\nthe tables" && git push', 'error: failed to push some refs');
    const look = failed('ip route', 'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted');
    const triedIn = (...calls: ToolCall[]) => extractByRules(withCalls(...calls)).tried.map(({ what }) => what);
    expect(triedIn(look, ran('ip -br route'), look, push, ran('git pull && git push'), ran('ls'))).toEqual([
      '`ip route` in the host’s sandbox',
    ]);
    expect(triedIn(push, ran('git commit -m "Add a map"'), ran('git log'))).toHaveLength(1);
  },
);

verifies(['FIDELITY.final'], 'a slip of the pen and an option are no dead ends', () => {
  const failed = (command: string, text: string): ToolCall => ({
    ...ran(command, 1),
    outcome: { is_error: true, exit_code: 1, text },
  });
  const { tried } = extractByRules(
    withCalls(
      failed('node tools/polt.js', 'Error: No such file or directory'),
      failed('node tools/plot.js --yaer 2026', 'error: unknown option --yaer'),
      failed('node tools/plot.js', 'Error: the tide table has no rows'),
      ran('npm run build'),
    ),
  );
  expect(tried.map(({ what }) => what)).toEqual(['`node tools/plot.js`']);
  const option = "Keep the old reader but accept that this won't work with large files.";
  expect(extractByRules(dialogue('What can we do?', option)).tried).toEqual([]);
});
