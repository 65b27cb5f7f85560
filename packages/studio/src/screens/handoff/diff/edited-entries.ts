import type { Content } from '../../../../../batonpass/src/core/content.ts';
import type { HandoffEvent } from '../../../../../batonpass/src/core/delivery.ts';
import {
  type MarkedList,
  markOfField,
  markOfSubject,
  markOfWords,
} from '../../../../../batonpass/src/core/edit-marks.ts';

/** One edit of a draft, as far as the history keeps it: marks of what it changed, and no words. */
export interface KeptEdit {
  seq: number;
  at: string;
  by: string;
  revision: number;
  /** What it put in, and still stands there. */
  added: string[];
  /** Marks that it put in or took out of which nothing stands there any more. */
  others: number;
  /** Whether the history keeps nothing of it: an extraction's, or one of order and weight alone. */
  isUnmarked: boolean;
}

const titles: Readonly<Record<MarkedList, string>> = {
  decisions: 'Decision',
  files: 'File',
  risks: 'Risk',
  tried: 'Tried',
  next_steps: 'Next step',
  open_questions: 'Open question',
};

/** What the edits of a draft changed, as far as that can be told from its marks and the present words. */
export function readEdits(events: readonly HandoffEvent[], content: Content): KeptEdit[] {
  const words = markedWords(content);
  return events.flatMap((event): KeptEdit[] => {
    if (event.name !== 'handoff-edited') return [];
    const { seq, at, actor, details } = event;
    const marks = marksOf(details?.marks);
    const added = [...new Set(marks?.added.flatMap((mark) => words.get(mark) ?? []))];
    return [
      {
        seq,
        at,
        by: actor.name,
        revision: Number(details?.content_revision ?? 0),
        added,
        others: marks === undefined ? 0 : marks.removed.length + marks.added.filter((mark) => !words.has(mark)).length,
        isUnmarked: marks === undefined,
      },
    ];
  });
}

function marksOf(value: unknown): { added: string[]; removed: string[] } | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const { added, removed } = value as { added?: unknown; removed?: unknown };
  return Array.isArray(added) && Array.isArray(removed)
    ? { added: added.map(String), removed: removed.map(String) }
    : undefined;
}

/** The present words by their marks. */
function markedWords(content: Content): Map<string, string> {
  const lists = (Object.keys(titles) as MarkedList[]).flatMap((list) =>
    content[list].flatMap((item): [string, string][] => {
      const words = `${titles[list]}: ${textOf(item)}`;
      return [
        [markOfWords(list, item), words],
        [markOfSubject(list, item), words],
      ];
    }),
  );
  return new Map([
    [markOfField('title', content.title), `Title: ${content.title}`],
    [markOfField('summary', content.summary), `Summary: ${content.summary}`],
    ...lists,
  ]);
}

function textOf(item: string | Readonly<Record<string, unknown>>): string {
  if (typeof item === 'string') return item;
  const { path, content, description, what } = item;
  return String(content ?? description ?? what ?? path ?? '');
}
