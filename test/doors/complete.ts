import { spawnSync } from 'node:child_process';
import type { Stage } from './stage.ts';

/** What bash offers for the last of some words, once the command has printed the script: by the real shell. */
export async function bashCompletion({ baton }: Stage): Promise<(...words: string[]) => string[]> {
  const { stdout: script } = await baton(['completion', 'bash']);
  return (...words) => {
    const given = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${given}); COMP_CWORD=${words.length - 1}; _baton; echo "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
      .stdout.trim()
      .split(' ');
  };
}
