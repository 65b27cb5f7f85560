import type { Conversation, Message } from '../core/conversation.ts';
import type { ExtractedFile } from './extraction.ts';
import { findFileMentions } from './file-mentions.ts';
import { toProjectPath } from './file-path.ts';
import { toPlainText } from './plain-text.ts';
import type { Sentence } from './sentences.ts';

/** What a conversation shows about one file. */
interface FileFacts {
  path: string;
  mentions: number;
  byUser: boolean;
  /** Said or done to change it. */
  changed: number;
  written: boolean;
  read: boolean;
  /** Mentions as an example, or as one of several ways. */
  examples: number;
  /** The mention that says most. */
  evidence?: { message: number; quote: string; weight: number };
}

const changes =
  /\b(?:creat(?:e|ed|ing)|add(?:ed|ing|s)?|updat(?:e|ed|ing)|chang(?:e|ed|es|ing)|modif(?:y|ied)|renam(?:e|ed|ing)|mov(?:e|ed|ing)|delet(?:e|ed|ing)|remov(?:e|ed|ing)|writ(?:e|ten|ing)|implement(?:ed|ing)?|fix(?:ed|es)?|refactor(?:ed)?|extract(?:ed)?|replac(?:e|ed)|introduc(?:e|ed)|edit(?:ed)?|new file|goes in|in a new)\b/i;

const example = /\be\.g\.|\bfor example\b|\bsuch as\b|\blike `|\brather than\b|\bunrelated\b/i;

/** The files that a conversation reads, changes or names, the most central first. */
export function extractFiles(conversation: Conversation, sentences: readonly Sentence[][]): ExtractedFile[] {
  const facts = new Map<string, FileFacts>();
  for (const message of conversation.messages) {
    if (message.role === 'system') continue;
    for (const call of message.tool_calls) addCall(facts, call.effect, call.path);
    addMentions(facts, message, sentences[message.index] ?? []);
  }
  const merged = mergeSpellings(facts);
  const rank = { high: 0, medium: 1, low: 2 };
  const most = Math.max(0, ...merged.map((file) => file.mentions));
  return merged
    .map((file) => ({ file, relevance: rateRelevance(file, most) }))
    .sort((a, b) => rank[a.relevance] - rank[b.relevance] || b.file.mentions - a.file.mentions)
    .map(({ file, relevance }) => toExtracted(file, relevance));
}

function addCall(facts: Map<string, FileFacts>, effect: string, spelt: string | undefined): void {
  const path = spelt === undefined ? undefined : toProjectPath(spelt);
  if (path === undefined || effect === 'none') return;
  const file = getFacts(facts, path);
  if (effect === 'read') file.read = true;
  else file.written = true;
}

function addMentions(facts: Map<string, FileFacts>, message: Message, sentences: readonly Sentence[]): void {
  const prose = new Set<string>();
  for (const sentence of sentences) {
    for (const { path } of findFileMentions(sentence.text)) {
      prose.add(path);
      addMention(getFacts(facts, path), sentence, message);
    }
  }
  // Code blocks and trees name files too, but say nothing about them.
  for (const { path, spelt } of findFileMentions(message.text)) {
    if (prose.has(path)) continue;
    prose.add(path);
    const file = getFacts(facts, path);
    file.mentions += 1;
    file.evidence ??= { message: message.index, quote: spelt, weight: 0 };
  }
}

function addMention(file: FileFacts, sentence: Sentence, message: Message): void {
  const isChange = changes.test(sentence.text) || changes.test(sentence.heading);
  file.mentions += 1;
  file.byUser ||= message.role === 'user';
  if (example.test(sentence.text)) file.examples += 1;
  else if (isChange) file.changed += 1;
  const weight = (isChange ? 3 : 1) + (message.role === 'user' ? 1 : 0);
  if (sentence.text.length > 600) return;
  if (file.evidence === undefined || weight > file.evidence.weight) {
    file.evidence = { message: message.index, quote: sentence.text, weight };
  }
}

function getFacts(facts: Map<string, FileFacts>, path: string): FileFacts {
  const known = facts.get(path);
  if (known !== undefined) return known;
  const file: FileFacts = { path, mentions: 0, byUser: false, changed: 0, written: false, read: false, examples: 0 };
  facts.set(path, file);
  return file;
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
  target.examples += file.examples;
  target.byUser ||= file.byUser;
  target.written ||= file.written;
  target.read ||= file.read;
  const { evidence } = file;
  if (evidence !== undefined && (target.evidence === undefined || evidence.weight > target.evidence.weight))
    target.evidence = evidence;
}

function rateRelevance(file: FileFacts, most: number): ExtractedFile['relevance'] {
  if (file.written) return 'high';
  // Named only as an example or as one of several ways.
  if (file.examples > 0 && file.examples >= file.mentions - 1) return 'low';
  const isSubject = file.mentions >= Math.max(2, most * 0.3);
  // Documents and tests are changed on the side, unless the work is about them.
  const isBeside = /(?:^|\/)(?:docs?|tests?|__tests__)\/|[._-](?:test|spec)\.|\.(?:md|mdx|lock|sum)$|^go\.mod$/i.test(
    file.path,
  );
  if (file.changed >= 1 && isSubject && (!isBeside || file.byUser || file.changed >= 3)) return 'high';
  if (file.changed >= 1 || file.mentions >= 3 || file.byUser || file.read) return 'medium';
  return 'low';
}

function toExtracted(file: FileFacts, relevance: ExtractedFile['relevance']): ExtractedFile {
  const { evidence } = file;
  if (evidence === undefined)
    return { path: file.path, relevance, context: file.written ? 'Changed in the session.' : 'Read in the session.' };
  const context = evidence.weight === 0 ? 'Named in the conversation.' : toPlainText(evidence.quote);
  return { path: file.path, relevance, context, evidence: { message: evidence.message, quote: evidence.quote } };
}
