import { throwIfAborted } from '../../core/aborted.ts';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { machineTiming, type Timing } from '../../core/timing.ts';
import { findOwnProcess } from '../../disk/machine-process.ts';
import { planAgentName } from '../../draft/plan-agent-name.ts';
import type { ModelSurroundings } from '../../extraction/model/ask-model.ts';
import type { ModelPurpose } from '../../extraction/model/choose-model.ts';
import type { LoadedModel } from '../../extraction/model/load-model.ts';
import { machineSurroundings } from '../../extraction/model/machine-surroundings.ts';
import { assertTaskName } from '../../plan-files/task-name.ts';
import type { AnswerChunk, OperationContext } from '../context.ts';
import { loadChosenModel } from '../load-chosen-model.ts';
import { renderForReceiver } from '../receiver-text.ts';
import { type Attempt, readAttempts } from './attempts.ts';
import { programEnds } from './background-runs.ts';
import { choosePlanned } from './choose-planned.ts';
import { finishPlanning } from './finish-planning.ts';
import { HeldPlanning, isLeaseLost, planAgent } from './held-planning.ts';
import type { ModelPlan } from './model-planning.ts';
import { planWithModel } from './plan-with-model.ts';
import { assertEnded, type RunAnswer, type RunningAnswer, recallRun } from './recall-run.ts';
import type { SourceStep } from './report-data.ts';
import { endInterrupted, findSource, type SourceRequest } from './source-run.ts';
import { toPlannedWork } from './to-planned-work.ts';

/** Which handoff is planned, and how. */
export interface RunRequest {
  id?: string | undefined;
  again?: boolean | undefined;
  model?: string | undefined;
  plan_name?: string | undefined;
  steps_max: number;
  /** Where it continues from: so many steps of an attempt are stored, and not asked for again. */
  from?: SourceRequest | undefined;
}

/** Clock and random source of a run, which a test sets instead. */
export interface RunSurroundings {
  timing: Timing;
  model: ModelSurroundings;
}

const planning: ModelPurpose = {
  verb: 'plan',
  without: 'Or create a plan skeleton, which needs no model: baton plan draft',
  isJson: false,
};

/**
 * Runs the planning agent over one handoff. The handoff is never left with a run that has ended: it is
 * acknowledged with its plan, failed with the reason, released where the caller stopped, or its lease lapses after a crash.
 *
 * The same idempotency key gives the same answer again, and plans nothing again.
 *
 * @throws AbortError where the caller's signal aborts; HandoffError `validation_failed` for a name that no plan can have
 * and `unavailable` where no model can be asked, before anything is claimed; `lease_lost` where another took over, and then nothing was written.
 */
export async function runPlanning(
  given: RunRequest,
  context: OperationContext,
  surroundings: RunSurroundings = machineRun,
): Promise<RunAnswer> {
  const begun = await beginPlanning(given, context, surroundings);
  if ('held' in begun) return begun.end();
  assertEnded(begun, context);
  return begun;
}

/**
 * Starts the planning agent and leaves it to the Baton: the caller may leave. A retry with the same key returns
 * the run that the first call started.
 *
 * @throws HandoffError as `runPlanning`, before anything is claimed.
 */
export async function startPlanning(
  given: RunRequest,
  context: OperationContext,
  surroundings: RunSurroundings = machineRun,
): Promise<StartedPlanning> {
  const { background } = context;
  const controller = new AbortController();
  let handoff_id = '';
  const onChunk = (chunk: AnswerChunk) => background.note(handoff_id, chunk);
  const detached = { ...context, signal: controller.signal, onProgress: undefined, onChunk };
  const begun = await beginPlanning(given, detached, surroundings);
  if (!('held' in begun)) return { handoff: begun.handoff, run: inShort(begun.run) };
  const { held, kept_steps, end } = begun;
  handoff_id = held.handoff.id;
  const { project, delivery } = held.handoff;
  background.own({ project, handoff_id, fence: delivery.fence, step: kept_steps }, controller, end());
  const store = await context.openStore();
  const [handoff, run] = await Promise.all([store.get(handoff_id), newestAttempt(held.handoff, context)]);
  return { handoff: handoff ?? held.handoff, run: inShort(run) };
}

/** A run that was started, and its handoff as it is now. */
interface StartedPlanning {
  handoff: Handoff;
  run: Pick<Attempt, 'number' | 'fence' | 'started_at' | 'outcome'>;
}

function inShort({ number, fence, started_at, outcome }: Attempt): StartedPlanning['run'] {
  return { number, fence, started_at, outcome };
}

const machineRun: RunSurroundings = { timing: machineTiming, model: machineSurroundings };

/** A run that has claimed its handoff. */
interface BegunPlanning {
  held: HeldPlanning;
  /** How many steps of another attempt it continues from. */
  kept_steps: number;
  /** Plans it to the end. */
  end: () => Promise<RunAnswer>;
}

async function beginPlanning(
  given: RunRequest,
  context: OperationContext,
  surroundings: RunSurroundings,
): Promise<BegunPlanning | RunAnswer | RunningAnswer> {
  throwIfAborted(context.signal, 'The planning');
  // Checked now: later, the plan for which the name is needed has cost a run.
  if (given.plan_name !== undefined) assertTaskName(given.plan_name);
  const { call, earlier } = await recallRun(context);
  if (earlier !== undefined) return earlier;
  const loaded = await loadPlanner(given.model, context);
  const source = await findSource(given, plannerOf(loaded), context);
  const { id } = await choosePlanned(given, context);
  if (source !== undefined) await endInterrupted(id, context);
  const held = await HeldPlanning.claim(id, context, { timing: surroundings.timing, call });
  const { steps_max } = given;
  const kept = source?.kept ?? [];
  const begin = async () => {
    const instructions = await instructionsOf(held, context);
    await reportStart(held, { loaded, instructions, steps_max, from: source?.from });
    return instructions;
  };
  const instructions = await begin().catch((error: unknown) => {
    held.end();
    throw error;
  });
  const end = async () => {
    try {
      const made = await planWithModel(
        { held, loaded, instructions: instructions.text, steps_max, kept, surroundings: surroundings.model },
        context,
      );
      await assertGoesOn(held, context);
      const ended =
        made.outcome === 'completed' ? await finish(held, made, { given, loaded, context }) : await fail(held, made);
      return { ...ended, run: await newestAttempt(held.handoff, context) };
    } finally {
      held.end();
    }
  };
  return { held, kept_steps: kept.length, end };
}

async function newestAttempt(handoff: Handoff, context: OperationContext): Promise<Attempt> {
  const run = (await readAttempts(await context.openStore(), handoff)).at(-1);
  if (run === undefined) throw new Error('The history of a claimed handoff names no claim.');
  return run;
}

/** @throws HandoffError `unavailable` that reports what to set or install. */
async function loadPlanner(
  model: string | undefined,
  { configuration, environment }: OperationContext,
): Promise<LoadedModel> {
  const settings = model === undefined ? configuration.model : { ...configuration.model, model };
  return loadChosenModel(settings, environment, planning);
}

interface Instructions {
  text: string;
  sha256: string;
}

/**
 * Exactly the bytes that a reviewer approved, where one did.
 *
 * @throws HandoffError `conflict` where the bytes would differ, `too_large`; the handoff is released then.
 */
async function instructionsOf(held: HeldPlanning, context: OperationContext): Promise<Instructions> {
  const { id, content, delivery } = held.handoff;
  const isAddressed = content.target_agent === planAgentName;
  const approval = isAddressed ? delivery.approval : undefined;
  const room = { budget: approval?.budget, budget_default: context.configuration.budget };
  try {
    const { text, sha256 } = renderForReceiver({ ...content, target_agent: planAgentName }, room);
    if (approval === undefined || approval.rendered_sha256 === sha256) return { text, sha256 };
    throw new HandoffError('conflict', `The instructions of handoff ${id} are not those that were approved.`, {
      details: { id, rendered_sha256: sha256, approved_sha256: approval.rendered_sha256 },
      alternatives: [
        `See its instructions: baton render ${id}`,
        `Hand it on again for another review: baton withdraw ${id}, then baton create --parent ${id}`,
      ],
    });
  } catch (error) {
    await held.release(error instanceof Error ? error.message : String(error));
    throw error;
  }
}

interface Start {
  loaded: LoadedModel;
  instructions: Instructions;
  steps_max: number;
  from: SourceStep | undefined;
}

async function reportStart(held: HeldPlanning, { loaded, instructions, steps_max, from }: Start): Promise<void> {
  const planner = plannerOf(loaded);
  const words = from === undefined ? 'begins' : `continues after step ${from.step} of attempt ${from.attempt}`;
  await held.report(`Planning by ${planner} ${words}.`, {
    type: 'run-started',
    planner,
    instructions_sha256: instructions.sha256,
    steps_max,
    owner: findOwnProcess(),
    ...(from !== undefined && { from }),
  });
}

function plannerOf({ chosen: { provider, model } }: LoadedModel): string {
  return `${provider}/${model}`.slice(0, limits.name_characters_max);
}

/** @throws AbortError after the release where the caller stopped; why the run stopped, where another holds its handoff. */
async function assertGoesOn(held: HeldPlanning, context: OperationContext): Promise<void> {
  const { failure } = held;
  if (context.signal.aborted) await stopped(held, context);
  if (failure === undefined) return;
  // Where another holds the handoff, the store refuses this as it refused the report.
  await held.fail(`The run could not be kept in the history: ${wordsOf(failure.reason)}`);
  throw failure.reason;
}

async function stopped(held: HeldPlanning, context: OperationContext): Promise<void> {
  const isInterrupted = context.signal.reason === programEnds;
  const reason = isInterrupted ? programEnds.message : 'stopped';
  await held.report(isInterrupted ? reason : 'The run was stopped.', {
    type: 'run-ended',
    outcome: isInterrupted ? 'interrupted' : 'stopped',
  });
  await held.release(reason).catch((error: unknown) => {
    // Another caller holds it by now: there is nothing to give back.
    if (!isLeaseLost(error)) throw error;
  });
  throwIfAborted(context.signal, 'The planning');
}

async function fail(held: HeldPlanning, { outcome, reason = 'It failed.' }: ModelPlan) {
  await held.report(reason, { type: 'run-ended', outcome });
  return { outcome, reason, handoff: await held.fail(reason) };
}

interface Finishing {
  given: RunRequest;
  loaded: LoadedModel;
  context: OperationContext;
}

async function finish(held: HeldPlanning, made: ModelPlan, { given, loaded, context }: Finishing) {
  const work = toPlannedWork(
    held.handoff,
    { ...made, planner: plannerOf(loaded), plan_name: given.plan_name },
    context,
  );
  try {
    const { reason } = made;
    if (reason !== undefined) await held.report(reason, { type: 'run-ended', outcome: 'completed' });
    const unkeyed = { ...context, actor: planAgent, idempotency_key: undefined };
    const finished = await finishPlanning(held.handoff, work, unkeyed);
    return { outcome: 'completed' as const, ...(reason !== undefined && { reason }), ...finished };
  } catch (error) {
    if (isLeaseLost(error)) throw error;
    if (context.signal.aborted) await stopped(held, context);
    await held.report('The plan was made, but could not be kept.', { type: 'run-ended', outcome: 'error' });
    await held.fail(`The plan was made, but could not be kept: ${wordsOf(error)}`);
    throw isHandoffError(error) ? notKept(error, held.handoff) : error;
  }
}

/** The error, and where the plan can still be read. */
function notKept({ code, message, details, alternatives, cause }: HandoffError, { id }: Handoff): HandoffError {
  const told = [...alternatives, `What the model planned is in the history: baton plan runs ${id} --json`];
  return new HandoffError(code, message, { details, alternatives: told, cause });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
