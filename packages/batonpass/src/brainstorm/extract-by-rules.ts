import type { Content } from '../core/content.ts';
import type { Conversation } from '../core/conversation.ts';
import { type Evidence, isEvidenced } from '../core/evidence.ts';
import { limits } from '../core/limits.ts';
import { extractDecisions } from './decisions.ts';
import type { Extraction } from './extraction.ts';
import { extractFiles } from './files.ts';
import { extractNextSteps, extractOpenQuestions } from './next-steps.ts';
import { extractRisks } from './risks.ts';
import { splitConversation } from './sentences.ts';
import { readTask, summarize } from './summary.ts';
import { extractResults, extractTried } from './tool-facts.ts';
import { readDialogue } from './turns.ts';
import { withinBounds } from './within-bounds.ts';

/** What was known before the conversation. */
interface Before {
  /** Decisions that were in force; the conversation may revoke them. Default: none. */
  earlier?: Content['decisions'];
}

/**
 * Extracts what a conversation decided, touched, fears and leaves open, by rules alone: the same conversation always
 * gives the same extraction, without a network, in about a second for a megabyte of text. A conversation that decides
 * nothing gives no decision. Of one beyond `limits.extraction_characters_max` the newest part is read, and `cut` says so.
 */
export function extractByRules(whole: Conversation, { earlier = [] }: Before = {}): Extraction {
  const { conversation, cut: messagesCut } = withinBounds(whole);
  const sentences = splitConversation(conversation);
  const dialogue = readDialogue(conversation, sentences);
  const { decisions, revoked } = extractDecisions(dialogue, earlier);
  const next_steps = extractNextSteps(dialogue);
  const cut: string[] = [];
  if (messagesCut > 0)
    cut.push(
      `${messagesCut} of ${whole.messages.length} messages were left out or shortened: together they are too long.`,
    );
  const keep = <T extends { evidence?: Evidence }>(what: string, items: readonly T[]) =>
    cutList(
      what,
      items.filter((item) => hasEvidence(item, conversation)),
      cut,
    );
  return {
    decisions: keep('decisions', decisions),
    revoked,
    files: keep('files', extractFiles(conversation, sentences)),
    risks: keep('risks', extractRisks(dialogue)),
    tried: cutList('attempts', extractTried(conversation), cut),
    next_steps: keep('next steps', next_steps),
    open_questions: keep('open questions', extractOpenQuestions(dialogue)),
    results: extractResults(conversation),
    title: readTask(dialogue),
    summary: summarize(dialogue, { decisions, next_steps }),
    cut,
  };
}

/** The one place where evidence is checked: an item whose quote is not in its message is refused. */
function hasEvidence(item: { evidence?: Evidence; support?: Evidence[] }, conversation: Conversation): boolean {
  const quotes = [item.evidence ?? [], item.support ?? []].flat();
  return quotes.every(
    (evidence) => evidence.quote.length <= limits.quote_characters_max && isEvidenced(evidence, conversation),
  );
}

function cutList<T>(what: string, items: readonly T[], cut: string[]): T[] {
  const left = items.length - limits.entries_max;
  if (left > 0) cut.push(`${left} of ${items.length} ${what} were left out.`);
  return items.slice(0, limits.entries_max);
}
