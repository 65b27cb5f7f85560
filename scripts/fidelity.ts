import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { limits } from '../packages/batonpass/src/core/limits.ts';
import { isLabelled, type Recovered, recover, type SessionFacts } from './fact-matches.ts';
import { handOver, type SessionHandoff } from './handoff-of-session.ts';
import { injectAfter } from './hook-injection.ts';
import { roundTo } from './reference-text.ts';
import { baseLines, createBaseLines } from './session-prose.ts';
import { writeOver } from './written-handoff.ts';

/** The handoff, and what it is compared with. */
export const sides = ['baton', ...baseLines] as const;
export type Side = (typeof sides)[number];

/** One labelled session: what each side contains at each budget, and how many of its items are labelled facts. */
export interface SessionFidelity {
  id: string;
  recovered: ReadonlyMap<number, Record<Side, Recovered>>;
  precision: Record<ItemKind, [labelled: number, told: number]>;
}

type ItemKind = 'decisions' | 'next_steps' | 'risks';

interface LabelledSession {
  facts: SessionFacts;
  /** The transcript. */
  path: string;
}

/** Labels and transcripts of a folder with `labels` and `sessions`, by id. */
export async function readSessions(folder: string): Promise<LabelledSession[]> {
  const labels = (await readdir(join(folder, 'labels'))).filter((name) => name.endsWith('.json')).sort();
  const transcripts = (await readdir(join(folder, 'sessions'))).sort();
  return await Promise.all(
    labels.map(async (name) => {
      const facts = JSON.parse(await readFile(join(folder, 'labels', name), 'utf8')) as SessionFacts;
      const transcript = transcripts.find((each) => each.startsWith(`${facts.id}.`));
      if (transcript === undefined) throw new Error(`${folder}/sessions has no transcript of ${facts.id}.`);
      return { facts, path: resolve(folder, 'sessions', transcript) };
    }),
  );
}

/**
 * Measures the handoff of one session, and its base lines, at each budget.
 *
 * @param answer - the file with what the session's agent answered. Default: no agent was asked.
 */
export async function measureSession(
  { facts, path }: LabelledSession,
  budgets: readonly number[],
  answer?: string,
): Promise<SessionFidelity> {
  const made = answer === undefined ? handOver(path, budgets) : writeOver(path, answer, budgets);
  const { content, texts } = await made.catch((error: unknown): SessionHandoff => {
    // A session without a handoff gives its next agent nothing, and counts as that.
    console.error(`${facts.id}: no handoff: ${error instanceof Error ? error.message : String(error)}`);
    return { content: { decisions: [], next_steps: [], risks: [] }, texts: new Map() };
  });
  const toBaseLines = createBaseLines(await readFile(path, 'utf8'), facts.host);
  const recovered = budgets.map(
    (budget) => [budget, recoverSides({ baton: texts.get(budget) ?? '', ...toBaseLines(budget) }, facts)] as const,
  );
  return { id: facts.id, recovered: new Map(recovered), precision: judgeItems(content, facts) };
}

/** The tokens of a base line that is as long as what a hook may inject. */
export const hookBudget = limits.hook_characters_max / 4;

/** Measures what the start of the next session injects after the hooks of a session ran. */
export async function measureInjection({ facts, path }: LabelledSession): Promise<SessionFidelity> {
  const baton = await injectAfter(path);
  const lines = createBaseLines(await readFile(path, 'utf8'), facts.host)(hookBudget);
  const precision: SessionFidelity['precision'] = { decisions: [0, 0], next_steps: [0, 0], risks: [0, 0] };
  return { id: facts.id, recovered: new Map([[hookBudget, recoverSides({ baton, ...lines }, facts)]]), precision };
}

function recoverSides(texts: Record<Side, string>, facts: SessionFacts): Record<Side, Recovered> {
  return Object.fromEntries(sides.map((side) => [side, recover(texts[side], facts)])) as Record<Side, Recovered>;
}

function judgeItems({ decisions, next_steps, risks }: SessionHandoff['content'], facts: SessionFacts) {
  const judge = (items: readonly ToldItem[]): [number, number] => [
    items.filter((item) => isLabelled(textOf(item), facts)).length,
    items.length,
  ];
  return { decisions: judge(decisions), next_steps: judge(next_steps), risks: judge(risks) };
}

type ToldItem = string | { content?: string; description?: string };

function textOf(item: ToldItem): string {
  return typeof item === 'string' ? item : item.content || item.description || '';
}

/** A side at a budget over several sessions. */
export interface Fidelity {
  recall: number;
  stale: [told: number, of: number];
  characters: number;
  kinds: Recovered['kinds'];
}

/** Adds up one side at one budget: weights over all sessions, so that a session counts by what there is to know of it. */
export function addUp(sessions: readonly SessionFidelity[], budget: number, side: Side): Fidelity {
  const all = sessions.flatMap(({ recovered }) => recovered.get(budget)?.[side] ?? []);
  const sum = (of: (each: Recovered) => number) => all.reduce((total, each) => total + of(each), 0);
  const kinds: Recovered['kinds'] = {};
  for (const [kind, [found, of]] of all.flatMap((each) => Object.entries(each.kinds))) {
    const [before, all_before] = kinds[kind] ?? [0, 0];
    kinds[kind] = [before + found, all_before + of];
  }
  return {
    recall: roundTo(recallOf(all), 4),
    stale: [sum(({ stale }) => stale), sum(({ stale_max }) => stale_max)],
    characters: sum(({ characters }) => characters),
    kinds,
  };
}

/** The weight found of the weight there is, over all of them. */
export function recallOf(all: readonly Recovered[]): number {
  let weight = 0;
  let weight_max = 0;
  for (const each of all) {
    weight += each.weight;
    weight_max += each.weight_max;
  }
  return weight / Math.max(1, weight_max);
}

/** Of the decisions, next steps and risks in the handoffs, how many are labelled facts. */
export function addUpPrecision(sessions: readonly SessionFidelity[]): SessionFidelity['precision'] {
  const total: SessionFidelity['precision'] = { decisions: [0, 0], next_steps: [0, 0], risks: [0, 0] };
  for (const { precision } of sessions) {
    for (const [kind, [labelled, told]] of Object.entries(precision) as [ItemKind, [number, number]][]) {
      total[kind][0] += labelled;
      total[kind][1] += told;
    }
  }
  return total;
}
