import type { Content } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { type Evidence, isEvidenced } from '../core/evidence.ts';
import { limits } from '../core/limits.ts';
import { Central } from './central.ts';
import { contentWords } from './content-words.ts';
import { DeadEnds } from './dead-ends.ts';
import { Decisions } from './decisions.ts';
import { rankSpoken, rankWords } from './earlier-words.ts';
import type { Extraction } from './extraction.ts';
import { Files } from './files.ts';
import { bindsAnother, denies } from './language-cues.ts';
import { findMainRequest } from './main-request.ts';
import { extractNextSteps, extractOpenQuestions } from './next-steps.ts';
import { withReported } from './others-words.ts';
import { findPasted, type OwnWords } from './own-words.ts';
import { isQuestion, toStatement } from './plain-text.ts';
import { offers } from './request-cues.ts';
import { Risks } from './risks.ts';
import type { Sentence } from './sentences.ts';
import { findInstructions } from './standing-instructions.ts';
import { centrality, type Subject, Subjects } from './subjects.ts';
import { clauseOf, cutSentence } from './summary-clauses.ts';
import { findTitle } from './title.ts';
import { ToolFacts } from './tool-facts.ts';
import { type Turn, walkDialogue } from './turns.ts';
import { readState } from './where-it-stands.ts';
import { withinBounds } from './within-bounds.ts';

/** What was known before the conversation. */
export interface Before {
  /** Decisions that were in force; the conversation may revoke them. Default: none. */
  earlier?: Content['decisions'];
}

/**
 * Extracts what a conversation decided, touched, fears and leaves open, by rules alone: the same conversation always
 * gives the same extraction, without a network. It walks the dialogue once, turn by turn, looking some turns back and one
 * ahead, so that its time grows with the length and its memory with what it finds. A conversation that decides nothing
 * gives no decision. Of one beyond `limits.extraction_characters_max` the newest part is read, and `cut` reports it.
 */
export function extractByRules(whole: Conversation, { earlier = [] }: Before = {}): Extraction {
  const { conversation, cut: messagesCut } = withinBounds(whole);
  const cut: string[] = [];
  if (messagesCut > 0)
    cut.push(
      `${messagesCut} of ${whole.messages.length} messages were left out or shortened: together they are too long.`,
    );
  const pasted = findPasted(conversation);
  const ofOthers = withReported(conversation, pasted);
  const collected = collect(conversation, ofOthers, earlier);
  const { decisions, revoked, reversals, dropped } = collected.decisions.finish();
  const risks = collected.risks.finish();
  const next_steps = extractNextSteps(collected.end);
  const open_questions = extractOpenQuestions(collected.end);
  const tried = [...collected.tools.attempts(), ...collected.deadEnds.finish()];
  const keep = <T extends { evidence?: Evidence }>(what: string, items: readonly T[], dropped = 0) =>
    cutList({ what, items: items.filter((item) => hasEvidence(item, conversation)), dropped, cut });
  const instructions = findInstructions(conversation, ofOthers);
  const main = findMainRequest(conversation, ofOthers);
  const words = rankWords(conversation, pasted, reversals);
  const spoken = rankSpoken(words);
  const central = new Central(conversation, spoken);
  const subject = collected.subjects.finish(decisions);
  return {
    where_it_stands: keep('facts', readState(conversation, { pasted, main, end: collected.end })),
    instructions: keep('instructions', instructions),
    environment: [
      ...collected.tools.commands(instructions.map(({ content }) => content).filter(denies)),
      ...(conversation.program === undefined ? [] : [{ content: conversation.program }]),
    ],
    words,
    decisions: keep(
      'decisions',
      decisions.filter((decision) => central.holdsDecision(decision)),
      dropped,
    ),
    revoked,
    files: keep('files', collected.files.finish()),
    risks: keep(
      'risks',
      risks.risks.filter((risk) => central.holdsRisk(risk)),
      risks.dropped,
    ),
    tried: cutList({ what: 'attempts', items: tried, dropped: 0, cut }),
    next_steps: keep('next steps', next_steps),
    open_questions: keep('open questions', open_questions),
    results: collected.tools.results(),
    title: findTitle(conversation, { main, pasted: ofOthers, words: spoken }),
    summary: summarize({ ...subject, decisions, next_steps, open_questions, end: collected.end }),
    cut,
  };
}

/** Everything that is collected on the one walk through the dialogue. */
function collect(conversation: Conversation, ofOthers: OwnWords, earlier: Content['decisions']) {
  const all = {
    decisions: new Decisions(earlier),
    files: new Files(),
    risks: new Risks(),
    deadEnds: new DeadEnds(),
    subjects: new Subjects(),
    tools: new ToolFacts(conversation.cwd),
  };
  const first = conversation.messages.find(({ text }) => text !== '');
  if (first?.role === 'system') all.decisions.open(first);
  let end: Turn[] = [];
  for (const place of walkDialogue(conversation, ofOthers)) {
    all.decisions.add(place);
    all.files.add(place);
    all.risks.add(place);
    all.deadEnds.add(place);
    all.subjects.add(place);
    for (const message of place.turn.messages) all.tools.add(message);
    if (place.next === undefined) end = [...place.before, place.turn];
  }
  return { ...all, end };
}

/** Evidence is checked only here: an item whose quote is not in its message is refused. */
function hasEvidence(item: { evidence?: Evidence; support?: Evidence[] }, conversation: Conversation): boolean {
  const quotes = [item.evidence ?? [], item.support ?? []].flat();
  return quotes.every(
    (evidence) => evidence.quote.length <= limits.quote_characters_max && isEvidenced(evidence, conversation),
  );
}

interface List<T> {
  what: string;
  /** The most important first. */
  items: readonly T[];
  /** How many fell before. */
  dropped: number;
  /** Collects notes on what was left out. */
  cut: string[];
}

function cutList<T>({ what, items, dropped, cut }: List<T>): T[] {
  const left = dropped + Math.max(0, items.length - limits.entries_max);
  if (left > 0) cut.push(`${left} of ${items.length + dropped} ${what} were left out.`);
  return items.slice(0, limits.entries_max);
}

const decisionsMax = 3;

interface Summarized extends Subject, Pick<Extraction, 'decisions' | 'next_steps' | 'open_questions'> {
  /** The last turns. */
  end: readonly Turn[];
}

/** Two or three sentences made of what was said: what was asked, what was settled or achieved, what is still to do. */
function summarize(found: Summarized): string {
  const parts = [toStatement(cutSentence(found.task)), settled(found) || outcome(found), next(found)];
  const text = parts.filter((part) => part !== '').join(' ');
  return text === '' ? 'A conversation without text.' : text;
}

/** The choices that are most of what was spoken of, in the order said. */
function settled({ decisions, weights, task }: Summarized): string {
  const asked = contentWords(task);
  const explicit = decisions.filter(({ confidence }) => confidence === 1);
  const chosen = (explicit.length > 0 ? explicit : decisions)
    .map((decision, place) => ({ decision, place, words: contentWords(decision.content) }))
    .filter(({ words }) => [...words].some((word) => !asked.has(word)))
    .map((entry) => ({ ...entry, score: centrality(entry.words, weights) }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, decisionsMax)
    .sort((a, b) => a.place - b.place);
  if (chosen.length === 0) return '';
  return `Decided: ${chosen.map(({ decision }) => clauseOf(decision.content)).join('; ')}.`;
}

const opensReport =
  /^(?:done|fixed|found|added|updated|created|implemented|the (?:bug|cause|problem|issue|fix|reason)|root cause|all (?:tests )?pass|it (?:is|was|works)|now |yes|no,)\b/i;

/** Where nothing was settled: the report in the last answer, else its last sentence that says something. */
function outcome({ end, task }: Summarized): string {
  const told = end.findLast(({ role }) => role === 'assistant')?.sentences.filter(isTold) ?? [];
  const said =
    told.find(({ plain }) => opensReport.test(plain)) ?? told.findLast(({ words }) => words.size >= 3) ?? told.at(-1);
  return said === undefined || said.plain === task ? '' : toStatement(cutSentence(said.plain));
}

function isTold({ kind, plain, words }: Sentence): boolean {
  if (kind !== 'prose' || words.size === 0 || isQuestion(plain) || isOffer(plain)) return false;
  return !/^(?:let me|i'll|now let)\b|[:：]$/i.test(plain);
}

/** "If you want, …", "let me know if …". */
function isOffer(plain: string): boolean {
  return bindsAnother(plain) || offers.test(plain);
}

function next({ next_steps, open_questions }: Summarized): string {
  const step = next_steps[0];
  if (step !== undefined) return `Next: ${clauseOf(step.content)}.`;
  const question = open_questions[0];
  return question === undefined ? '' : `Open: ${cutSentence(question.content)}`;
}
