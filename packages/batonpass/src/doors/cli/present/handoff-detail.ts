import type { Content } from '../../../core/content.ts';
import type { Evidence } from '../../../core/evidence.ts';
import type { Handoff } from '../../../core/handoff.ts';
import { isImplied } from '../../../core/implied.ts';
import { computeOutcome } from '../../../core/outcome.ts';
import { showHiddenIn } from '../../../core/shown-values.ts';
import { presentHead } from './handoff-head.ts';
import { counted } from './plural.ts';
import { indented, oneLine, type View, wrapped } from './view.ts';

/** Evidence is a reminder next to its item; `--json` has all of it. */
const QUOTE_LINES_WIDTH_MAX = 200;

/** At most so many lines of a writer's own JSON are shown; `--json` has the rest. */
const JSON_LINES_MAX = 30;

/** A handoff for a person: all that a receiver can get, with the quote behind each item, and its state. */
export function presentHandoff(handoff: Handoff, view: View, shown: Shown = {}): string {
  return [presentHead(handoff, view), presentContent(handoff.content, view, shown)].join('\n\n');
}

/** How much of a content is shown. */
interface Shown {
  /** Each of the conversation's sentences, as a reviewer needs it; default: how many there are. */
  words?: boolean;
}

/** A content for a person, whole except for the conversation's own sentences, which are counted. */
export function presentContent(content: Content, view: View, shown: Shown = {}): string {
  const blocks = [
    wrapped(content.summary, view.width, ''),
    ...listsOf(content, view),
    section('Earlier words', view, shown.words === true ? wordLines(content, view) : countWords(content)),
    section(
      `Results: ${computeOutcome(content.results)}`,
      view,
      content.results.map((result) => resultLines(result, view)),
    ),
    section(
      'References',
      view,
      content.references.map((reference) => referenceLines(reference, view)),
    ),
    section('Kept elsewhere', view, snapshotLines(content.context_snapshot, view)),
    section('Body', view, content.body === undefined ? [] : [indented(content.body, view.width, '  ')]),
    jsonSection('Payload', content.payload, view),
    section('Payload', view, content.payload_ref === undefined ? [] : [pointerLine(content.payload_ref)]),
    jsonSection('Further fields', content.extra, view),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

function pointerLine({ bytes, sha256 }: NonNullable<Content['payload_ref']>): string {
  return `  ${bytes} bytes of JSON, kept apart; see them: baton show ID --payload\n  SHA-256 ${sha256}`;
}

function listsOf(content: Content, view: View): string[] {
  const { decisions, next_steps, files, risks, tried, open_questions } = content;
  const { where_it_stands = [], instructions = [], environment = [] } = content;
  const lists: [string, string[]][] = [
    ['Where it stands', where_it_stands.map(({ id, kind, content }) => entry(id, `${kind}: ${content}`, view))],
    [
      'Standing instructions',
      instructions.map(({ id, content, evidence }) => withEvidence(entry(id, content, view), evidence, view)),
    ],
    ['Decisions', decisions.map((decision) => decisionLines(decision, view))],
    ['Next steps', next_steps.map((step, index) => entry(`n${index + 1}`, step, view))],
    ['Files', files.map((file) => fileLines(file, view))],
    ['Risks', risks.map((risk) => riskLines(risk, view))],
    ['Tried', tried.map(({ what, outcome }, index) => entry(`t${index + 1}`, `${what} → ${outcome}`, view))],
    ['Open questions', open_questions.map((question, index) => entry(`q${index + 1}`, question, view))],
    ['Environment', environment.map(({ id, content }) => entry(id, content, view))],
  ];
  return lists.map(([title, items]) => section(title, view, items));
}

function wordLines({ words = [] }: Content, view: View): string[] {
  return words.map(({ id, message, by, content }) => entry(id, `${message} ${by}: ${content}`, view));
}

function countWords({ words = [] }: Content): string[] {
  if (words.length === 0) return [];
  const messages = new Set(words.map(({ message }) => message)).size;
  return [
    `  ${counted(words.length, 'sentence')} of ${counted(messages, 'message')}; what a receiver gets: baton render ID`,
  ];
}

function section(title: string, view: View, items: readonly string[]): string {
  if (items.length === 0) return '';
  return [view.style('bold', title), ...items].join('\n');
}

function entry(mark: string, text: string, view: View): string {
  const shown = oneLine(mark, 20).padEnd(3);
  return `  ${view.style('gray', shown)} ${wrapped(text, view.width - shown.length + 3, '      ')}`;
}

function decisionLines(decision: Content['decisions'][number], view: View) {
  const { id, content, source, evidence, support = [], supersedes = [] } = decision;
  const label =
    source === 'ai-extracted' ? (isImplied(decision) ? ' (implied)' : '') : ` (${source.replace('user-', '')})`;
  const replaced = supersedes.map((choice) => detail('instead of', choice, view));
  const said = withEvidence([entry(id, `${content}${label}`, view), ...replaced].join('\n'), evidence, view);
  // "Yup" means nothing without the sentence that it answers.
  return support.reduce((lines, place) => withEvidence(lines, place, view), said);
}

function fileLines({ id, path, relevance, context, evidence, git }: Content['files'][number], view: View) {
  const lines = git?.lines === undefined ? '' : `, lines ${git.lines}`;
  const about = `${path} (${relevance}${lines}${git?.dirty === true ? ', not committed then' : ''})`;
  // A file's context repeats its evidence in other words, so the quote is left out.
  return context === ''
    ? withEvidence(entry(id, about, view), evidence, view)
    : entry(id, `${about} — ${context}`, view);
}

function riskLines({ id, description, severity, evidence }: Content['risks'][number], view: View) {
  return withEvidence(entry(id, `[${severity}] ${description}`, view), evidence, view);
}

function resultLines({ status, description, notes, artifacts = [] }: Content['results'][number], view: View): string {
  return [
    entry(status, description, view),
    ...(notes === undefined ? [] : [detail('notes', notes, view)]),
    ...(artifacts.length === 0 ? [] : [detail('artifacts', artifacts.join(', '), view)]),
  ].join('\n');
}

function referenceLines(reference: Content['references'][number], view: View): string {
  const { type, identifier, title, path, url } = reference;
  return [
    entry(type, `${identifier} ${title ?? ''}`, view),
    ...(path === undefined ? [] : [detail('path', path, view)]),
    ...(url === undefined ? [] : [detail('url', url, view)]),
  ].join('\n');
}

function snapshotLines(snapshot: Content['context_snapshot'], view: View): string[] {
  if (snapshot === undefined) return [];
  const { decision_ids, warning_ids, finding_ids, summaries } = snapshot;
  const named: [string, string[]][] = [
    ['decisions', decision_ids],
    ['warnings', warning_ids],
    ['findings', finding_ids],
  ];
  return [
    ...named.filter(([, ids]) => ids.length > 0).map(([title, ids]) => entry(title, ids.join(', '), view)),
    ...summaries.map((summary) => entry('·', summary, view)),
  ];
}

function jsonSection(title: string, value: unknown, view: View): string {
  if (value === undefined) return '';
  const lines = indented(JSON.stringify(showHiddenIn(value), null, 2), view.width, '  ').split('\n');
  const left = lines.length - JSON_LINES_MAX;
  const rest = left > 0 ? [view.style('gray', `  … ${counted(left, 'more line')}: --json`)] : [];
  return section(title, view, [...lines.slice(0, JSON_LINES_MAX), ...rest]);
}

function detail(name: string, text: string, view: View): string {
  return `      ${view.style('gray', `${name}:`)} ${wrapped(text, view.width - name.length - 2, '      ')}`;
}

function withEvidence(lines: string, evidence: Evidence | undefined, view: View): string {
  if (evidence === undefined) return lines;
  const quote = oneLine(evidence.quote, Math.min(QUOTE_LINES_WIDTH_MAX, view.width - 22));
  return `${lines}\n${view.style('gray', `      “${quote}” message ${evidence.message}`)}`;
}
