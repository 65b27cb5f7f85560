import type { ToolCall } from '../core/conversation.ts';
import { toProjectPath } from './file-path.ts';

/** What a conversation shows about one file. */
export interface FileFacts {
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
export function factsOf(facts: Map<string, FileFacts>, path: string): FileFacts {
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
export function addCall(facts: Map<string, FileFacts>, effect: ToolCall['effect'], spelt: string | undefined): void {
  const path = spelt === undefined ? undefined : toProjectPath(spelt);
  if (path === undefined || effect === 'none') return;
  const file = factsOf(facts, path);
  if (effect === 'read') file.read = true;
  else file.written = true;
}

/** One file under several spellings: a shorter path that ends exactly one longer one is that one. */
export function mergeSpellings(facts: ReadonlyMap<string, FileFacts>): FileFacts[] {
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
