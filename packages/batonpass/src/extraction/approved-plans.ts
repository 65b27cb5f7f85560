import type { Message } from '../core/conversation.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import { shorten, toStatement } from './plain-text.ts';
import { splitMessage } from './sentences.ts';

const planCharactersMax = 600;
const stepCharactersMax = 120;

/** How a host opens a new context with a plan that the person approved. */
const opensWithPlan = /^\s*.{1,80}:\s+(?=#{1,3} )/;

/** The plan of a message that the person approved, with its heading and steps, as a choice of the person. */
export function findApprovedPlan(message: Message, turn: number): DecisionCandidate[] {
  const { index, role, text, tool_calls } = message;
  const isOpening = role === 'system' && opensWithPlan.test(text);
  if (!isOpening && !tool_calls.some(({ plan }) => plan === 'approved')) return [];
  const sentences = splitMessage({ ...message, text: text.replace(opensWithPlan, (lead) => ' '.repeat(lead.length)) });
  const heading = sentences.find(({ kind }) => kind === 'heading');
  const [first] = sentences;
  const quoted = heading ?? first;
  if (quoted === undefined) return [];
  const title = (heading?.plain ?? '').replace(/^(?:\p{L}+ )?Plan(?:\s*[:–—-]\s*|$)/iu, '');
  const steps = sentences.filter(({ kind, opens }) => kind === 'item' && opens).map(({ plain }) => plain);
  const told = [title, ...steps.map((step) => shorten(step.replace(/[.;]$/, ''), stepCharactersMax))];
  const content = told.filter((part) => part !== '').join('; ') || (first?.plain ?? '');
  const whole = shorten(`Approved plan: ${content}`, planCharactersMax);
  const evidence = { message: index, quote: quoted.text };
  return [{ content: toStatement(whole), confidence: 1, isAnswer: true, evidence, turn }];
}
