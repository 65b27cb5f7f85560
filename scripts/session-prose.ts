import { countTokens, firstTokens, lastTokens, spaceClass, withPlainLines, wordClass } from './reference-text.ts';

/** One message of a session, without tool calls. */
interface Said {
  role: string;
  text: string;
}

/** What a base line is called: the conversation's tail, its head and tail, or the person's words and the last answer. */
export const baseLines = ['tail', 'head+tail', 'words+end'] as const;

/**
 * What a receiver could be given instead of a handoff, in so many tokens: made from the conversation's prose alone.
 *
 * @param transcript - the file's text, `host` the program that wrote it.
 */
export function createBaseLines(transcript: string, host: string): (budget: number) => Record<BaseLine, string> {
  const said = proseOf(withPlainLines(transcript), host);
  const text = said.map(({ role, text: each }) => `${role}: ${each}`).join('\n\n');
  const answer = said.findLast(({ role }) => role === 'assistant')?.text ?? '';
  const persons = said
    .filter(({ role }) => role === 'user')
    .map((each) => `- ${Array.from(each.text.replace(spaces, ' ')).slice(0, PERSON_CHARACTERS_MAX).join('')}`)
    .join('\n');
  return (budget) => {
    const end = lastTokens(answer, budget * 0.4);
    return {
      tail: lastTokens(text, budget),
      'head+tail': `${firstTokens(text, budget / 4)}\n…\n${lastTokens(text, (budget * 3) / 4)}`,
      'words+end': `${lastTokens(persons, budget - countTokens(end))}\n${end}`,
    };
  };
}

export type BaseLine = (typeof baseLines)[number];

const PERSON_CHARACTERS_MAX = 600;
const spaces = new RegExp(`[${spaceClass}]+`, 'gu');
const leadingSpace = new RegExp(`^[${spaceClass}]+`, 'u');

function proseOf(transcript: string, host: string): Said[] {
  if (host !== 'claude-code' && host !== 'codex') return proseOfMarkdown(transcript);
  return transcript.split('\n').flatMap((line) => {
    const row = parseRow(line);
    if (row === undefined) return [];
    return host === 'codex' ? proseOfCodexRow(row) : proseOfClaudeCodeRow(row);
  });
}

interface Part {
  type?: string;
  text?: string;
}

interface Message {
  type?: string;
  role?: string;
  content?: string | (Part | string)[];
}

interface Row {
  type?: string;
  payload?: Message;
  message?: Message;
  isMeta?: boolean;
  isSidechain?: boolean;
}

function parseRow(line: string): Row | undefined {
  try {
    return JSON.parse(line) as Row;
  } catch {
    // A line that is no JSON is none of a session's rows, to the reference too.
    return undefined;
  }
}

function proseOfCodexRow({ type, payload = {} }: Row): Said[] {
  const { role = '', content } = payload;
  if (type !== 'response_item' || payload.type !== 'message' || !isSpoken(role)) return [];
  const text = joinParts(Array.isArray(content) ? content : [], () => true);
  return startsWithAny(text, ['<environment_context', '<user_instructions', '# AGENTS.md']) ? [] : [{ role, text }];
}

function proseOfClaudeCodeRow({ isMeta, isSidechain, message }: Row): Said[] {
  if (isMeta || isSidechain || typeof message !== 'object' || message === null) return [];
  const { role = '', content = [] } = message;
  if (!isSpoken(role)) return [];
  const text = typeof content === 'string' ? content : joinParts(content, ({ type }) => type === 'text');
  const isEmpty = text.replace(leadingSpace, '') === '';
  return isEmpty || startsWithAny(text, ['<command-', '<local-command']) ? [] : [{ role, text }];
}

function isSpoken(role: string): boolean {
  return role === 'user' || role === 'assistant';
}

function joinParts(parts: readonly (Part | string)[], isWanted: (part: Part) => boolean): string {
  return parts
    .filter((part): part is Part => typeof part === 'object' && part !== null && isWanted(part))
    .map(({ text = '' }) => text)
    .join('\n');
}

function startsWithAny(text: string, starts: readonly string[]): boolean {
  const trimmed = text.replace(leadingSpace, '');
  return starts.some((start) => trimmed.startsWith(start));
}

const headings = [
  '_\\*\\*',
  `#{1,3} *(?:User|Human|Assistant|Cursor|Agent)(?![${wordClass}])`,
  `\\*\\*(?:User|Cursor|Assistant)\\*\\*[${spaceClass}]*(?=\\n|$)`,
  '#### ',
];
const beforeHeading = new RegExp(`(?:(?<=\\n)|^)(?=${headings.join('|')})`, 'u');
const machineParts = /<tool-use.*?<\/tool-use>|<details>.*?<\/details>|<think>.*?<\/think>/gs;

function proseOfMarkdown(transcript: string): Said[] {
  return transcript.split(beforeHeading).flatMap((part) => {
    const head = Array.from(part.replace(leadingSpace, '')).slice(0, 40).join('').toLowerCase();
    const isAider = head.startsWith('####');
    const newline = part.indexOf('\n');
    const body = newline >= 0 && !isAider ? part.slice(newline + 1) : part.replace(/^[# ]+/, '');
    const text = body.replace(machineParts, ' ');
    if (text.replace(leadingSpace, '') === '') return [];
    const name = Array.from(head).slice(0, 12).join('');
    const isPerson = isAider || name.includes('user') || name.includes('human');
    return [{ role: isPerson ? 'user' : 'assistant', text }];
  });
}
