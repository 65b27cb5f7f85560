import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import { isEvidenced } from '../../packages/batonpass/src/core/evidence.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { isCheck } from '../../packages/batonpass/src/extraction/checks.ts';
import { shortenCommand } from '../../packages/batonpass/src/extraction/command-runs.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { toContentInput } from '../../packages/batonpass/src/extraction/to-content-input.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { addToScore, createScore, rates } from '../../scripts/extraction-score.ts';
import { verifies } from '../verifies.ts';
import { dialogue, extract, withCalls } from './dialogue.ts';

const examplePath = fileURLToPath(new URL('../../examples/sessions/claude-code-rate-limit.jsonl', import.meta.url));

/** Pieces of which conversations are made: cues, structure and noise. */
const piece = fc.oneof(
  fc.constantFrom(
    "Let's use ",
    'Yes, go ahead.',
    '\n\n## Risks\n\n- ',
    'instead of ',
    '`src/a.ts`',
    '1. ',
    'Want me to ',
    '?\n',
    '**bold** ',
    'could break ',
    '```\ncode\n```\n',
    '| a | b |\n',
    'apply #1 and #3',
    '... ',
    '[... 3 lines trimmed ...]\n',
    "I couldn't test ",
    '\r\n',
    '\u2028',
    'the former',
    'rather than ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

describe('extraction by rules', () => {
  verifies(
    ['EXTRACT.evidence', 'EXTRACT.deterministic'],
    'quotes exactly, for any conversation, and always the same',
    () => {
      fc.assert(
        fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
          const conversation = dialogue(...texts);
          const found = extractByRules(conversation);
          for (const item of [
            ...found.decisions,
            ...found.files,
            ...found.risks,
            ...found.next_steps,
            ...found.open_questions,
          ]) {
            if (item.evidence !== undefined) expect(isEvidenced(item.evidence, conversation)).toBe(true);
          }
          for (const evidence of found.decisions.flatMap(({ support }) => support ?? []))
            expect(isEvidenced(evidence, conversation)).toBe(true);
          expect(extractByRules(conversation)).toEqual(found);
          completeContent(toContentInput(found, conversation), { source_agent: 'test' });
        }),
      );
    },
  );

  verifies(['EXTRACT.risks'], 'finds what is feared, unverified or limited, with its severity', () => {
    const { risks } = extract(
      'Add a limiter.',
      "It is in. I couldn't test it behind the real load balancer. Two writers at once could corrupt the file, which means data loss. A minor limitation: the label is rarely too wide.",
    );
    expect(risks.map(({ severity }) => severity)).toEqual(['high', 'medium', 'low']);
    expect(extract('Is all well?', 'All tests pass, there is no risk in it.').risks).toEqual([]);
  });

  verifies(['EXTRACT.risks'], 'keeps one risk for restatements and none for what was fixed', () => {
    const concern = 'The import could silently lose rows without a header.';
    expect(extract('Go.', concern, 'Hm.', concern).risks).toHaveLength(1);
    expect(
      extract('Go.', concern, 'Please fix that.', 'Fixed: the import no longer loses rows without a header.').risks,
    ).toEqual([]);
  });

  verifies(['EXTRACT.next-steps'], 'finds next steps and open questions at the end', () => {
    const { next_steps, open_questions } = extract(
      'Where are we?',
      'Nearly there.\n\n## Next steps\n\n1. Write the migration for stations.\n2. Show the legend on phones.\n\n## Open questions\n\n- How long are old tides kept?',
    );
    expect(next_steps.map(({ content }) => content)).toEqual([
      'Write the migration for stations.',
      'Show the legend on phones.',
    ]);
    expect(open_questions.map(({ content }) => content)).toEqual(['How long are old tides kept?']);
  });

  verifies(['EXTRACT.tool-facts'], 'reports files, exit codes and abandoned attempts from tool calls', () => {
    const run = (command: string, exit_code: number, answer = '') => ({
      name: 'Bash',
      command,
      effect: 'none' as const,
      outcome: { is_error: exit_code !== 0, exit_code, text: answer },
    });
    const { results, tried, environment } = extractByRules(
      withCalls(
        run('npm test', 1),
        run('brew install gdal', 1, 'Exit code 1\nError: no bottle available'),
        { name: 'Write', path: 'a.ts', effect: 'write' },
        run('ls', 0),
        run('npm test', 0),
        run('git add a.ts', 0),
        run('git commit -m "$(cat <<\'EOF\'\nAdd a\nEOF\n)"', 0),
        run("python3 - <<'E'\nprint(1)\nE", 0),
      ),
    );
    expect(results).toEqual([
      { description: 'Wrote 1 file.', status: 'completed', artifacts: ['a.ts'] },
      { description: '`npm test`: exit code 0.', status: 'completed' },
    ]);
    expect(environment).toEqual([{ content: '`npm test`' }]);
    expect(tried).toEqual([{ what: '`brew install gdal`', outcome: 'Error: no bottle available' }]);
  });

  verifies(['EXTRACT.tool-facts'], 'reports a command that failed before the last request, with its folder', () => {
    const failed = { is_error: true, exit_code: 1, text: 'Operation not permitted' };
    const call = { name: 'Bash', command: 'cd vm && rm old.img', effect: 'none' as const, outcome: failed };
    const conversation = dialogue('Clean up.', 'Removed.', 'And now?', 'Done.');
    const [, answer] = conversation.messages;
    if (answer !== undefined) answer.tool_calls = [call];
    expect(extractByRules(conversation).tried).toEqual([
      { what: '`cd vm && rm old.img`', outcome: 'Operation not permitted' },
    ]);
  });

  verifies(['EXTRACT.tool-facts'], 'a command is named by its first line that does something', () => {
    expect(shortenCommand('# Look at the tides\n\nnode tides.js --all\nls')).toBe('node tides.js --all');
    expect(shortenCommand("bash -c '\n  node maps.js'")).toBe("bash -c 'node maps.js'");
    expect(shortenCommand('# Nothing else')).toBe('# Nothing else');
  });

  verifies(['EXTRACT.tool-facts'], 'a check is a command that checks, not one whose text mentions it', () => {
    const checks = [
      'npm test',
      'cd app && npx tsc --noEmit',
      'CI=true pnpm -r run build 2>&1 | tail -20',
      'docker compose exec app pytest -q',
      "bash -c 'make check'",
      'go test ./... # all of it',
      'git pull && cargo test',
    ];
    const others = [
      'git commit -m "Make the tests pass; build it"',
      'git commit -m "$(cat <<\'EOF\'\nFix\n\nRun make test\nEOF\n)"',
      "cat > tasks.md <<'EOF'\nnpm test\nEOF",
      'curl -s localhost:3000 # check the page',
      'git checkout main',
      'grep -rn "test" src | head',
      'echo build done',
    ];
    expect(checks.filter((command) => !isCheck(command))).toEqual([]);
    expect(others.filter(isCheck)).toEqual([]);
  });

  verifies(['EXTRACT.content', 'TRANSCRIPT.claude-code', 'TRANSCRIPT.masked'], 'reads the example well', async () => {
    const conversation = await readTranscript({ path: examplePath });
    const { content } = completeContent(toContentInput(extractByRules(conversation), conversation), {
      source_agent: 'test',
    });
    expect(conversation.masked).toEqual({ 'github-token': 1 });
    expect(content.origin).toEqual({ host: 'claude-code', session: conversation.session, branch: 'feat/rate-limit' });
    expect(content.decisions.map((decision) => decision.content)).toContain(
      'Exempt our own dashboard key from the limit.',
    );
    expect(content.decisions.every(({ source, confidence }) => source === 'ai-extracted' && confidence === 1)).toBe(
      true,
    );
    expect(content.decisions.flatMap(({ supersedes }) => supersedes ?? [])).toEqual([
      '60 requests per minute and API key should do.',
    ]);
    expect(content.files.filter(({ relevance }) => relevance === 'high').map(({ path }) => path)).toContain(
      'src/rate-limit/middleware.ts',
    );
    expect(content.risks).toHaveLength(3);
    expect(content.next_steps).toHaveLength(3);
    expect(content.summary.length).toBeLessThan(800);
    expect(JSON.stringify(content)).not.toContain(`gh${'p_'}`);
  });

  verifies(['EXTRACT.content'], 'cuts what is beyond the limits and reports it', () => {
    const orders = Array.from(
      { length: limits.entries_max + 5 },
      (_, index) => `Add page${index} with chart${index}.`,
    ).join('\n');
    const conversation = dialogue(orders, 'Done.');
    const found = extractByRules(conversation);
    expect(found.decisions).toHaveLength(limits.entries_max);
    expect(found.cut).toEqual([`5 of ${limits.entries_max + 5} decisions were left out.`]);
    const { content } = completeContent(toContentInput(found, conversation), { source_agent: 'test' });
    expect(content.summary).toContain('5 of');
  });

  verifies(['EXTRACT.deterministic'], 'gets through long and hostile conversations', () => {
    const hostile = [
      'a'.repeat(200_000),
      '*'.repeat(50_000),
      '`'.repeat(50_001),
      '(('.repeat(30_000),
      '- \n'.repeat(30_000),
      `${'ok, '.repeat(20_000)}x`,
      '| '.repeat(40_000),
      '/a'.repeat(60_000),
      '1. '.repeat(30_000),
    ];
    for (const noise of hostile) expect(extract(noise, noise, 'yes').decisions.length).toBeLessThan(10);
    const long = Array.from(
      { length: 400 },
      (_, index) =>
        `Station ${index} could fail if tide${index} is missing. Use table${index} rather than list${index}. See src/s${index}.ts.`,
    );
    expect(extract(...long).files).toHaveLength(400);
  });
});

describe('the score of an extraction', () => {
  const evidence = { message: 0, quote: 'use the token bucket for the limiter' };
  const gold = {
    id: 'x',
    messages: [],
    labels: {
      decisions: [{ content: 'The limiter is a token bucket', explicit: true, evidence }],
      files: [{ path: 'src/limit/bucket.ts', relevance: 'high', aliases: ['bucket.ts'] }],
      risks: [],
      superseded: [
        { content: 'The limiter is a fixed window', evidence: { message: 1, quote: 'a fixed window per minute' } },
      ],
    },
  };

  verifies(
    ['EXTRACT.score'],
    'matches by named evidence and words, files by alias and suffix, and counts superseded ones',
    () => {
      const score = createScore();
      addToScore(
        score,
        {
          decisions: [
            { content: 'Use a token bucket.', message: 0 },
            { content: 'A fixed window per minute.', message: 1 },
          ],
          filesReferenced: [{ path: './bucket.ts:12', relevance: 'low' }],
          risks: [],
        },
        gold,
      );
      expect(score).toMatchObject({
        decisions: { hit: 1, predicted: 2, gold: 1 },
        files: { hit: 1, predicted: 1, gold: 1 },
        relevance: { hit: 0, predicted: 1 },
        superseded: 1,
      });
      expect(rates(score.decisions)).toEqual({ precision: 0.5, recall: 1, f1: 2 / 3 });
      expect(rates(score.risks)).toEqual({ precision: 1, recall: 1, f1: 1 });
    },
  );
});
