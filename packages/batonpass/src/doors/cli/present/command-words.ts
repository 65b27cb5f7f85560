import { visible } from './view.ts';

/** A word of a command that is shown to be copied: quoted unless every shell reads it as one plain word. */
export function shellWord(text: string): string {
  const word = visible(text).replaceAll('\n', ' ');
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** ` --as NAME` for a caller that acts as an agent, so that the history names the right actor; nothing for a person. */
export function asAgent(agent: string | undefined): string {
  return agent === undefined ? '' : ` --as ${shellWord(agent)}`;
}
