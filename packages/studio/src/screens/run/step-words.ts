import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { count } from '../../shown/count.ts';
import type { Attempt } from './use-planning.ts';

/** One step of an attempt. */
export type AttemptStep = Attempt['steps'][number];

/** The signs of the planning agent's tools; all other tools share one. */
const glyphs: Readonly<Record<string, string>> = {
  getHandoffContext: '⇣',
  addDecision: '◆',
  writePlan: '▤',
  completePlanning: '✓',
};

/** The sign of a tool; a step without one has that of text. */
export function glyphOf(tool: string | undefined): string {
  if (tool === undefined) return '“';
  return Object.hasOwn(glyphs, tool) ? (glyphs[tool] ?? '⚒') : '⚒';
}

/** What a step did, in one line. */
export function namesOf(tools: readonly string[]): string {
  return tools.length === 0 ? 'words alone' : tools.map(showHidden).join(', ');
}

/** Whether a tool of a step failed. */
export function hasFailed({ tools }: AttemptStep): boolean {
  return tools.some(({ output }) => output !== null && typeof output === 'object' && Object.hasOwn(output, 'error'));
}

/** Whether the list has only the beginning of a value of the step. */
export function isCut({ text, tools, tools_left_out }: AttemptStep): boolean {
  const values = tools.flatMap(({ input, output }) => [input, output]);
  return tools_left_out !== undefined || text.endsWith('…') || values.some(isBeginning);
}

function isBeginning(value: unknown): boolean {
  return value !== null && typeof value === 'object' && 'beginning' in value && 'bytes' in value;
}

/** Whether a step's text or tools contain these words. */
export function says({ text, tools }: AttemptStep, wanted: string): boolean {
  const all = `${text}\n${JSON.stringify(tools)}`.toLowerCase();
  // A text without words has one that is empty, and is in every text.
  return wanted
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** A duration, exact and short. */
export function describeDuration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} m ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** The sum of tokens, formatted. */
export function describeTokens({ input, output }: AttemptStep['tokens']): string {
  return `${(input + output).toLocaleString('en')} tokens`;
}

/** A cost in its currency; empty where it is not known. */
export function describeCost(cost: Attempt['cost']): string {
  return cost === undefined ? '' : `${cost.amount.toFixed(4)} ${cost.currency}`;
}

/** Each outcome of an attempt as sign and word. */
export const outcomes: Readonly<Record<Attempt['outcome'], { glyph: string; word: string; says: string }>> = {
  completed: { glyph: '●', word: 'Completed', says: '' },
  'step-limit': { glyph: '✕', word: 'Stopped after its last step', says: 'No step was left.' },
  error: { glyph: '✕', word: 'Failed', says: 'It failed.' },
  stopped: { glyph: '–', word: 'Stopped', says: 'Somebody stopped it.' },
  interrupted: { glyph: '⧗', word: 'Interrupted', says: 'The program that ran it ended.' },
  lapsed: { glyph: '⧗', word: 'No sign of life', says: 'Its planner gave no sign of life until its lease ended.' },
  running: { glyph: '◐', word: 'Running', says: '' },
};

/** The outcome of an attempt as text: with the number of its steps, where the limit ended it. */
export function describeOutcome({
  outcome,
  steps_max,
}: Pick<Attempt, 'outcome'> & { steps_max?: number | undefined }): string {
  if (outcome === 'step-limit' && steps_max !== undefined) {
    return `Stopped after ${count(steps_max, 'step')}`;
  }
  return outcomes[outcome].word;
}

/** Why an attempt ended, where that is more than its outcome. */
export function describeReason({ outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>): string {
  return reason === undefined || reason === outcome ? outcomes[outcome].says : showHidden(reason);
}
