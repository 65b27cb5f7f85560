import type { ToolOutcome } from '../core/conversation.ts';
import { asObject, asObjects, asText, type JsonObject } from './json-value.ts';
import { readOutcome } from './tool-calls.ts';

/** What a command's state says where it has no exit code. */
const ends: ReadonlyMap<string, string> = new Map([
  ['failed', 'The command failed.'],
  ['killed', 'The command was stopped.'],
  ['stopped', 'The command was stopped.'],
]);

/** How a background command ended, as the tool that asks about it reports; nothing while the command runs. */
export function readCommandEnd(text: string): ToolOutcome | undefined {
  const state = between(text, 'status');
  const code = between(text, 'exit_code') || /\bexit code:? (?<code>\d{1,3})\b/.exec(between(text, 'summary'))?.[1];
  if (code === undefined || !/^\d{1,3}$/.test(code)) {
    const end = ends.get(state);
    return end === undefined ? undefined : readOutcome(end, true);
  }
  const printed = between(text, 'output') || [between(text, 'stdout'), between(text, 'stderr')].join('\n');
  return { ...readOutcome(printed.trim(), code !== '0'), exit_code: Number(code) };
}

/** The ends of background commands that the host reports in a message, in its queue or as an attachment. */
export function readNotifications(value: JsonObject): { id: string; outcome: ToolOutcome; ended: string }[] {
  const { content } = asObject(value.message) ?? value;
  const prompt = asText(asObject(value.attachment)?.prompt);
  const texts = [asText(content), prompt, ...asObjects(content).map(({ text }) => asText(text))];
  return texts.flatMap((text = '') => {
    if (!text.trimStart().startsWith('<task-notification>')) return [];
    const outcome = readCommandEnd(text);
    const ended = between(text, 'task-id');
    return outcome === undefined || ended === '' ? [] : [{ id: between(text, 'tool-use-id'), outcome, ended }];
  });
}

function between(text: string, name: string): string {
  const open = `<${name}>`;
  const from = text.indexOf(open);
  const to = from === -1 ? -1 : text.indexOf(`</${name}>`, from);
  return to === -1 ? '' : text.slice(from + open.length, to).trim();
}
