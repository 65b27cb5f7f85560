import { removeBlocks } from './claude-code-text.ts';
import { readSpokenResult } from './tagged-calls.ts';

/** Tags in which Cline and Roo Code put what the person typed. */
const typedTags = ['task', 'user_message', 'feedback', 'answer'] as const;

/** How these hosts begin what they answer without a tool's name, or remind the model of. */
const hostsOwn =
  /^\s*(?:# Reminder: Instructions|\[ERROR\] You did not use|\[TASK RESUMPTION\]|Command executed\.|The content was successfully saved to )/;

/**
 * What the person typed in a message of Cline or Roo Code, whose host writes the results of tools and its surroundings in the
 * person's name; empty where the host wrote all of it. Any other text stays as it is.
 */
export function readWrappedWords(text: string): string {
  const spoken = readSpokenResult(text);
  const isHosts = spoken !== undefined || hostsOwn.test(text);
  if (!isHosts && !text.includes('<environment_details>')) return text;
  const { command, rest } = takeCommand(spoken ?? text);
  const typed = typedTags.flatMap((tag) => listBetween(rest, `<${tag}>`, `</${tag}>`)).join('\n\n');
  if (typed === '') return isHosts ? '' : removeBlocks(text, 'environment_details').trim();
  return `${typed.replace(commandNote, '/$1')}\n\n${command}`.trim();
}

/** What the host puts in the place of a slash command that the person gave. */
const commandNote = /Command '([\w:./-]{1,100})' \(see below for command content\)/g;

/** A text without what its slash command stands for, which is below and may have the tags of what the person typed. */
function takeCommand(text: string): { command: string; rest: string } {
  const note = text.search(commandNote);
  const from = note === -1 ? -1 : text.indexOf('<command name="', note);
  const end = text.lastIndexOf('</command>');
  if (from === -1 || end < from) return { command: '', rest: text };
  const to = end + '</command>'.length;
  return { command: text.slice(from, to), rest: text.slice(0, from) + text.slice(to) };
}

function listBetween(text: string, open: string, close: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf(open); at !== -1; at = text.indexOf(open, at + open.length)) {
    const end = text.indexOf(close, at);
    if (end === -1) break;
    found.push(text.slice(at + open.length, end).trim());
  }
  return found.filter((each) => each !== '');
}
