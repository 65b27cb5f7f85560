import { describeRequest } from '../../operations/plan/request-keys.ts';

/** What `--help` adds for an operation of plans: the keys of its message, and an example. */
export async function renderRequestHelp(operation: string): Promise<string> {
  const request = await describeRequest(operation);
  if (request === undefined) return '';
  const { keys, note, example } = request;
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    '',
    'Keys of its message (* required, [] a list):',
    ...indented([...keys, ...(note === undefined ? [] : [note])]),
    '',
    'An example, for baton plan < FILE:',
    ...indented(example.trimEnd().split('\n')),
    '',
  ].join('\n');
}
