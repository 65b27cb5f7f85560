import { readFile } from 'node:fs/promises';
import { maskSecrets } from '../packages/batonpass/src/core/masking.ts';

/** Of one input or result of a tool: the beginning and the end identify it. */
const toolCharactersMax = 1_500;

interface Part {
  type?: string;
  text?: string;
  name?: string;
  input?: unknown;
  content?: string | Part[];
}

interface Row {
  type?: string;
  isSidechain?: boolean;
  message?: { role?: string; content?: string | Part[] };
  payload?: {
    type?: string;
    role?: string;
    content?: Part[];
    name?: string;
    arguments?: string;
    input?: string;
    action?: unknown;
    output?: unknown;
  };
}

/**
 * A session as its own agent has it in its context: messages, calls of tools and their results in order, secrets masked.
 * A transcript that is no JSON lines is given as it is.
 */
export async function readSessionContext(path: string): Promise<string> {
  const transcript = await readFile(path, 'utf8');
  const text = path.endsWith('.jsonl') ? transcript.split('\n').flatMap(textOfLine).join('\n\n') : transcript;
  return maskSecrets(text).text;
}

function textOfLine(line: string): string[] {
  const { isSidechain, message, payload, type } = parseRow(line);
  if (isSidechain === true) return [];
  if (message !== undefined) return textsOf(message.content, message.role ?? '');
  return type === 'response_item' && payload !== undefined ? textsOfCodex(payload) : [];
}

/** A line that was cut is no row; the agent's own context would have it, the file does not. */
function parseRow(line: string): Row {
  try {
    return JSON.parse(line) as Row;
  } catch {
    return {};
  }
}

function textsOf(content: string | Part[] | undefined, role: string): string[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [`[${nameOf(role)}]\n${content}`];
  return (content ?? []).flatMap((part) => {
    const { type, text = '', name = '' } = part;
    if (type === 'tool_use') return [`[tool call] ${name} ${shorten(part.input)}`];
    if (type === 'tool_result') return [`[tool result] ${shorten(part.content)}`];
    return text.trim() === '' ? [] : [`[${nameOf(role)}]\n${text}`];
  });
}

function textsOfCodex({ type, role, content, name = '', ...call }: NonNullable<Row['payload']>): string[] {
  if (type === 'message') return textsOf(content, role ?? '');
  if (type?.endsWith('_output')) return [`[tool result] ${shorten(call.output)}`];
  if (type?.endsWith('_call')) return [`[tool call] ${name} ${shorten(call.arguments ?? call.input ?? call.action)}`];
  return [];
}

function nameOf(role: string): string {
  return role === 'user' ? 'person' : role === 'assistant' ? 'you' : role;
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(readParts(value)) ?? '');
  if (text.length <= toolCharactersMax) return text;
  const half = toolCharactersMax / 2;
  return `${text.slice(0, half)} […${text.length - toolCharactersMax} characters…] ${text.slice(-half)}`.toWellFormed();
}

/** Results are lists of texts; their frame carries no content. */
function readParts(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const texts = value.map((part: Part | null) => part?.text);
  return texts.every((text) => text !== undefined) ? texts.join('\n') : value;
}
