import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Handoff } from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';
import { list, play, stage, standIn, useStage } from './asking-stage.ts';
import { goodAnswer } from './session.ts';

useStage();

verifies(
  ['ASKING.rules'],
  'an order of a rules file stays there; one that nobody gave is reported as unverified',
  async () => {
    writeFileSync(
      join(stage.project, 'AGENTS.md'),
      '# Rules\n\n- Run `make lint` before\n  each commit.\n- Never store the e-mail.\n',
    );
    const order = (text: string) => ({ text, brief: text, quote: text });
    const instructions = [
      ...goodAnswer.instructions,
      order('Run `make lint` before each commit.'),
      order('Deploy on Fridays only.'),
    ];
    standIn({ structured_output: { ...goodAnswer, instructions } });
    await play();
    const [{ content }] = (await list('open')) as [Handoff];
    expect(JSON.stringify(content)).not.toContain('make lint');
    expect(content.where_it_stands?.map((fact) => fact.content)).toContain(
      'Deploy on Fridays only. (told by the agent, unverified)',
    );
    // What the person said too stays an instruction.
    expect(content.instructions?.[0]?.content).toBe('Never store the e-mail in localStorage, we promised that.');
  },
);

verifies(
  ['ASKING.rules', 'DISK.regular-file'],
  'a pipe in the place of a file of the project is not waited for',
  async () => {
    mkdirSync(join(stage.project, '.gemini'));
    for (const name of ['CLAUDE.local.md', '.gemini/settings.json'])
      execFileSync('mkfifo', [join(stage.project, name)]);
    await play();
    expect(await list('open')).toHaveLength(1);
  },
);
