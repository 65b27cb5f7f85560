import type { Evidence } from '../../../core/evidence.ts';
import type { Handoff } from '../../../core/handoff.ts';
import { computeOutcome } from '../../../core/outcome.ts';
import { formatAge } from '../duration.ts';
import { styledState } from './handoff-line.ts';
import { oneLine, type View, visible, wrapped } from './view.ts';

/** Evidence is a reminder beside its item; more of it is one `--json` away. */
const QUOTE_LINES_WIDTH_MAX = 200;

/** A handoff for a person: what it says, with the quote that each item rests on, and where it stands. */
export function presentHandoff(handoff: Handoff, view: View): string {
  const { content } = handoff;
  const blocks = [
    headOf(handoff, view),
    wrapped(content.summary, view.width, ''),
    section(
      'Decisions',
      view,
      content.decisions.map((decision) => decisionLines(decision, view)),
    ),
    section(
      'Next steps',
      view,
      content.next_steps.map((step, index) => entry(`n${index + 1}`, step, view)),
    ),
    section(
      'Files',
      view,
      content.files.map((file) => fileLines(file, view)),
    ),
    section(
      'Risks',
      view,
      content.risks.map((risk) => riskLines(risk, view)),
    ),
    section(
      'Tried',
      view,
      content.tried.map((tried, index) => triedLines(tried, `t${index + 1}`, view)),
    ),
    section(
      'Open questions',
      view,
      content.open_questions.map((question, index) => entry(`q${index + 1}`, question, view)),
    ),
    section(
      `Results: ${computeOutcome(content.results)}`,
      view,
      content.results.map((result) => entry(result.status, result.description, view)),
    ),
    section(
      'References',
      view,
      content.references.map(({ type, identifier, title }) => entry(type, `${identifier} ${title ?? ''}`, view)),
    ),
    ...(content.body === undefined ? [] : [visible(content.body).trimEnd()]),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

function headOf(handoff: Handoff, view: View): string {
  const { content, delivery, id } = handoff;
  const { lease, approval, acknowledged_by, waiting_on, failure } = delivery;
  const facts = [
    content.kind,
    `from ${content.source_agent}`,
    content.target_agent === undefined ? '' : `for ${content.target_agent}`,
    content.task_id === undefined ? '' : `task ${content.task_id}`,
    content.origin?.branch ?? '',
    `${formatAge(handoff.created_at, view.now_ms)} ago`,
  ].filter((fact) => fact !== '');
  const notes = [
    lease === undefined
      ? ''
      : `held by ${lease.holder}${lease.expires_at === undefined ? '' : ` until ${lease.expires_at}`}`,
    approval === undefined ? '' : `approved by ${approval.by}`,
    acknowledged_by === undefined ? '' : `acknowledged by ${acknowledged_by} at ${delivery.acknowledged_at}`,
    failure === undefined ? '' : `last failure: ${failure.reason}`,
    waiting_on === undefined
      ? ''
      : `asked: ${waiting_on.question}${waiting_on.answer === undefined ? '' : ` · answered: ${waiting_on.answer}`}`,
  ].filter((note) => note !== '');
  return [
    `${view.style('bold', oneLine(content.title, view.width - 14))}  ${styledState(delivery.state, view)}`,
    view.style('gray', wrapped(`${id} · ${facts.join(' · ')}`, view.width, '')),
    ...notes.map((note) => wrapped(note, view.width, '')),
  ].join('\n');
}

function section(title: string, view: View, items: readonly string[]): string {
  if (items.length === 0) return '';
  return [view.style('bold', title), ...items].join('\n');
}

function entry(mark: string, text: string, view: View): string {
  return `  ${view.style('gray', mark.padEnd(3))} ${wrapped(text, view.width, '      ')}`;
}

function decisionLines(
  { id, content, source, confidence, evidence }: Handoff['content']['decisions'][number],
  view: View,
) {
  const implied = source === 'ai-extracted' && confidence !== undefined && confidence < 0.75;
  const label = source === 'ai-extracted' ? (implied ? ' (implied)' : '') : ` (${source.replace('user-', '')})`;
  return withEvidence(entry(id, `${content}${label}`, view), evidence, view);
}

function fileLines({ id, path, relevance, context, evidence }: Handoff['content']['files'][number], view: View) {
  const words = context === '' ? path : `${path} (${relevance}) — ${context}`;
  // A file's context is its evidence in other words; the quote would say it twice.
  return context === ''
    ? withEvidence(entry(id, `${path} (${relevance})`, view), evidence, view)
    : entry(id, words, view);
}

function riskLines({ id, description, severity, evidence }: Handoff['content']['risks'][number], view: View) {
  return withEvidence(entry(id, `[${severity}] ${description}`, view), evidence, view);
}

function triedLines({ what, outcome }: Handoff['content']['tried'][number], mark: string, view: View) {
  return entry(mark, `${what} → ${outcome}`, view);
}

function withEvidence(lines: string, evidence: Evidence | undefined, view: View): string {
  if (evidence === undefined) return lines;
  const quote = oneLine(evidence.quote, Math.min(QUOTE_LINES_WIDTH_MAX, view.width - 22));
  return `${lines}\n${view.style('gray', `      “${quote}” message ${evidence.message}`)}`;
}
