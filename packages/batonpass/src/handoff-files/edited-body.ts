import type { Content, ContentInput } from '../core/content.ts';
import { ParseError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { TextPlace } from '../formats/markdown/place.ts';
import { neutralizeLine, splitLines } from '../formats/neutralize.ts';
import { renderContent } from '../formats/prompt.ts';
import { layout, listPromptSections, type PromptSectionName, stateLabels } from '../formats/prompt-sections.ts';

/**
 * A handoff that was exported as it is rendered, and then edited: each changed section gives its field. A line that is
 * as it was keeps its item, with id, source and evidence; a new one becomes an item; an item without a line is removed.
 */

/** What changed in the rendered body of a content; empty where nothing did. @throws ParseError at a line that has no field. */
export function changesInBody(body: string, content: Content, place: TextPlace): ContentInput {
  const refuse = (line: Line, problem: string) => refusal(place, line, problem);
  const before = splitBody(renderContent(content, limits.content_bytes_max).text, refuse);
  const after = splitBody(body, refuse);
  const names = [...new Set([...before.sections.keys(), ...after.sections.keys()])];
  const changed = names.flatMap((name): [string, unknown][] => {
    const [old = [], lines = []] = [before.sections.get(name), after.sections.get(name)];
    if (old.map(textOf).join('\n') === lines.map(textOf).join('\n')) return [];
    if (name === 'summary') return [[name, summaryOf(lines, content)]];
    if (name in readers) return [[name, listOf(name as ListName, { old, lines, content, refuse })]];
    throw refuse(
      lines.find(({ text }, index) => text !== old[index]?.text) ?? after.end,
      'has no field that it can change',
    );
  });
  return { ...titleIn(before.frame, after.frame, refuse), ...Object.fromEntries(changed) };
}

interface Line {
  text: string;
  /** In the body; 0 is the first. */
  index: number;
}

type Refuse = (line: Line, problem: string) => ParseError;

interface BodyParts {
  /** What is before the first section, and after the last. */
  frame: Line[];
  sections: Map<PromptSectionName, Line[]>;
  end: Line;
}

const textOf = ({ text }: Line) => text;

function refusal({ source, first_line }: TextPlace, { text, index }: Line, problem: string): ParseError {
  const line = first_line + index;
  const shown = text.slice(0, 100).toWellFormed();
  return new ParseError(`${source}:${line}:1: The line ${problem}, and contradicts the front matter: ${shown}`, {
    source,
    line,
    column: 1,
    details: { problem, text: shown },
    alternatives: [
      'Write it as an item of a section: ## Summary, ## Decisions, ## Next steps, ## Risks …',
      'Remove the field content_json: the other fields and the body are then read as they are.',
    ],
  });
}

function splitBody(body: string, refuse: Refuse): BodyParts {
  const lines = body.split(/\r?\n/).map((text, index) => ({ text: text.trimEnd(), index }));
  const parts = { frame: [] as Line[], sections: new Map<PromptSectionName, Line[]>() };
  let current = parts.frame;
  for (const line of lines.filter(({ text }) => text !== '')) {
    const heading = /^#{1,6} +(.+)$/.exec(line.text)?.[1];
    const name = heading === undefined ? undefined : sectionOfHeading(heading);
    if (heading !== undefined && name === undefined) throw refuse(line, 'is the heading of no section');
    if (name !== undefined) {
      current = parts.sections.get(name) ?? [];
      parts.sections.set(name, current);
      continue;
    }
    if (line.text === '</handoff>') current = parts.frame;
    current.push(line);
  }
  const end = parts.frame.findLast(({ text }) => text === '</handoff>');
  if (end === undefined) throw refuse(lines.at(-1) as Line, 'is the last, without </handoff> below it');
  return { ...parts, end };
}

/** The section of a heading, in any case and without its remark in parentheses. */
function sectionOfHeading(heading: string): PromptSectionName | undefined {
  const plain = (text: string) => text.replace(/ \(.*/, '').toLowerCase();
  const names = Object.keys(layout) as PromptSectionName[];
  return names.find((name) => [name, plain(layout[name].heading)].includes(plain(heading)));
}

/** Sender and origin are in the front matter: of the frame only the title can be changed. */
function titleIn(before: readonly Line[], after: readonly Line[], refuse: Refuse): ContentInput {
  const known = new Set(before.map(textOf));
  const isTitle = ({ text }: Line) => text.startsWith('Title: ');
  const titles = after.filter(isTitle);
  const stray = after.find((line) => !known.has(line.text) && !isTitle(line)) ?? titles[1];
  if (stray !== undefined) throw refuse(stray, 'is in no section');
  const [title] = titles;
  return title !== undefined && known.has(title.text) ? {} : { title: title?.text.slice('Title: '.length) };
}

function summaryOf(lines: readonly Line[], { summary }: Content): string | undefined {
  const exact = new Map(splitLines(summary).map((line) => [neutralizeLine(line), line]));
  const texts = lines.map(({ text }) => text.replace(/^> ?/, '')).map((text) => exact.get(text) ?? text);
  return texts.length === 0 ? undefined : texts.join('\n');
}

interface Lists {
  old: readonly Line[];
  lines: readonly Line[];
  content: Content;
  refuse: Refuse;
}

/** The items of an edited list. Where as many lines are new as are gone, each new one rewords the item in its order. */
function listOf(name: ListName, { old, lines, content, refuse }: Lists): Item[] {
  const wasShown = new Set(old.map(textOf));
  const known = (content[name] ?? []).map((item, index) => ({
    item: item as Item,
    text: renderedLine(name, index, content),
  }));
  const gone = known.filter(({ text }) => wasShown.has(text));
  const hidden = known.filter(({ text }) => !wasShown.has(text));
  const kept = lines.map(({ text }) => {
    const place = gone.findIndex((other) => other.text === text);
    return place === -1 ? undefined : gone.splice(place, 1)[0]?.item;
  });
  const reworded = gone.length === kept.filter((item) => item === undefined).length ? gone : [];
  const items = lines.map((line, index) => {
    const item = kept[index] ?? itemOf(name, line, reworded.shift());
    if (item === null) throw refuse(line, `is no item that a person can write in the list ${name}`);
    return item;
  });
  return [...items, ...hidden.map(({ item }) => item)];
}

/** The line of one item of a list, without the others, which a list may sort. */
function renderedLine(name: ListName, index: number, content: Content): string {
  const items = content[name] ?? [];
  // Of the requests of a state, the label depends on later ones.
  const alone = name === 'where_it_stands' ? items.slice(index) : [items[index]];
  const bare = { ...content, where_it_stands: [], instructions: [], decisions: [], words: [], extra: undefined };
  const sections = listPromptSections({ ...bare, payload: undefined, [name]: alone }, limits.content_bytes_max);
  const [item] = sections.find((section) => section.name === name)?.items ?? [];
  return item === undefined ? '' : `${item.mark}${item.text}${item.suffix}`.trimEnd();
}

/** Where an item was said: a suffix of its line. */
const sourceMark = / \[(?:implied|pinned|edited|earlier session|\d+)(?:, (?:earlier session|\d+))?\]$/;

function itemOf(name: ListName, { text }: Line, old: Reworded | undefined): Item | null {
  const [, words] = /^[-*] +(.+)$/.exec(text.replace(sourceMark, '')) ?? [];
  return words === undefined ? null : readers[name](words, old);
}

type Item = Readonly<Record<string, unknown>> | string;

/** An item that a changed line replaces, with the line that it had. */
interface Reworded {
  item: Item;
  text: string;
}

function idOf(old: Reworded | undefined): { id?: unknown } {
  return typeof old?.item === 'object' && old.item.id !== undefined ? { id: old.item.id } : {};
}

function readStatement(content: string, old?: Reworded): Item {
  return { ...idOf(old), ...(old !== undefined && { source: 'user-edited' }), content };
}

function readFact(text: string, old?: Reworded): Item {
  const labels: [unknown, string][] = [...Object.entries(stateLabels), ['asked', 'Asked before: ']];
  const [kind, label] = labels.find(([, each]) => each !== '' && text.startsWith(each)) ?? [unlabelled(old), ''];
  return { ...idOf(old), kind, content: text.slice(label.length) };
}

/** The kind of a fact whose line has no label: as it was, if it had none either. */
function unlabelled(old: Reworded | undefined): unknown {
  const kind = typeof old?.item === 'object' ? old.item.kind : undefined;
  return stateLabels[kind as keyof typeof stateLabels] === '' ? kind : 'summary';
}

function readTried(text: string): Item | null {
  const [what = '', ...outcome] = text.split(' → ');
  return outcome.length === 0 ? null : { what, outcome: outcome.join(' → ') };
}

function readRisk(text: string, old?: Reworded): Item {
  const [, severity, description = text] = /^\[(high|medium|low)\] (.+)$/.exec(text) ?? [];
  return { ...idOf(old), ...(severity !== undefined && { severity }), description };
}

const fileLine = /^(.+?) \((high|medium|low)((?:, [^()]*)?)\)(?:: (.+))?$/;

/** What git says of a file stays as it is: null where that was changed, or moved to another path. */
function readFile(text: string, old?: Reworded): Item | null {
  const [, path = text, relevance, facts = '', context] = fileLine.exec(text) ?? [];
  const [, oldPath, , oldFacts] = fileLine.exec(old?.text.replace(sourceMark, '').slice(2) ?? '') ?? [];
  const isSame = path === oldPath;
  if (facts !== (isSame ? oldFacts : '')) return null;
  return { ...(isSame && (old?.item as object)), path, ...(relevance && { relevance }), context: context ?? '' };
}

/** Reads an item from the words of its line, given what they replace; null for what only tools write. */
const readers = {
  where_it_stands: readFact,
  instructions: readStatement,
  next_steps: (text) => text,
  decisions: readStatement,
  tried: readTried,
  open_questions: (text) => text,
  risks: readRisk,
  results: () => null,
  environment: readStatement,
  files: readFile,
  references: () => null,
} satisfies Partial<Record<PromptSectionName, (text: string, old?: Reworded) => Item | null>>;

type ListName = keyof typeof readers;
