import type { Message, ToolCall } from '../core/conversation.ts';
import type { ExtractedFile } from './extraction.ts';
import { type FileMention, findFileMentions } from './file-mentions.ts';
import { toProjectPath } from './file-path.ts';
import { toPlainText } from './plain-text.ts';
import type { Sentence } from './sentences.ts';
import type { TurnInPlace } from './turns.ts';

const changes =
  /\b(?:creat(?:e|ed|ing)|add(?:ed|ing|s)?|updat(?:e|ed|ing)|chang(?:e|ed|es|ing)|modif(?:y|ied)|renam(?:e|ed|ing)|mov(?:e|ed|ing)|delet(?:e|ed|ing)|remov(?:e|ed|ing)|writ(?:e|ten|ing)|wrote|put|implement(?:ed|ing)?|fix(?:ed|es)?|refactor(?:ed)?|extract(?:ed)?|replac(?:e|ed)|introduc(?:e|ed)|edit(?:ed)?|convert|scaffold|mention (?:it|this|that) in|new file|goes in|go in|in a new|umbauen|ändern|schreibe?|ergänze?)\b/i;

/** The assistant reports a change as done. */
const doneVerbs =
  /\b(?:created|added|updated|wrote|written|modified|deleted|removed|implemented|changed|fixed|extracted|moved|renamed|replaced|refactored|rewrote|converted|switched|reverted|saved|generated|scaffolded|introduced|done|a new|now|migration|umgesetzt|geändert|ergänzt|angelegt)\b/i;

/** What follows a path that was worked on: "`a.ts`: the bucket", "`a.ts` now streams". */
const toldOf =
  /^[`*'")\]]*(?:\s*\([^)]{0,60}\))?(?::\s|\s[—–-]\s|\s(?:now|is now|was|got|gets|rotates|covers|exposes|uses|writes|streams|handles|has been|changes?|adds?|schreibt)\b)/i;

/** Lines and headings over what was changed. */
const introducesDone =
  /\b(?:changes?(?: made)?|changed|created|new files?|updated?|implemented|applied|added|modified|fixe[sd]|what i (?:did|implemented|changed)|done|moved|geändert)\b/i;

/** A plan, a possibility or a question: nothing is done yet. */
const planned =
  /\?["')]*$|\b(?:will|would|should|i'd|i'll|let me|plan to|propos\w+|could|might|needs? to|need|going to|before i|shall|to do|want|must|currently|i'm|würde|soll)\b/i;
const plannedHeading =
  /\b(?:plan|steps|propos\w+|needs?|needed|to (?:move|change|update)|required|options?|alternatives?)\b/i;

const writtenWhole = /\b(?:created|wrote|written (?:to|up)|saved|generated|a new|new files?|added to)\b/i;

const example =
  /\be\.g\.|\bfor example\b|\bsuch as\b|\blike `|\brather than\b|\bunrelated\b|\bstays? (?:as|un)|\buntouched\b|\bunchanged\b/i;

/** Collects the files that a dialogue reads, changes or names. */
export class Files {
  readonly #facts = new Map<string, FileFacts>();

  add({ turn }: TurnInPlace): void {
    let from = 0;
    for (const message of turn.messages) {
      for (const call of message.tool_calls) addCall(this.#facts, call.effect, call.path);
      let to = from;
      while (turn.sentences[to]?.message === message.index) to += 1;
      this.#addMentions(message, turn.sentences.slice(from, to));
      from = to;
    }
  }

  /** The most central first. */
  finish(): ExtractedFile[] {
    const merged = mergeSpellings(this.#facts);
    const rank = { high: 0, medium: 1, low: 2 };
    const most = merged.reduce((max, file) => Math.max(max, file.mentions), 0);
    return merged
      .map((file) => ({ file, relevance: rateRelevance(file, most) }))
      .sort((a, b) => rank[a.relevance] - rank[b.relevance] || b.file.mentions - a.file.mentions)
      .map(({ file, relevance }) => toExtracted(file, relevance));
  }

  /** A file counts once for each sentence that names it; code blocks and trees name files too, but say nothing. */
  #addMentions(message: Message, sentences: readonly Sentence[]): void {
    const said = new Map<string, Sentence | undefined>();
    const bare: FileMention[] = [];
    let index = 0;
    for (const mention of findFileMentions(message.text)) {
      while (isBefore(sentences[index], mention.at)) index += 1;
      const sentence = sentences[index];
      if (sentence === undefined || sentence.at > mention.at) bare.push(mention);
      else if (said.get(mention.path) !== sentence) {
        said.set(mention.path, sentence);
        const end = mention.at + mention.spelt.length - sentence.at;
        addMention(factsOf(this.#facts, mention.path), {
          sentence,
          message,
          behind: sentence.text.slice(end, end + 100),
        });
      }
    }
    for (const { path, spelt } of bare) {
      // What only a text that the person pasted names is not of the session.
      if (said.has(path) || (message.role === 'user' && !this.#facts.has(path))) continue;
      said.set(path, undefined);
      const file = factsOf(this.#facts, path);
      file.mentions += 1;
      file.evidence ??= { message: message.index, quote: spelt, weight: 0 };
    }
  }
}

/** A sentence that names a file. */
interface Named {
  sentence: Sentence;
  message: Message;
  /** What follows the path. */
  behind: string;
}

function isBefore(sentence: Sentence | undefined, at: number): boolean {
  return sentence !== undefined && sentence.at + sentence.text.length <= at;
}

function addMention(file: FileFacts, { sentence, message, behind }: Named): void {
  const { text, heading, lead } = sentence;
  const isUser = message.role === 'user';
  const isChange = changes.test(text) || changes.test(heading);
  const isMade = !isUser && isReported(sentence, behind);
  file.mentions += 1;
  file.byUser ||= isUser;
  file.asked ||= isUser && isChange;
  if (example.test(text) || /\bunrelated\b/i.test(heading)) file.examples += 1;
  else {
    if (isChange || isMade) file.changed += 1;
    if (isMade) file.made += 1;
    file.created ||= isMade && (writtenWhole.test(text) || writtenWhole.test(lead || heading));
  }
  const weight = (isMade ? 4 : isChange ? 3 : 1) + (isUser ? 1 : 0);
  if (text.length > 600) return;
  if (file.evidence === undefined || weight >= file.evidence.weight) {
    file.evidence = { message: message.index, quote: text, weight };
  }
}

/** Whether a sentence of the assistant says that the file was changed. @param behind - the text that follows the path. */
function isReported({ text, plain, heading, lead, kind }: Sentence, behind: string): boolean {
  if (planned.test(plain) || plannedHeading.test(heading)) return false;
  if (doneVerbs.test(text) || toldOf.test(behind)) return true;
  return kind === 'item' && introducesDone.test(lead === '' ? heading : lead);
}

/** Documents and tests are changed on the side, unless the work is about them. */
const beside =
  /(?:^|\/)(?:docs?|tests?|__tests__|spec)\/|[._-](?:test|spec)\.|(?:^|\/)test_|\.(?:md|mdx|rst|lock|sum)$|^go\.mod$/i;

const isTest = /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.|(?:^|\/)test_/i;

function rateRelevance(file: FileFacts, most: number): ExtractedFile['relevance'] {
  if (file.written) return 'high';
  // Named only as an example, as one of several ways, or as what stays as it is.
  if (file.examples > 0 && file.examples >= file.mentions - 1 && file.made === 0) return 'low';
  const isBeside = beside.test(file.path);
  const isSubject = file.mentions >= Math.max(2, most * 0.3);
  if (file.made > 0 && (!isBeside || file.asked || (file.created && !isTest.test(file.path)))) return 'high';
  if (file.changed > 0 && isSubject && (!isBeside || file.byUser)) return 'high';
  if (file.changed > 0 || file.mentions >= 3 || file.byUser || file.read) return 'medium';
  return 'low';
}

function toExtracted(file: FileFacts, relevance: ExtractedFile['relevance']): ExtractedFile {
  const { evidence } = file;
  if (evidence === undefined)
    return { path: file.path, relevance, context: file.written ? 'Changed in the session.' : 'Read in the session.' };
  const context = evidence.weight === 0 ? 'Named in the conversation.' : toPlainText(evidence.quote);
  return { path: file.path, relevance, context, evidence: { message: evidence.message, quote: evidence.quote } };
}

/** What a conversation shows about one file. */
interface FileFacts {
  path: string;
  mentions: number;
  byUser: boolean;
  /** Said to be changed: asked for, planned or done. */
  changed: number;
  /** The assistant says that it changed it. */
  made: number;
  /** The assistant says that it wrote it as a whole. */
  created: boolean;
  /** The user asks for a change of it. */
  asked: boolean;
  written: boolean;
  read: boolean;
  /** Mentions as an example, or as one of several ways. */
  examples: number;
  /** The mention that says most. */
  evidence?: { message: number; quote: string; weight: number };
}

/** The facts of a path, begun where there are none. */
function factsOf(facts: Map<string, FileFacts>, path: string): FileFacts {
  const known = facts.get(path);
  if (known !== undefined) return known;
  const file: FileFacts = {
    path,
    mentions: 0,
    byUser: false,
    changed: 0,
    made: 0,
    created: false,
    asked: false,
    written: false,
    read: false,
    examples: 0,
  };
  facts.set(path, file);
  return file;
}

/** Counts what a tool call did to a file. */
function addCall(facts: Map<string, FileFacts>, effect: ToolCall['effect'], spelt: string | undefined): void {
  const path = spelt === undefined ? undefined : toProjectPath(spelt);
  if (path === undefined || effect === 'none') return;
  const file = factsOf(facts, path);
  if (effect === 'read') file.read = true;
  else file.written = true;
}

/** One file under several spellings: a shorter path that ends exactly one longer one is that one. */
function mergeSpellings(facts: ReadonlyMap<string, FileFacts>): FileFacts[] {
  const bySuffix = new Map<string, Set<FileFacts>>();
  for (const file of facts.values()) {
    const segments = file.path.split('/');
    for (let from = 1; from < segments.length; from += 1) {
      const suffix = toKey(segments.slice(from).join('/'));
      const files = bySuffix.get(suffix) ?? new Set();
      bySuffix.set(suffix, files.add(file));
    }
    const whole = toKey(file.path);
    if (whole !== file.path) bySuffix.set(whole, (bySuffix.get(whole) ?? new Set()).add(file));
  }
  const kept: FileFacts[] = [];
  // Longest first, so that a chain of shorter spellings ends in the longest.
  for (const file of [...facts.values()].sort((a, b) => a.path.length - b.path.length)) {
    const longer = [...(bySuffix.get(toKey(file.path)) ?? [])].filter(
      (other) => other !== file && other.path.length > file.path.length,
    );
    // `.github/x` and `packages/a/.github/x` are two: a path that starts with a dot folder is whole.
    const isWhole = file.path.startsWith('.') && file.path.includes('/');
    const target = longer.length === 1 && !isWhole ? longer[0] : undefined;
    if (target !== undefined) absorb(target, file);
    else if (longer.length === 0 || isWhole || file.written || file.read) kept.push(file);
  }
  return kept;
}

/** `README` and `README.md` are one name. */
function toKey(path: string): string {
  return path.replace(/(^|\/)(README|CHANGELOG|CONTRIBUTING|LICENSE)\.(?:md|txt|rst)$/, '$1$2');
}

function absorb(target: FileFacts, file: FileFacts): void {
  target.mentions += file.mentions;
  target.changed += file.changed;
  target.made += file.made;
  target.created ||= file.created;
  target.asked ||= file.asked;
  target.examples += file.examples;
  target.byUser ||= file.byUser;
  target.written ||= file.written;
  target.read ||= file.read;
  const { evidence } = file;
  if (evidence !== undefined && (target.evidence === undefined || evidence.weight > target.evidence.weight))
    target.evidence = evidence;
}
