import type { Conversation } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';
import { isLooking, shortenCommand } from './command-runs.ts';
import { toUnit, type Unit } from './order-words.ts';

/** The last lines of an output say how the command ended. */
const linesMax = 4;
const charactersMax = 500;
/** A line that only frames the output of a host's tool. */
const frame = /^(?:exit code:? \d+|output:|\W*)$/i;

/** The commands that the agent ran and that did more than look, each with the end of its output in one line: the newest, as many as a handoff can hold. */
export function readRuns({ messages }: Conversation): Unit[] {
  const units: Unit[] = [];
  let left: number = limits.words_bytes_max;
  for (const { index, tool_calls } of messages.toReversed()) {
    for (const { command, outcome } of tool_calls.toReversed()) {
      if (outcome === undefined || isLooking(shortenCommand(command))) continue;
      const lines = outcome.text.split('\n').map((line) => line.trim());
      const end = lines.filter((line) => !frame.test(line)).slice(-linesMax);
      const text = [`$ ${shortenCommand(command)}`, ...end].join(' / ').slice(0, charactersMax).toWellFormed();
      left -= text.length;
      if (left < 0) return units.reverse();
      units.push(toUnit(text, { index, by: 'tool', turn: 0, weight: 1, isSameLine: false }));
    }
  }
  return units.reverse();
}
