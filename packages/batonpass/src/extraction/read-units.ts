import type { Conversation, Message } from '../core/conversation.ts';
import { MarkdownFence } from '../formats/markdown-fence.ts';
import { isLogLine } from './log-lines.ts';
import { type Speaker, toUnit, type Unit } from './order-words.ts';
import { describePasted, type OwnWords } from './own-words.ts';
import { isAbbreviated } from './plain-text.ts';
import { withQuestion } from './sentences.ts';
import { pendingRequestsMax } from './where-it-stands.ts';

/** Newest text that is read; what a handoff can hold is a twentieth of it. */
const charactersRead = 1_000_000;
/** A longer line is read in pieces. */
const unitCharactersMax = 600;
const unitCharactersMin = 4;
/** Pieces of a longer line that are read. */
const piecesMax = 8;
/** Lines at the beginning of a pasted text that are read, and at its end. */
const pastedLinesMax = 20;
/** Messages of the last turns are shown complete if they are not longer. */
const wholeTurns = 2;
const wholeCharactersMax = 1_200;
/** The last answer is what the next request speaks of: it may be a plan, or a report. */
const lastCharactersMax = 4_000;

/**
 * How much a sentence matters by who says it and where, before its words are looked at. Fitted on labelled sessions:
 * the share of sentences that hold a fact which the next agent needs, relative to an ordinary sentence of the agent.
 */
const weights = {
  person: 2.2,
  /** The person's question: what was asked is answered, or asked again. */
  asking: 0.5,
  agent: 1,
  /** What the agent says last of all. */
  last: 2.8,
  /** One sentence before a tool call announces the call. */
  announcing: 0.3,
  /** A host's summary of what it compacted. */
  host: 1.6,
  /** A note that replaces pasted text. */
  pasted: 0.15,
  /** A line of output or code that the person pasted: shown where there is room for all that was said. */
  pastedLine: 0.05,
  /** A sentence that the person pasted, as of a brief. */
  pastedProse: 0.15,
  /** Pasted with the last request: it can be the text of the command that the person gave. */
  pastedLast: 0.2,
  heading: 0.1,
  /** A short block in a fence, as a command. */
  fenced: 0.9,
  /** A long one: code, which is in its file too. */
  code: 0.1,
  /** A change that the agent shows: it is in its file. */
  change: 0,
  /** Introduces something; says nothing itself. */
  lead: 0.5,
  short: 0.35,
  /** Holds a name in code marks, or bold words. */
  marked: 1.25,
} as const;
/** What the agent or the host said in the first turn keeps so much of its weight: what came later overrides it. */
const oldest = 0.1;
const shortCharacters = 40;
/** "Awesome.", "Any other ideas?": a shorter sentence of a person hardly says anything. */
const remarkCharacters = 20;
const announcementCharactersMax = 250;
/** An answer to "Thanks!" is shorter: the answer before it says where the work stands. */
const courtesyCharactersMax = 120;

/** The sentences and lines of a conversation, counted from the newest text, each with its weight and its turn. */
export function readUnits({ messages }: Conversation, pasted: OwnWords): Unit[] {
  const spoken = messages.filter(({ text }) => text !== '');
  let left = charactersRead;
  const from = spoken.findLastIndex(({ text }) => {
    left -= text.length;
    return left < 0;
  });
  const read = spoken.slice(from + 1);
  const last = findLastAnswers(read);
  const turns = read.filter(({ role }) => role === 'user').length;
  let turn = 0;
  return read.flatMap((message, at) => {
    if (message.role === 'user') turn += 1;
    const weight = weightOf(message, last) * (message.role !== 'user' ? ageOf(turn / Math.max(1, turns)) : 1);
    const isOld = message.role === 'system' && turns - turn > pendingRequestsMax;
    const summary = message.role === 'system' ? message.text.replace(analysisOfHost, '') : message.text;
    const text = isOld ? summary.replace(plansOfHost, '') : summary;
    const reply = withQuestion(message, read[at - 1]);
    if (reply !== undefined) {
      return [toUnit(reply, { index: message.index, by: 'person', turn, weight, isSameLine: false })];
    }
    const units = readLines({ ...message, text }, { weight, turn, isLast: turn === turns, pasted });
    const whole_max = last.has(message.index) ? lastCharactersMax : wholeCharactersMax;
    const isKept = message.role !== 'system' && turns - turn < wholeTurns && text.length <= whole_max;
    return isKept ? units.map((unit) => ({ ...unit, isKeptWhole: true as const })) : units;
  });
}

/** What Claude Code writes before its summary: the way to it, most of which the summary says again. */
const analysisOfHost = /^Analysis:\n[\s\S]*?^(?=Summary:\n)/m;

/** What a host's summary says of the work at that moment; after more requests of the person it is old. */
const plansOfHost =
  /^\W*(?:\d+\. )?(?:Pending Tasks|Current Work|Optional Next Step)\W*\n(?:(?!\W*\d+\. [A-Z]).*(?:\n|$))*/gm;

/** The agent's last words: the newest answers, until they say more than "You're welcome." does. */
function findLastAnswers(read: readonly Message[]): ReadonlySet<number> {
  const answers = read.filter(({ role }, at) => role === 'assistant' && read[at + 1]?.role !== 'assistant');
  let left = courtesyCharactersMax;
  const first = answers.findLastIndex(({ text }) => {
    left -= text.length;
    return left < 0;
  });
  return new Set(answers.slice(Math.max(0, first)).map(({ index }) => index));
}

/** @param last - the messages with the agent's last words. */
function weightOf(message: Message, last: ReadonlySet<number>): number {
  const { role, index } = message;
  if (role === 'user') return weights.person;
  if (role === 'system') return weights.host;
  if (last.has(index)) return weights.last;
  return isAnnouncement(message) ? weights.announcing : weights.agent;
}

/** One short line in front of the tool calls that it announces. */
function isAnnouncement({ text, tool_calls }: Message): boolean {
  return tool_calls.length > 0 && text.length < announcementCharactersMax && !text.includes('\n');
}

/** @param place - the age as a share: 0 for what was said before the first request, 1 in the last turn. */
function ageOf(place: number): number {
  return oldest + (1 - oldest) * place;
}

function byOf({ role }: Message): Speaker {
  return role === 'user' ? 'person' : role === 'system' ? 'host' : 'agent';
}

/** The number of a list's item ends no sentence. */
const sentenceEnd = /(?<=(?<!(?:^|[\s；，、])\d{1,3})[.!?…]["')*`]{0,4})\s+(?=\S)|(?<=[。！？；])/g;
const ruler = /^[\s|:\-=_*]+$/;
const heading = /^#{1,6} |^\*\*[^*]+\*\*:?$/;

/** Introduces what stands below it. */
const leads = /[:：]\**$/;

/** An item of a list; what it says can depend on the line that introduces the list. */
const listItem = /^\s*(?:[-*•+]|\d{1,2}[.)])\s/;
const introductionCharactersMax = 120;

function readLines(
  message: Message,
  { weight, turn, isLast, pasted }: { weight: number; turn: number; isLast: boolean; pasted: OwnWords },
): Unit[] {
  const { text, index } = message;
  const by = byOf(message);
  const ranges = pasted.get(index);
  const units: Unit[] = [];
  const fence = new MarkdownFence();
  let code = 1;
  let block: number | undefined;
  let introduction: Unit | undefined;
  let toldOf = -1;
  for (let from = 0; from <= text.length; ) {
    const stop = text.indexOf('\n', from);
    const to = stop === -1 ? text.length : stop;
    const line = text.slice(from, to);
    const range = ranges?.findIndex((each) => from >= each.from && from < each.to) ?? -1;
    const wasFenced = fence.isOpen;
    if (range === -1) fence.read(line);
    const isFence = wasFenced !== fence.isOpen;
    if (isFence) block = wasFenced || countLines(text, from) > wholeLinesMax ? undefined : from;
    if (isFence && !wasFenced) {
      code = weightOfBlock(message, from);
      // "Run this:" says nothing without the command.
      const lead = units.at(-1);
      if (block !== undefined && lead !== undefined && leads.test(lead.text)) lead.block = block;
    }
    if (range !== -1) {
      const told = ranges?.[range];
      if (told !== undefined && range !== toldOf) {
        units.push(
          toUnit(describePasted(told), { index, by, turn, weight: weight * weights.pasted, isSameLine: false }),
        );
        if (!told.isRejected)
          units.push(...readPasted(text.slice(told.from, told.to), { index, turn, weight, isLast }));
      }
      toldOf = range;
    } else if (!isFence && !ruler.test(line) && !(wasFenced && code === weights.change)) {
      const isWhole = wasFenced || line.length < 2 * shortCharacters || (by === 'person' && answersQuestion.test(line));
      const parts = (isWhole ? [line] : splitLine(line)).flatMap(splitLong);
      for (const [place, part] of parts.entries()) {
        const said = part.trim();
        if (said.length < (block === undefined ? unitCharactersMin : 1) || (by === 'host' && hostsFrame.test(said)))
          continue;
        const factor = shapeOf(said, { by, code: wasFenced ? code : 1 });
        // Code is worth no more where it ends the last answer.
        const worth = wasFenced && code === weights.code ? Math.min(weight, weights.agent) : weight;
        const unit = toUnit(cut(said), {
          index,
          by,
          turn,
          weight: worth * factor,
          isSameLine: place > 0,
          ...(block !== undefined && { block }),
        });
        if (by !== 'person' && !wasFenced) {
          const isIntro = said.length <= introductionCharactersMax && (heading.test(said) || leads.test(said));
          if (isIntro) introduction = unit;
          else if (!listItem.test(line) && place === 0) introduction = undefined;
          else if (introduction !== undefined) unit.under = introduction;
        }
        units.push(unit);
      }
    }
    from = to + 1;
  }
  return units;
}

/** The lines of a pasted text, of a long one the first and the last. */
function readPasted(
  text: string,
  { weight, isLast, ...place }: { index: number; turn: number; weight: number; isLast: boolean },
): Unit[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= unitCharactersMin && !ruler.test(line));
  const shown = lines.filter((_, at) => at < pastedLinesMax || at >= lines.length - pastedLinesMax);
  return shown.map((line) => {
    const form = isLast ? 'pastedLast' : isProse(line) ? 'pastedProse' : 'pastedLine';
    return toUnit(cut(line), { ...place, by: 'pasted', weight: weight * weights[form], isSameLine: false });
  });
}

/** Four words or more that begin as a sentence or an item of a list does. */
function isProse(line: string): boolean {
  return /^(?:[-*•]|\d+[.)])?\s*[\p{L}*_`"'([]/u.test(line) && line.split(/\s+/, 4).length === 4 && !isLogLine(line);
}

function splitLine(line: string): string[] {
  const ends = [...line.matchAll(sentenceEnd)].filter(({ index }) => !isAbbreviated(line, index - 1));
  const parts: string[] = [];
  let from = 0;
  for (const { index } of ends) {
    // "No." says nothing without what follows.
    if (index - from < unitCharactersMin) continue;
    parts.push(line.slice(from, index));
    from = index;
  }
  return [...parts, line.slice(from)];
}

/** How a block that shows a change of a file begins. */
const opensChange = /^\s*[`~]{3,}(?:\s*(?:diff|patch)\b|[^\n]{0,40}\n<{5,9} ?SEARCH\b)/;
const openingCharactersRead = 80;

/** A longer block in a fence is code. */
const fencedLinesMax = 10;
/** A block up to this length is shown complete or not at all. */
const wholeLinesMax = 5;

/** How much the lines of the fenced block that begins at a position count. */
function weightOfBlock({ role, text }: Message, at: number): number {
  if (role === 'assistant' && opensChange.test(text.slice(at, at + openingCharactersRead))) return weights.change;
  return countLines(text, at) > fencedLinesMax ? weights.code : weights.fenced;
}

/** The lines in the fenced block that begins at a position; counting stops after `fencedLinesMax` lines and one. */
function countLines(text: string, at: number): number {
  const fence = new MarkdownFence();
  let from = at;
  for (let lines = 0; lines <= fencedLinesMax; lines += 1) {
    const stop = text.indexOf('\n', from);
    fence.read(text.slice(from, stop === -1 ? text.length : stop));
    if (stop === -1 || !fence.isOpen) return lines - 1;
    from = stop + 1;
  }
  return fencedLinesMax + 1;
}

/** "**Which store?** SQLite": an answer says nothing without its question. */
const answersQuestion = /^\*\*[^*]+\*\* \S/;

/** What a host writes around its summary: it speaks to the session that was compacted, not to the next one. */
const hostsFrame =
  /^(?:Implement the following plan:|PLEASE IMPLEMENT THIS PLAN:|This session is being continued from|The (?:summary|conversation) (?:below|is summarized)|Please continue the conversation|Continue (?:the conversation|with the last task)|If you need specific details from before)/;

/** A long part of a line in pieces, each up to a space where it has one. What is behind the last piece is data. */
function splitLong(part: string): string[] {
  if (part.length <= unitCharactersMax) return [part];
  const pieces: string[] = [];
  for (let from = 0; from < part.length && pieces.length < piecesMax; ) {
    const head = part.slice(from, from + unitCharactersMax);
    const space = from + head.length < part.length ? head.lastIndexOf(' ') : -1;
    const to = from + (space > unitCharactersMax / 2 ? space + 1 : head.length);
    pieces.push(part.slice(from, to).toWellFormed());
    from = to;
  }
  return pieces;
}

function cut(text: string): string {
  return text.length <= unitCharactersMax ? text : `${text.slice(0, unitCharactersMax).toWellFormed()}…`;
}

const dense = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

function shapeOf(text: string, { by, code }: { by: Speaker; code: number }): number {
  let factor = 1;
  if (heading.test(text)) factor *= weights.heading;
  factor *= code;
  if (leads.test(text)) factor *= weights.lead;
  if (by === 'person' && !dense.test(text) && text.length < remarkCharacters) factor *= weights.short;
  if (by === 'person') return /[?？]["')*`\s]*$/.test(text) ? factor * weights.asking : factor;
  if (text.length < shortCharacters) factor *= weights.short;
  if (code === 1 && /`|\*\*/.test(text)) factor *= weights.marked;
  return factor;
}
