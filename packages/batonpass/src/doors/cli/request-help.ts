import { describeRequest } from '../../operations/plan/request-keys.ts';
import { fold, helpWidth } from './help-layout.ts';
import { wrapped } from './present/view.ts';

/** What `--help` adds for an operation of plans: the keys of its message, and an example. */
export async function renderRequestHelp(operation: string): Promise<string> {
  const request = await describeRequest(operation);
  if (request === undefined) return '';
  const { keys, note, example } = request;
  const width = helpWidth();
  return [
    '',
    fold('Keys of its message (* required, [] a list):'),
    ...[...keys, ...(note === undefined ? [] : [note])].map((line) => `  ${wrapped(line, width, '      ')}`),
    '',
    'An example, for baton plan < FILE:',
    // Not wrapped: a message is copied as it is.
    ...example
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
  ].join('\n');
}
