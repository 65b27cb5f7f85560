import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { HostName } from '../core/hosts.ts';
import { limits } from '../core/limits.ts';
import { replaceFile } from '../disk/replace-file.ts';
import { stateFolder } from '../workspace/place.ts';

const countSchema = z.int().min(0);

const stateSchema = z.object({
  /** The day of the counts, in UTC. */
  day: z.string(),
  calls: countSchema,
  input_tokens: countSchema,
  output_tokens: countSchema,
  /** The sessions and moments that were asked. */
  asked: z.array(z.string()),
  /** Hosts that are not asked, until when and why. */
  resting: z.record(z.string(), z.object({ until: z.iso.datetime(), reason: z.string() })),
  /** Why the last call gave nothing; absent where it gave an answer. */
  problem: z.object({ host: z.string(), at: z.iso.datetime(), reason: z.string() }).optional(),
});

/** The cost of asking agents, and the hosts that are not asked: of all projects of a user. */
export type AskingState = z.output<typeof stateSchema>;

/** How many asked sessions are remembered: many times more than any day has. */
const rememberedMax = 500;

/** A call that a caller wants to make. */
export interface WantedCall {
  host: HostName;
  /** The session and the moment: each is asked once. */
  key: string;
  /** Of the session, as far as its transcript shows it; absent where it does not. */
  input_tokens: number | undefined;
}

/**
 * How often agents may be asked by themselves: once for each session and compaction, a number of times a day and for a
 * number of tokens, and no host that refused within the hour. Stored in the user's state folder; without the file no call
 * has been made.
 */
export class Allowance {
  readonly #path: string;
  readonly #now_ms: number;

  constructor(environment: NodeJS.ProcessEnv, now_ms: number) {
    this.#path = join(stateFolder(environment), 'asked.json');
    this.#now_ms = now_ms;
  }

  /** As it is today. */
  read(): AskingState {
    const day = new Date(this.#now_ms).toISOString().slice(0, 10);
    const fresh = { day, calls: 0, input_tokens: 0, output_tokens: 0, asked: [], resting: {} };
    const found = this.#readFile();
    if (found === undefined) return fresh;
    return found.day === day ? found : { ...fresh, asked: found.asked, resting: found.resting, problem: found.problem };
  }

  /** Why a call is not made, in a sentence, and whether a person may pass the limit; nothing where it is made. */
  refusal({ host, key, input_tokens = 0 }: WantedCall): { why: string; is_limit: boolean } | undefined {
    const { calls, asked, resting } = this.read();
    const rest = resting[host];
    if (asked.includes(key)) return { why: 'The session was asked already.', is_limit: false };
    if (rest !== undefined && Date.parse(rest.until) > this.#now_ms) {
      return { why: `It is left alone until ${rest.until}.`, is_limit: false };
    }
    if (calls >= limits.written_calls_a_day) return { why: `${calls} sessions were asked today.`, is_limit: true };
    if (input_tokens > limits.written_input_tokens_max) {
      return { why: `The session has some ${input_tokens} tokens.`, is_limit: true };
    }
    return undefined;
  }

  /** Counts a call before it is made: a call that kills its worker is not made again. */
  begin({ key }: WantedCall): void {
    const state = this.read();
    const asked = [...state.asked.filter((each) => each !== key), key].slice(-rememberedMax);
    this.#write({ ...state, calls: state.calls + 1, asked });
  }

  /** Adds the cost of a call. */
  succeed(cost: { input_tokens?: number | undefined; output_tokens?: number | undefined }): void {
    const { problem: _problem, ...state } = this.read();
    const { input_tokens = 0, output_tokens = 0 } = cost;
    this.#write({
      ...state,
      input_tokens: state.input_tokens + input_tokens,
      output_tokens: state.output_tokens + output_tokens,
    });
  }

  /** Stores why a call gave nothing; a useless call is not repeated for `limits.written_rest_ms`. */
  fail(host: HostName, reason: string, isUnavailable: boolean): void {
    const state = this.read();
    const until = new Date(this.#now_ms + limits.written_rest_ms).toISOString();
    const resting = isUnavailable ? { ...state.resting, [host]: { until, reason } } : state.resting;
    const at = new Date(this.#now_ms).toISOString();
    this.#write({ ...state, resting, problem: { host, at, reason } });
  }

  #readFile(): AskingState | undefined {
    try {
      return stateSchema.safeParse(JSON.parse(readFileSync(this.#path, 'utf8'))).data;
    } catch {
      // Absent, or torn by a crash: the counts begin again.
      return undefined;
    }
  }

  #write(state: AskingState): void {
    replaceFile(this.#path, `${JSON.stringify(state, null, 2)}\n`, 0o600);
  }
}
