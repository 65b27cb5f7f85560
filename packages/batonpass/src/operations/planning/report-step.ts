import type { StepResult, ToolSet } from 'ai';
import { limits } from '../../core/limits.ts';
import type { ModelSettings } from '../../core/model-settings.ts';
import type { OperationContext } from '../context.ts';
import { toPieces } from './kept-steps.ts';
import { bytesOf, keptText, keptValue } from './kept-values.ts';
import type { ModelPlanning } from './model-planning.ts';
import type { PlanningStep } from './report-data.ts';

const part = limits.plan_report_part_bytes_max;

/** Stores a step of the planning agent in the history: its tools' inputs and results, its words, its cost. */
export async function reportStep(
  step: StepResult<ToolSet>,
  { held, loaded, steps_max, number }: ModelPlanning & { number: number },
  context: OperationContext,
): Promise<void> {
  const kept = toPlanningStep(step, number, loaded.chosen.settings);
  const named = kept.tools.map(({ name }) => name).join(', ');
  let pieces: string[];
  try {
    pieces = toPieces(step.response.messages);
  } catch (error) {
    // Nothing may be built upon a step that is not stored.
    return held.stop(error);
  }
  const now = `step ${number} of ${steps_max}${named === '' ? '' : `: ${named}`}`;
  const last = pieces.at(-1) ?? '';
  const whole = { type: 'step' as const, ...kept, kept: last };
  const fits = bytesOf(whole) <= limits.report_data_bytes_max;
  for (const piece of fits ? pieces.slice(0, -1) : pieces) {
    void held.report(`A part of step ${number}`, { type: 'step-piece', number, kept: piece });
  }
  await held.report(`S${now.slice(1)}`, fits ? whole : { ...whole, kept: '' });
  const spent = (kept.tokens.input + kept.tokens.output).toLocaleString('en-US');
  context.onProgress?.({ what: 'steps planned', done: number, total: steps_max, now: `${now} · ${spent} tokens` });
}

function toPlanningStep(step: StepResult<ToolSet>, number: number, { price }: ModelSettings): PlanningStep {
  const calls = step.toolCalls.slice(0, limits.plan_report_tools_max);
  const left_out = step.toolCalls.length - calls.length;
  const { inputTokens: input = 0, outputTokens: output = 0 } = step.usage;
  const amount = price && (input * price.input + output * price.output) / 1_000_000;
  return {
    number,
    tools: calls.map(({ toolCallId, toolName, input: given }) => ({
      name: keptText(toolName, part),
      input: keptValue(given, part),
      output: keptValue(outputOf(step, toolCallId), part),
    })),
    ...(left_out > 0 && { tools_left_out: left_out }),
    text: keptText(step.text, part),
    tokens: { input, output },
    ...(price !== undefined && amount !== undefined && { cost: { amount, currency: price.currency } }),
    duration_ms: Math.round(step.performance.stepTimeMs),
  };
}

function outputOf({ content }: StepResult<ToolSet>, id: string): unknown {
  for (const entry of content) {
    if (entry.type === 'tool-result' && entry.toolCallId === id) return entry.output;
    if (entry.type === 'tool-error' && entry.toolCallId === id) {
      return { error: entry.error instanceof Error ? entry.error.message : String(entry.error) };
    }
  }
  return null;
}
