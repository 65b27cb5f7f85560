import { removeBlocks } from './claude-code-text.ts';

/** Tags in which Cline and Roo Code put what the person typed. */
const typedTags = ['task', 'user_message', 'feedback', 'answer'] as const;

/** How these hosts begin what they answer for a tool, or remind the model of. */
const hostsOwn =
  /^\s*(?:\[[a-z_]{2,40}[^\]\n]{0,300}\] Result:|# Reminder: Instructions|\[ERROR\] You did not use|\[TASK RESUMPTION\]|Command executed\.|The content was successfully saved to )/;

/**
 * What the person typed in a message of Cline or Roo Code, whose host writes the results of tools and its surroundings in the
 * person's name; empty where the host wrote all of it. Any other text stays as it is.
 */
export function readWrappedWords(text: string): string {
  if (!text.includes('<environment_details>') && !hostsOwn.test(text)) return text;
  const typed = typedTags.flatMap((tag) => listBetween(text, `<${tag}>`, `</${tag}>`));
  if (typed.length > 0) return typed.join('\n\n');
  return hostsOwn.test(text) ? '' : removeBlocks(text, 'environment_details').trim();
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
