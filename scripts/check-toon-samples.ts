import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isHandoffError } from '../packages/batonpass/src/core/errors.ts';
import { decodeMessage } from '../packages/batonpass/src/plan-files/envelope/answer-plan-message.ts';

/** What each message's author meant, written by reading it; or why there is nothing to mean. */
interface Expectation {
  meant?: unknown;
  refused?: string;
}

const table = join(import.meta.dirname, '../test/formats/__fixtures__/toon-samples.json');
const expectations = JSON.parse(readFileSync(table, 'utf8')) as Record<string, Expectation>;

/** What is wrong with the reading of one message; nothing where it is as it should be. */
function findFault(text: string, expected: Expectation | undefined): string | undefined {
  if (expected === undefined) return 'is not in the table';
  try {
    const { value } = decodeMessage(text, 'toon');
    if ('refused' in expected) return `is read, and should be refused: ${expected.refused}`;
    const isMeant = isDeepStrictEqual(value, expected.meant);
    return isMeant ? undefined : `is read as ${JSON.stringify(value)}, and means ${JSON.stringify(expected.meant)}`;
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    return 'refused' in expected ? undefined : `is refused: ${error.message}`;
  }
}

const [folder = ''] = process.argv.slice(2);
const names = readdirSync(folder).filter((name) => name.endsWith('.toon'));
const faults = names.flatMap((name) => {
  const fault = findFault(readFileSync(join(folder, name), 'utf8'), expectations[name]);
  return fault === undefined ? [] : [`${name} ${fault}`];
});
const absent = Object.keys(expectations).filter((name) => !names.includes(name));
const lines = [...faults, ...absent.map((name) => `${name} is not there`)];
process.stdout.write(`${names.length} messages, ${faults.length} read otherwise than meant\n`);
for (const line of lines) process.stdout.write(`  ${line}\n`);
if (lines.length > 0) process.exitCode = 1;
