import type { Actor } from '../packages/batonpass/src/core/actor.ts';
import { completeContent } from '../packages/batonpass/src/core/complete-content.ts';
import type { ContentInput } from '../packages/batonpass/src/core/content.ts';
import type { Call, ClaimRequest, NewHandoff } from '../packages/batonpass/src/core/store.ts';

/** The work that every contender does: handoffs of about 1 KB of JSON in one project and one task. */

/** The sender of the handoffs, and their receiver. */
export const writer: Actor = { name: 'claude-code', type: 'agent' };
export const receiver: Actor = { name: 'codex', type: 'agent' };

export const project = 'github.com/acme/tidepool';
export const task_id = 'rate-limit';
export const lease_ms = 15 * 60_000;

const note = 'The limiter keeps one bucket per key in memory and refills one token a second. ';

/** What a writer has in hand before anything is checked, hashed or written. */
export function createInput(number: number, about: Partial<ContentInput> = {}): ContentInput {
  return {
    summary: `Handoff number ${number}: the limiter answers 429`,
    task_id,
    payload: {
      number,
      branch: 'feat/rate-limit',
      files: ['src/server.ts', 'src/rate-limit/middleware.ts', 'test/rate-limit.test.ts'],
      checks: { tests: true, lint: true, coverage: 0.93 },
      notes: note.repeat(9),
    },
    ...about,
  };
}

/** The input of a row: complete, hashed, and ready for the store. */
export function createNewHandoff(input: ContentInput): NewHandoff {
  return { ...completeContent(input, { source_agent: writer.name }), project, state: 'open' };
}

/** @returns `count` handoffs, numbered from 1. */
export function createNewHandoffs(count: number, about?: Partial<ContentInput>): NewHandoff[] {
  return createInputs(count, about).map(createNewHandoff);
}

/** @returns `count` inputs, numbered from 1. */
export function createInputs(count: number, about?: Partial<ContentInput>): ContentInput[] {
  return Array.from({ length: count }, (_, index) => createInput(index + 1, about));
}

export const creating: Call = { actor: writer, project, operation: 'handoff.create' };
export const claiming: Call = { actor: receiver, project, operation: 'handoff.claim' };
export const acknowledging: Call = { actor: receiver, project, operation: 'handoff.acknowledge' };

/** @returns a request for the oldest of the one task. */
export function requestOf(max: number): ClaimRequest {
  return { project, task_id, lease_ms, max };
}

/** @returns a list in parts of `size`. */
export function inBatches<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}
