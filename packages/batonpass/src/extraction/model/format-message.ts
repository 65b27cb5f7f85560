import type { Message, ToolCall } from '../../core/conversation.ts';

const callCharactersMax = 200;
const callsMax = 40;

/** A message as a model reads it: its words, then what it did by tools, in a line each. Too long ones lose their middle. */
export function formatMessage({ text, tool_calls }: Message, charactersMax: number): string {
  const left = tool_calls.length - callsMax;
  const calls = tool_calls.slice(0, callsMax).map(formatCall);
  if (left > 0) calls.push(`[${left} more tool calls]`);
  return cutMiddle([text, ...calls].filter((part) => part !== '').join('\n'), Math.floor(charactersMax / 2));
}

/** What a tool answered is left out: it is long, and seldom what somebody decided. */
function formatCall({ name, path, command, outcome }: ToolCall): string {
  const about = path ?? command?.replace(/\s+/g, ' ') ?? '';
  const words = `${name} ${about}`.trim().slice(0, callCharactersMax).toWellFormed();
  return `[tool: ${words}${outcome?.is_error ? ', failed' : ''}]`;
}

function cutMiddle(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const half = Math.floor(charactersMax / 2);
  const omitted = text.length - 2 * half;
  return `${text.slice(0, half)}\n[${omitted} characters left out]\n${text.slice(-half)}`.toWellFormed();
}
