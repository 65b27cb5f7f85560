import { decode } from '@toon-format/toon';
import { decodeToon } from '../packages/batonpass/src/formats/toon/decode-toon.ts';
import { encodeToon } from '../packages/batonpass/src/formats/toon/encode-toon.ts';
import { interleave, type Metric, summarize } from './frame.ts';

const tasks = 1_000;
const rounds = 31;

/** The cost of checking the bounds and of searching for hyphens in a large message in the strict form, compared with decoding it. */
export function measureDecode(): Metric[] {
  const message = makeMessage();
  const [ours = [], official = []] = interleave([() => decodeToon(message), () => decode(message)], rounds);
  const [mine, other] = [summarize(ours).median, summarize(official).median];
  return [
    {
      name: `decoding a message of ${tasks.toLocaleString('en-US')} tasks over the official decoder alone`,
      value: mine / other,
      unit: '×',
      floor: 1.2,
      aim: 1.05,
      better: 'lower',
      note: `n = ${rounds}; ${message.length.toLocaleString('en-US')} characters; ${mine.toFixed(1)} ms against ${other.toFixed(1)} ms`,
    },
  ];
}

function makeMessage(): string {
  const task = (number: number) => ({
    id: `task-${number}`,
    name: `Task number ${number}, with words`,
    phase: 'implement',
    goal: 'What it is for, in a sentence that is as long as such a sentence is',
    acceptance_criteria: ['One thing holds', 'Another thing: holds too'],
    checklist: ['Write it', 'Write "tests"', 'Write the docs'],
  });
  const plan_content = { title: 'A large plan', tasks: Array.from({ length: tasks }, (_, index) => task(index + 1)) };
  return encodeToon({ from: 'a', to: 'plan-files-skill', handoff_id: 'write-plan-001', plan_content });
}
