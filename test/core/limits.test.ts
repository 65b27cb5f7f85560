import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { answerText } from '../../packages/batonpass/src/doors/http/answer.ts';
import { findQuote } from '../../packages/batonpass/src/extraction/model/check-evidence.ts';
import { encodeFrontMatter } from '../../packages/batonpass/src/formats/markdown/encode-front-matter.ts';
import { parseFrontMatter } from '../../packages/batonpass/src/formats/markdown/front-matter.ts';
import { Repairs } from '../../packages/batonpass/src/formats/toon/dialect/repairs.ts';
import { asHint } from '../../packages/batonpass/src/operations/handoff-in-short.ts';
import { toPieces } from '../../packages/batonpass/src/operations/planning/kept-steps.ts';
import { nameFromTitle } from '../../packages/batonpass/src/plan-files/task-name.ts';
import { readRepositorySettings } from '../../packages/batonpass/src/workspace/repository-settings.ts';
import { readAnswer } from '../../packages/batonpass/src/written/answer.ts';
import { verifies } from '../verifies.ts';

const place = { source: 'a.md', first_line: 2 };

/** What has room for so much and for no more; each answers whether a size is within. */
const bounds: Record<string, readonly [max: number, isWithin: (size: number) => boolean | Promise<boolean>]> = {
  'a hint': [limits.summary_hint_characters_max, (size) => asHint('x'.repeat(size)).length >= size],
  'the name of a plan': [
    limits.task_name_characters_max,
    (size) => nameFromTitle(`x ${'y'.repeat(size - 2)}`, '').length === size,
  ],
  'a kept step': [limits.plan_step_bytes_max, (size) => takes(() => toPieces(stepOf(size)))],
  "an agent's answer": [
    limits.written_answer_characters_max,
    (size) => !/has \d+ characters/.test(JSON.stringify(readAnswer('x'.repeat(size)))),
  ],
  'a quote of other white space': [
    limits.quote_characters_max,
    (size) => findQuote(`x${' '.repeat(size - 2)}y`, 'x y') !== undefined,
  ],
  'repairs of TOON': [limits.toon_repairs_max, (size) => !/more$/.test(repairedTimes(size).list().join())],
  'losses of TOON': [limits.toon_repairs_max, (size) => repairedTimes(size).listLosses().length === size],
  'front matter': [
    limits.front_matter_bytes_max,
    (size) => takes(() => parseFrontMatter('a: '.padEnd(size, 'x'), place)),
  ],
  'nested front matter': [
    limits.front_matter_depth_max,
    (size) => takes(() => parseFrontMatter(`a: ${'['.repeat(size)}${']'.repeat(size)}`, place)),
  ],
  'nested front matter, written': [
    limits.front_matter_depth_max,
    (size) => takes(() => encodeFrontMatter(nested(size))),
  ],
  'the settings of a repository': [limits.configuration_bytes_max, (size) => takes(() => readSettingsOf(size))],
  'an answer that is not compressed': [
    limits.compressed_bytes_min - 1,
    async (size) => (await answerText('x'.repeat(size), { acceptEncoding: 'gzip' })).body.length === size,
  ],
};

verifies(['RECORD.limits'], 'what is exactly at a bound is within it, and one more is not', async () => {
  for (const [name, [max, isWithin]] of Object.entries(bounds)) {
    expect([name, await isWithin(max), await isWithin(max + 1)]).toEqual([name, true, false]);
  }
});

function takes(body: () => unknown): boolean {
  try {
    body();
    return true;
  } catch {
    return false;
  }
}

function stepOf(bytes: number): Parameters<typeof toPieces>[0] {
  const [frame = ''] = toPieces([{ role: 'user', content: '' }]);
  return [{ role: 'user', content: ' x'.repeat(bytes).slice(0, bytes - frame.length) }];
}

function repairedTimes(count: number): Repairs {
  const repairs = new Repairs();
  for (let line = 1; line <= count; line += 1) {
    repairs.add(line, 'x');
    repairs.lose(line, 'x');
  }
  return repairs;
}

function nested(depth: number): Record<string, unknown> {
  return depth === 0 ? { a: 1 } : { a: nested(depth - 1) };
}

function readSettingsOf(bytes: number): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'baton-settings-'));
  try {
    writeFileSync(join(folder, 'baton.config.json'), '{}'.padEnd(bytes));
    return readRepositorySettings(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
