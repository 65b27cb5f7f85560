import { z } from 'zod';
import { type CompletedContent, completeContent } from '../core/complete-content.ts';
import { HandoffError, isHandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { parseInput } from '../core/input.ts';
import { limits } from '../core/limits.ts';

/** The result of a claim: no other caller gets it. */
export interface ClaimedHandoff<T = unknown> {
  handoffId: string;
  /** Equal to what was created. Of a handoff that was created elsewhere without a payload: its content. Not checked. */
  payload: T;
  originAgent: string;
}

const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(limits.name_characters_max)
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode');

/** A name as the record keeps it, so that what is created under one is claimed under it. @throws HandoffError `invalid_input`. */
export function requireName(what: string, given: unknown): string {
  return parseInput(nameSchema, given, what);
}

/** The content of a handoff of source 3. @throws HandoffError `invalid_input`, `too_large`. */
export function contentOf(taskId: string, payload: object, originAgent: string): CompletedContent {
  const task_id = requireName('task id', taskId);
  const source_agent = requireName('origin agent', originAgent);
  if (payload === null || typeof payload !== 'object') {
    throw new HandoffError(
      'invalid_input',
      `A payload is an object, not ${payload === null ? 'null' : typeof payload}.`,
      {
        alternatives: ['Give an object: { summary: "…" }'],
      },
    );
  }
  try {
    const content = completeContent({ task_id, payload }, { source_agent });
    assertLossless(payload);
    return content;
  } catch (error) {
    if (!isHandoffError(error) || error.code !== 'too_large') throw error;
    const { message, details } = error;
    throw new HandoffError('too_large', message, {
      details,
      alternatives: [
        'Write the large part to a file, and give its path in the payload.',
        'Remove circular references, and flatten deep nesting.',
      ],
      cause: error,
    });
  }
}

/** What a receiver gets. A handoff of another door may have no payload: its text must not be lost. */
export function describe({ id, content }: Handoff, payload_json: string | undefined): ClaimedHandoff {
  const inline = content.payload === undefined ? content : content.payload;
  const payload: unknown = payload_json === undefined ? inline : JSON.parse(payload_json);
  return { handoffId: id, payload, originAgent: content.source_agent };
}

/**
 * Refuses a payload that would come back as something else, because JSON leaves out or empties what it cannot carry: a
 * Map becomes `{}`, a function nothing, a hole of an array null. A member that is undefined is absent on both sides, and
 * a value with `toJSON` (a Date) defines its own form in JSON. Depth, circles and numbers have been checked.
 *
 * @throws HandoffError `invalid_input` with the place of the first such part.
 */
function assertLossless(value: unknown, place = 'payload'): void {
  if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) throw lossy(place, typeof value);
  if (value === null || typeof value !== 'object') return;
  if ('toJSON' in value && typeof value.toJSON === 'function') return;
  if (Array.isArray(value)) {
    // Not forEach, which skips holes.
    for (const [index, element] of value.entries()) assertLossless(element, `${place}[${index}]`);
    return;
  }
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind !== 'Object') throw lossy(place, kind);
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) assertLossless(member, `${place}.${name}`);
  }
}

function lossy(place: string, kind: string): HandoffError {
  return new HandoffError('invalid_input', `The payload is not JSON: ${place.slice(0, 200)} is ${kind}.`, {
    details: { place: place.slice(0, 200), kind },
    alternatives: ['Give objects, arrays, strings, finite numbers, booleans and null.'],
  });
}
