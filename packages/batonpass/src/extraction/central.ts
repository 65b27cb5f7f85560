import type { Conversation } from '../core/conversation.ts';
import { carriedOutConfidence } from './carried-out.ts';
import type { EarlierWord } from './earlier-words.ts';
import type { ExtractedDecision, ExtractedRisk } from './extraction.ts';

/** Ranks up to which a sentence is of what the conversation is about. */
const decisionRankMax = 60;
const impliedRankMax = 100;
const riskRankMax = 80;
/** In a session of work a concern of an earlier turn was dealt with, or is said again. */
const riskTurnsBack = 1;

/** Conversations that are only talk: every other host's agent works, whether its file shows the tools or not. */
const talks: ReadonlySet<string> = new Set(['messages', 'chatgpt', 'studio']);

/**
 * Decides which of the rules' findings are central in a session of work: an agent that runs tools says much in passing
 * that decides nothing and endangers nothing. In a dialogue without tools, whose turns are about nothing but the
 * decision, everything that the rules find counts.
 */
export class Central {
  readonly #ranks = new Map<number, { content: string; rank: number }[]>();
  readonly #isWork: boolean;
  /** Messages of the person, by index. */
  readonly #requests: readonly number[];
  readonly #conversation: Conversation;

  constructor(conversation: Conversation, words: readonly EarlierWord[]) {
    const { messages, host } = conversation;
    this.#conversation = conversation;
    this.#isWork = !talks.has(host) || messages.some(({ tool_calls }) => tool_calls.length > 0);
    this.#requests = messages.filter(({ role, text }) => role === 'user' && text !== '').map(({ index }) => index);
    for (const { message, content, rank } of words) {
      const list = this.#ranks.get(message);
      if (list === undefined) this.#ranks.set(message, [{ content, rank }]);
      else list.push({ content, rank });
    }
  }

  holdsDecision({ evidence, confidence, isAnswer }: ExtractedDecision): boolean {
    if (!this.#isWork || isAnswer) return true;
    if (confidence === 1) return this.#rankOf(evidence) < decisionRankMax;
    if (confidence === carriedOutConfidence) return true;
    return this.#isClosing(evidence.message) && this.#rankOf(evidence) < impliedRankMax;
  }

  holdsRisk({ evidence }: ExtractedRisk): boolean {
    if (!this.#isWork) return true;
    const later = this.#requests.filter((index) => index > evidence.message).length;
    return later <= riskTurnsBack && this.#rankOf(evidence) < riskRankMax;
  }

  /** The best rank of the sentences that a quote is made of. */
  #rankOf({ message, quote }: { message: number; quote: string }): number {
    const ranks = (this.#ranks.get(message) ?? [])
      .filter(({ content }) => quote.includes(content) || content.includes(quote))
      .map(({ rank }) => rank);
    return Math.min(...ranks, Number.POSITIVE_INFINITY);
  }

  /** Whether the agent said nothing more in that turn. */
  #isClosing(message: number): boolean {
    const next = this.#conversation.messages
      .slice(message + 1)
      .find(({ role, text }) => text !== '' && role !== 'system');
    return next === undefined || next.role === 'user';
  }
}
