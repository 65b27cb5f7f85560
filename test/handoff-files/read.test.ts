import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ParseError } from '../../packages/batonpass/src/core/errors.ts';
import { parseFileName } from '../../packages/batonpass/src/handoff-files/file-name.ts';
import type { FindingsFrontmatter, PlanFrontmatter } from '../../packages/batonpass/src/handoff-files/frontmatter.ts';
import { parseHandoffFile } from '../../packages/batonpass/src/handoff-files/read-handoff-file.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const createFolder = createFolders();

function write(text: string, name = 'findings-001.md'): string {
  const path = join(createFolder(), name);
  writeFileSync(path, text);
  return path;
}

const findingsWith = (changes: Record<string, string | undefined> = {}) => {
  const fields = {
    version: "'001'",
    type: 'findings',
    status: 'complete',
    created: "'2026-01-24T15:30:00Z'",
    phase: '02-auth',
    agent: 'researcher',
    confidence: 'high',
    ...changes,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`]));
  return `---\n${lines.join('')}---\n# Sessions\n`;
};

async function refusal(path: string): Promise<ParseError> {
  const error = await parseHandoffFile(path).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ParseError)) throw new Error(`It was not refused as it should be: ${String(error)}`);
  expect(error.message.startsWith(`${path}:${error.line}:${error.column}: `)).toBe(true);
  expect(error).toMatchObject({ code: 'parse_error', source: path });
  return error;
}

verifies(
  ['HF.truth.parse', 'HF.parse.reads-file', 'HF.parse.typed', 'HF.success.functions', 'HF.task2.done'],
  'a file is read into the fields of its kind and its body',
  async () => {
    const file = await parseHandoffFile<FindingsFrontmatter>(write(findingsWith()));
    const confidence: 'high' | 'medium' | 'low' = file.frontmatter.confidence;
    expect(confidence).toBe('high');
    expect(file).toEqual({
      frontmatter: {
        version: '001',
        type: 'findings',
        status: 'complete',
        created: '2026-01-24T15:30:00Z',
        phase: '02-auth',
        agent: 'researcher',
        confidence: 'high',
      },
      body: '# Sessions\n',
    });
  },
);

verifies(
  ['HF.held.unquoted-version', 'FILE.repair'],
  'an unquoted version keeps its text; a short one is repaired',
  async () => {
    for (const [text, version] of [
      ['001', '001'],
      ['010', '010'],
      ['001.1', '001.1'],
      ['001.10', '001.10'],
      ['1000', '1000'],
      ['002.3.4', '002.3.4'],
    ]) {
      const file = await parseHandoffFile<FindingsFrontmatter>(write(findingsWith({ version: text })));
      expect([file.frontmatter.version, file.repairs]).toEqual([version, undefined]);
    }
    for (const [text, version] of [
      ['1', '001'],
      ['12', '012'],
      ['1.1', '001.1'],
      ['v2', '002'],
      ["' 003 '", '003'],
    ]) {
      const file = await parseHandoffFile<FindingsFrontmatter>(write(findingsWith({ version: text })));
      expect([file.frontmatter.version, file.repairs]).toEqual([
        version,
        [expect.stringMatching(/^version: .+ was read as /)],
      ]);
    }
    // Not a version: it stays the text that it is, and is refused as that.
    expect((await refusal(write(findingsWith({ version: '1e3' })))).details.field).toBe('version');
  },
);

verifies(['HF.held.unquoted-values'], 'unquoted dates, phases and words keep their text', async () => {
  const text = findingsWith({
    created: '2026-01-24T15:30:00Z',
    phase: '02',
    agent: 'no',
    later: '1e3',
    other: 'yes',
    day: '2026-01-24',
    count: '3',
  });
  const { frontmatter, repairs } = await parseHandoffFile(write(text));
  expect(frontmatter).toMatchObject({
    created: '2026-01-24T15:30:00Z',
    phase: '02',
    agent: 'no',
    later: '1e3',
    other: 'yes',
    day: '2026-01-24',
    count: 3,
  });
  expect(repairs).toBeUndefined();
  const { frontmatter: plain } = await parseHandoffFile(write(findingsWith({ phase: '2', agent: 'true' })));
  expect(plain).toMatchObject({ phase: '2', agent: 'true' });
});

verifies(
  ['HF.form.repairs', 'FILE.repair'],
  'hand-written front matter with one meaning is repaired, and each repair is reported',
  async () => {
    const text = `\n  \n---yaml\nversion: 1\nstatus: Completed\ncreated: 2026-01-24\nphase: 02\nagent: planner\ntask_ids: 02-01\n---\nx`;
    const { frontmatter, repairs, body } = await parseHandoffFile<PlanFrontmatter>(write(text, 'plan-001.md'));
    expect(frontmatter).toEqual({
      version: '001',
      status: 'complete',
      created: '2026-01-24',
      phase: '02',
      agent: 'planner',
      type: 'plan',
      task_ids: ['02-01'],
      tasks_created: 1,
    });
    expect(body).toBe('x');
    expect(repairs).toEqual([
      'blank lines before the front matter were skipped',
      "type: was missing; the file's name says plan",
      'status: "Completed" was read as complete',
      'version: "1" was read as 001',
      'task_ids: "02-01" was read as a list',
      'tasks_created: was missing; 1 task_ids were counted',
    ]);
    const named = await parseHandoffFile<FindingsFrontmatter>(
      write(findingsWith({ version: undefined, confidence: 'HIGH' }), 'findings-007.2.md'),
    );
    expect(named.frontmatter).toMatchObject({ version: '007.2', confidence: 'high' });
    const counted = await parseHandoffFile<PlanFrontmatter>(
      write(findingsWith({ type: 'plan', tasks_created: "'2'", task_ids: '[1, 02]' }), 'plan-001.md'),
    );
    expect(counted.frontmatter).toMatchObject({ tasks_created: 2, task_ids: ['1', '02'] });
    expect(counted.repairs).toEqual(['tasks_created: the text "2" was read as a number']);
    for (const task_ids of ['', "''"]) {
      const none = write(findingsWith({ type: 'plan', tasks_created: '0', task_ids }), 'plan-001.md');
      expect((await parseHandoffFile<PlanFrontmatter>(none)).frontmatter.task_ids).toEqual([]);
    }
    const names = ['plan-001.2.md', 'plan-1..2.md', 'plan-.md', 'notes-001.md'];
    expect(names.map(parseFileName)).toEqual([{ type: 'plan', version: '001.2' }, null, null, null]);
  },
);

verifies(['HF.held.unknown-fields'], 'an unknown field is kept, with any value', async () => {
  const text = findingsWith({ must_haves: '{truths: [a]}', reviewed: 'true', constructor: 'x' });
  expect((await parseHandoffFile(write(text))).frontmatter).toMatchObject({
    must_haves: { truths: ['a'] },
    reviewed: true,
    constructor: 'x',
  });
});

verifies(['HF.held.no-front-matter'], 'a file without front matter is refused, with its line', async () => {
  for (const text of ['', '# Only a body\n', '----\nversion: 1\n', '+++\na = 1\n+++\n', 'x\n---\nversion: 1\n---\n']) {
    expect(await refusal(write(text))).toMatchObject({
      line: 1,
      column: 1,
      message: expect.stringContaining('no front matter'),
    });
  }
});

verifies(['HF.held.unterminated'], 'front matter that is not closed is refused, with line and column', async () => {
  expect(await refusal(write('---\nversion: 001\n# Body\n'))).toMatchObject({
    line: 4,
    column: 1,
    message: expect.stringContaining('begins in line 1'),
  });
  expect(await refusal(write('\n---\nversion: 001\n ---'))).toMatchObject({
    line: 4,
    column: 5,
    message: expect.stringContaining('begins in line 2'),
  });
});

verifies(
  ['HF.held.wrong-types'],
  'a wrong or missing field is refused with its name and position, never an empty object',
  async () => {
    const cases: [Record<string, string | undefined>, string, number][] = [
      [{ status: 'finished' }, 'status', 4],
      [{ status: undefined }, 'status', 2],
      [{ confidence: '0.9' }, 'confidence', 8],
      [{ created: 'yesterday' }, 'created', 5],
      [{ created: '2026-13-40' }, 'created', 5],
      [{ phase: '[a, b]' }, 'phase', 6],
      [{ agent: '' }, 'agent', 7],
      [{ agent: "' '" }, 'agent', 7],
      [{ type: 'execute' }, 'type', 3],
      [{ version: '001.01' }, 'version', 2],
      [{ version: '../../etc/passwd' }, 'version', 2],
      [{ type: 'plan', task_ids: '{a: 1}', tasks_created: '1' }, 'task_ids', 9],
      [{ type: 'plan', task_ids: '[]', tasks_created: '1.5' }, 'tasks_created', 10],
      [{ type: 'plan', task_ids: '[]', tasks_created: '-1' }, 'tasks_created', 10],
      [{ type: 'problem', severity: 'bad', related_task: 'a' }, 'severity', 9],
      [{ type: 'problem', severity: 'info' }, 'related_task', 2],
    ];
    for (const [changes, field, line] of cases) {
      const error = await refusal(write(findingsWith(changes)));
      expect([changes, error.details.field, error.line]).toEqual([changes, field, line]);
      expect(error.message).toContain(`The field ${field} `);
    }
  },
);

verifies(['HF.held.planner-front-matter'], 'the position is right in CRLF and after blank lines too', async () => {
  const error = await refusal(write(`\r\n${findingsWith({ status: 'x' }).replaceAll('\n', '\r\n')}`));
  expect([error.line, error.column]).toEqual([5, 1]);
});

verifies(
  ['HF.parse.reads-file', 'DISK.regular-file'],
  'a link to a file is read; a folder and nothing at all are refused',
  async () => {
    const path = write(findingsWith());
    const link = join(createFolder(), 'link.md');
    symlinkSync(path, link);
    expect((await parseHandoffFile<FindingsFrontmatter>(link)).frontmatter.agent).toBe('researcher');
    const folder = createFolder();
    mkdirSync(join(folder, 'findings-001.md'));
    await expect(parseHandoffFile(join(folder, 'findings-001.md'))).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(parseHandoffFile(join(folder, 'none.md'))).rejects.toMatchObject({ code: 'file_not_found' });
  },
);
