import type { Conversation, Message, ToolCall } from '../core/conversation.ts';
import type { Evidence } from '../core/evidence.ts';
import { limits } from '../core/limits.ts';
import { maskSecrets } from '../core/masking.ts';
import { failureOf, findContradictingRun, hasFailed, isConclusive, readRuns } from '../extraction/checks.ts';
import { toProjectPath } from '../extraction/file-path.ts';
import { findQuote } from '../extraction/model/check-evidence.ts';
import { withReported } from '../extraction/others-words.ts';
import { findPasted, isPastedAt, type OwnWords } from '../extraction/own-words.ts';
import { shorten } from '../extraction/plain-text.ts';
import type { WrittenAnswer, WrittenItem } from './answer.ts';

/** An item with what the conversation shows about it. */
export interface CheckedItem {
  kind: WrittenItem['kind'];
  text: string;
  /** The same in few words. */
  brief: string;
  /** Absent where the quote was not found. */
  evidence: Evidence | undefined;
  /** Paths of the project that occur in the conversation. */
  paths: string[];
  /**
   * `said`: its quote was found and nothing contradicts it. `pasted`: an order in what the person pasted, which is not
   * the person's own. `told`: only the agent's word supports it.
   */
  standing: 'said' | 'pasted' | 'told' | 'contradicted';
  /** What the tool calls show instead. */
  contradiction: string | undefined;
}

/** The checked part of an answer. */
export interface CheckedAnswer {
  title: string;
  where_it_stands: string;
  goal: { text: string; evidence: Evidence | undefined } | undefined;
  /** In the order of the answer; the less certain ones last. */
  items: CheckedItem[];
  reversed: { was: string; now: string }[];
  /** What the last check shows against the agent's state of the work. */
  contradiction: string | undefined;
}

/** A shorter quote is in some message by chance. */
const quoteCharactersMin = 8;
const commandCharactersMin = 6;
const pathsMax = 12;
const textCharactersMax = 700;
const briefCharactersMax = 140;
const standsCharactersMax = 900;

/**
 * Compares an agent's answer with its conversation. A quote must be in a message, white space aside; an order must be
 * in the person's own words. Files, commands and exit codes are compared with the tool calls. Secrets are masked first,
 * so that a text is compared as Baton shows it. No item is left out for want of support: it is marked. Only an order
 * that a rules file gives, and no person, is left out: the next agent reads it there.
 *
 * @param rules - the texts of those files.
 */
export function checkAnswer(
  answer: WrittenAnswer,
  conversation: Conversation,
  rules: readonly string[] = [],
): CheckedAnswer {
  const check = new Check(conversation);
  const items = answer.items
    .map((item) => ({ item, checked: check.item(item) }))
    .filter(({ item, checked }) => !isOfRules(item, checked, rules))
    .map(({ checked }) => checked);
  const goal = answer.goal && {
    text: clean(answer.goal.text, textCharactersMax),
    evidence: check.find(answer.goal.quote),
  };
  const where_it_stands = clean(answer.where_it_stands, standsCharactersMax);
  return {
    title: clean(answer.title, limits.title_characters_max),
    where_it_stands,
    goal: goal?.text === '' ? undefined : goal,
    items: items.toSorted((left, right) => doubtOf(left) - doubtOf(right)),
    reversed: answer.reversed.map(({ was, now }) => ({
      was: clean(was, textCharactersMax),
      now: clean(now, textCharactersMax),
    })),
    contradiction: check.contradictionOfClaim(where_it_stands),
  };
}

class Check {
  readonly #messages: readonly Message[];
  readonly #calls: readonly ToolCall[];
  readonly #ofOthers: OwnWords;

  constructor(conversation: Conversation) {
    this.#messages = conversation.messages;
    this.#calls = conversation.messages.flatMap(({ tool_calls }) => tool_calls);
    this.#ofOthers = withReported(conversation, findPasted(conversation));
  }

  item({ kind, by, ...given }: WrittenItem): CheckedItem {
    const isOrder = kind === 'instruction';
    // What binds later work is what the person said, not what the agent made of it.
    const own = isOrder ? (this.find(given.text, 'order') ?? this.find(given.quote, 'order')) : undefined;
    const quoted = isOrder ? this.find(given.quote, 'person') : (this.find(given.quote, by) ?? this.find(given.quote));
    const evidence = own ?? quoted;
    const supported = isOrder && own === undefined ? 'pasted' : 'said';
    const run = this.#findRun(given.command);
    const paths = this.#knownPaths(given.paths ?? []);
    const contradiction = contradictionOfRun(given, run) ?? this.#contradictionOfFile(kind, paths);
    const isUnknown = (kind === 'file' && paths.length === 0) || (given.command && run === undefined && isOfRun(kind));
    return {
      kind,
      text: own !== undefined ? oneLine(own.quote) : clean(given.text, textCharactersMax),
      brief: clean(given.brief, briefCharactersMax),
      evidence,
      paths,
      standing: contradiction !== undefined ? 'contradicted' : evidence === undefined || isUnknown ? 'told' : supported,
      contradiction,
    };
  }

  /** Where a quote was said: by the person or the agent as required, or by anybody, a host's summary included. */
  find(quote: string, by?: 'person' | 'agent' | 'order'): Evidence | undefined {
    const words = maskSecrets(quote).text.trim();
    if (words.length < quoteCharactersMin) return undefined;
    for (const { role, text, index } of this.#messages) {
      if (by !== undefined && role !== (by === 'agent' ? 'assistant' : 'user')) continue;
      const found = findQuote(text, words);
      if (found === undefined) continue;
      if (by === 'order' && isPastedAt(this.#ofOthers.get(index), text.indexOf(found))) continue;
      return { message: index, quote: found };
    }
    return undefined;
  }

  /** What the last check shows against a claim that all is well. */
  contradictionOfClaim(text: string): string | undefined {
    const run = findContradictingRun(text, readRuns(this.#calls));
    return run === undefined ? undefined : describeRun(run.call);
  }

  /** The last run of a command, also where one of the two has a `cd` or a pipe around it. */
  #findRun(given: string | null | undefined): ToolCall | undefined {
    const wanted = oneLine(maskSecrets(given ?? '').text);
    if (wanted.length < commandCharactersMin) return undefined;
    return this.#calls.findLast(({ command }) => {
      const ran = oneLine(command ?? '');
      return ran.length >= commandCharactersMin && (ran.includes(wanted) || wanted.includes(ran));
    });
  }

  #knownPaths(given: readonly string[]): string[] {
    const known = given.slice(0, pathsMax).flatMap((spelt) => {
      const path = toProjectPath(maskSecrets(spelt).text);
      return path !== undefined && path.length <= limits.name_characters_max && this.#isNamed(path) ? [path] : [];
    });
    return [...new Set(known)];
  }

  #isNamed(path: string): boolean {
    const isCalled = ({ path: other, command }: ToolCall) =>
      other === path || other?.endsWith(`/${path}`) === true || command?.includes(path) === true;
    return this.#calls.some(isCalled) || this.#messages.some(({ text }) => text.includes(path));
  }

  /** A file that the answer lists as part of the work although its last change deleted it. */
  #contradictionOfFile(kind: WrittenItem['kind'], [path]: readonly string[]): string | undefined {
    if (kind !== 'file' || path === undefined) return undefined;
    const changes = this.#calls.filter(
      ({ path: other, effect, outcome }) =>
        (other === path || other?.endsWith(`/${path}`)) &&
        (effect === 'write' || effect === 'delete') &&
        outcome?.is_error !== true,
    );
    return changes.at(-1)?.effect === 'delete' ? `${path} was deleted` : undefined;
  }
}

function isOfRules({ kind, text, quote }: WrittenItem, { evidence }: CheckedItem, rules: readonly string[]): boolean {
  if (kind !== 'instruction' || evidence !== undefined) return false;
  const said = [text, quote].map((each) => each.trim()).filter(({ length }) => length >= quoteCharactersMin);
  return rules.some((file) => said.some((each) => findQuote(file, each) !== undefined));
}

function doubtOf({ standing }: CheckedItem): number {
  return standing === 'told' ? 2 : Number(standing === 'pasted');
}

/** Kinds whose command has run, and is not still to run. */
function isOfRun(kind: WrittenItem['kind']): boolean {
  return kind === 'done' || kind === 'environment' || kind === 'state';
}

/** What the last run shows against the stated exit code. */
function contradictionOfRun({ exit_code }: Pick<WrittenItem, 'exit_code'>, run: ToolCall | undefined) {
  if (run === undefined || !isConclusive(run) || typeof exit_code !== 'number') return undefined;
  return (exit_code === 0) === hasFailed(run) ? describeRun(run) : undefined;
}

function describeRun(run: ToolCall): string {
  const command = shorten(oneLine(run.command ?? ''), 200);
  if (!hasFailed(run)) return `\`${command}\` succeeded when it ran last`;
  const code = run.outcome?.exit_code === undefined ? '' : ` with exit code ${run.outcome.exit_code}`;
  return `\`${command}\` failed${code} when it ran last: ${failureOf(run)}`;
}

/** One masked line of a bounded length. */
function clean(text: string, charactersMax: number): string {
  return shorten(oneLine(maskSecrets(text.toWellFormed()).text), charactersMax);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
