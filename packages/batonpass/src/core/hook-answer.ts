import { type HostName, hosts } from './hosts.ts';

/**
 * The one JSON object that a host reads from a hook; empty where there is nothing to report.
 *
 * @param text - for the model. @param notice - one line for the person.
 */
export function formatAnswer(
  { host, event }: { host: HostName; event: string },
  { text, notice }: { text: string; notice: string },
): string {
  if (text === '' && notice === '') return '';
  const { answer } = hosts[host];
  const output: Record<string, unknown> = {};
  if (notice !== '' && answer.notice.length > 0) put(output, answer.notice, notice);
  if (text !== '') {
    if (answer.event !== undefined) put(output, answer.event, event);
    put(output, answer.context, answer.escapes_tags === true ? escapeEntities(text) : text);
  }
  return Object.keys(output).length === 0 ? '' : JSON.stringify(output);
}

/** What the host finds at a place of an answer; nothing where there is no text. */
export function readAnswer(host: HostName, answer: object, place: 'context' | 'event' | 'notice'): string | undefined {
  let value: unknown = answer;
  for (const name of hosts[host].answer[place] ?? [])
    value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** What looks like an entity is one more: the host makes entities of tags alone, and only so its text is one way back. */
function escapeEntities(text: string): string {
  return text.replace(/&(?=(?:lt|gt|amp);)/g, '&amp;');
}

function put(output: Record<string, unknown>, [name = '', ...inner]: readonly string[], value: string): void {
  if (inner.length === 0) {
    output[name] = value;
    return;
  }
  output[name] ??= {};
  put(output[name] as Record<string, unknown>, inner, value);
}
