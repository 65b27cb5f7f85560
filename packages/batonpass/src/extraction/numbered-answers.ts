import { asAssertion } from './assertion.ts';
import { contentWords } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import { isQuestion, toStatement } from './plain-text.ts';
import * as cues from './request-cues.ts';
import { stripFillers } from './request-sentence.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

/** The most other sentences in a reply to a list that asks nothing, such as "Sure, here you go." */
const besideAnswersMax = 2;
/** A longer entry of a list answers nothing where nothing was asked. */
const answerCharactersMax = 60;
/** A question under its heading takes this many sentences at most. */
const questionSentencesMax = 5;

/** "1. the former  2. just the id": each answer with the question of that number. */
export function readNumberedAnswers(turn: Turn, before: Turn): DecisionCandidate[] {
  const answers = turn.sentences.filter((sentence) => sentence.opens && sentence.number !== undefined);
  if (answers.length < 2 || answers.some((answer) => answer.words.size > 25)) return [];
  const questions = findQuestions(before, answers.length);
  // A list in a message that asks for something else is one of its own, and so is one of long entries below a request.
  const others = turn.sentences.filter(({ number }) => number === undefined);
  const isBrief = answers.every(({ plain }) => plain.length <= answerCharactersMax);
  const isReply = others.length === 0 || (others.length <= besideAnswersMax && isBrief);
  if (!isReply && ![...questions.values()].some(({ plain }) => /[?？]/.test(plain))) return [];
  return answers.flatMap((answer) => {
    const question = questions.get(answer.number ?? '');
    if (question === undefined || isQuestion(answer.plain)) return [];
    return [toAnswered(turn, answer, { question, before })];
  });
}

const answersNothing =
  /^(?:thanks?|thank you|thx|danke|hi|hello|hey|good (?:morning|evening)|cool|nice|great|perfect|interesting|got it|i see|wow|haha|lol|hm+|done|wait|stop|continue|both|none|idk|no idea|not sure|don'?t know|i don'?t|maybe|let me|let'?s see|commit|push|from|because|it'?s|it is)\b/i;

/** A short answer without a verb of its own, to the question that ends the answer before: "30 days.", "per user". */
export function readShortAnswer(turn: Turn, before: Turn): DecisionCandidate | undefined {
  const answer = turn.sentences[0];
  if (answer?.kind !== 'prose') return undefined;
  const said = stripFillers(answer.plain);
  // A command of the host answers nothing.
  if (said.startsWith('/')) return undefined;
  const { size } = contentWords(said);
  if (size < 1 || size > 5 || said.length > 60 || isQuestion(answer.plain)) return undefined;
  if (answersNothing.test(answer.plain) || answersNothing.test(said) || cues.opensWithPassing.test(said))
    return undefined;
  // "Only to staging" answers; "use staging" is an order of its own.
  const isOrder = cues.opensWithShaping.test(said) && !/^only\b/i.test(said);
  if (isOrder || cues.reports.test(said) || cues.statesWill.test(said)) return undefined;
  const question = before.sentences.slice(-4).findLast(isAskedForChoice);
  return question === undefined ? undefined : toAnswered(turn, { ...pick(answer), plain: said }, { question, before });
}

/** An offer of one act asks for a yes or no, which names nothing. */
const offersOneAct = /\b(?:do you want|would you like) me to\b(?!.*\bor\b)/i;

/** A question about how it is to be; one about what happened is answered by a fact, and a heading by its own text. */
function isAskedForChoice({ kind, plain, words }: Sentence): boolean {
  if (kind === 'heading' || offersOneAct.test(plain)) return false;
  if (/^(?:not (?:yet )?decided|undecided|open question|to decide|still open)\b.{0,30}:/i.test(plain)) return true;
  if (/^[^,.;:]{2,60} (?:or|oder|ou|o|или) [^,.;:?]{2,60}\?["')*]*$/iu.test(plain) && words.size <= bareChoiceWordsMax)
    return true;
  return (
    isQuestion(plain) &&
    /\b(?:should|shall|do you want|would you (?:like|prefer|rather)|which|how (?:many|long|often|much|far)|prefer|soll(?:en|te)?|möchtest)\b/i.test(
      plain,
    ) &&
    !/\b(?:did|have you|were|was|does (?:it|the)|happen(?:s|ed)?|see|say)\b/i.test(plain)
  );
}

/** "Redis or memcached?" */
const bareChoiceWordsMax = 5;

function pick({ message, text, plain }: Sentence): Pick<Sentence, 'message' | 'text' | 'plain'> {
  return { message, text, plain };
}

interface Asked {
  question: Sentence;
  before: Turn;
}

function toAnswered(
  turn: Turn,
  answer: Pick<Sentence, 'message' | 'text' | 'plain'>,
  { question, before }: Asked,
): DecisionCandidate {
  return {
    content: answerQuestion(question, answer.plain, before),
    confidence: 1,
    evidence: { message: answer.message, quote: answer.text },
    support: [{ message: question.message, quote: question.text }],
    turn: turn.index,
  };
}

/** The list of numbered questions that has enough entries: headings first, then items. */
function findQuestions(before: Turn, count: number): Map<string, Sentence> {
  for (const kind of ['heading', 'item'] as const) {
    const entries = before.sentences.filter(
      (sentence) => sentence.kind === kind && sentence.opens && sentence.number !== undefined,
    );
    const questions = new Map<string, Sentence>();
    for (const entry of entries) if (!questions.has(entry.number ?? '')) questions.set(entry.number ?? '', entry);
    if (questions.size >= Math.max(2, count - 1)) return questions;
  }
  return new Map();
}

const clause = /\b(?:should|must|is|are|will|shall|needs?|we|i)\b/i;

/** A shorter question names nothing. */
const bareQuestionCharactersMax = 16;

/** The question in plain text; "Shall I?" with the sentence before it, which says what. */
export function wholeQuestion(question: Sentence, before: Turn): string {
  if (question.plain.length > bareQuestionCharactersMax) return question.plain;
  const said = before.sentences[before.sentences.indexOf(question) - 1]?.plain;
  return said === undefined ? question.plain : `${said} ${question.plain}`;
}

function answerQuestion(question: Sentence, said: string, before: Turn): string {
  const answer = said.replace(/[.\s]+$/, '');
  const topic = asTopic(wholeQuestion(question, before));
  const side = /^(?:the )?(?<side>former|latter|first|second)\b/i.exec(answer)?.groups?.side?.toLowerCase();
  // A question between two ways is answered by the way itself; its subject is enough.
  const subject = / or /i.test(topic) ? /^(?<subject>.{3,80}?) should /i.exec(topic)?.groups?.subject : undefined;
  if (side === undefined) {
    const isWhole = clause.test(answer) && contentWords(answer).size >= 4;
    return toStatement(isWhole ? answer : `${subject ?? topic}: ${answer}`);
  }
  const at = before.sentences.indexOf(question);
  const choice = before.sentences.slice(at, at + questionSentencesMax).find((entry) => / or /i.test(entry.text));
  if (choice === undefined) return toStatement(`${topic}: ${answer}`);
  const isFirst = side === 'former' || side === 'first';
  const [former, ...others] = choice.plain.replace(/\?+$/, '').split(/,? or (?:should )?/i);
  if (isFirst) {
    const way = asAssertion(former ?? '');
    return toStatement(choice === question || clause.test(way) ? way : `${topic}: ${way}`);
  }
  return toStatement(`${subject ?? topic}: ${others.at(-1) ?? answer}`);
}

/** A question as what an answer is about: "Do you want versioned docs?" as "versioned docs". */
function asTopic(question: string): string {
  const plain = question
    .replace(/[?.]+["')]*$/, '')
    .replace(/^(?:open question|not (?:yet )?decided|undecided|to decide|still open)\s*:\s*/i, '')
    .replace(/^(?:and |but |so |one (?:more )?question: )+/i, '')
    .replace(/^(?:do you|would you|möchtest du) (?:want|like|prefer|need)(?: me)?(?: to)?\s+/i, '')
    .replace(/^what about\s+/i, '')
    .replace(/^(?:the [\w ]{2,30}): (?:keep|use|should)\b.*$/i, (whole) => whole.split(':')[0] ?? whole);
  return asAssertion(plain);
}
