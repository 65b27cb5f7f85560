import * as cues from './request-cues.ts';

/** "Should the limit be fixed" as "the limit should be fixed". */
export function asAssertion(question: string): string {
  return question.replace(asksFor, '$<subject> should $<verb>');
}

const asksFor = new RegExp(
  `^(?:(?:what|which|where|when|how) )?(?:should|must|can|will|could|shall)\\s+(?<subject>(?:the|a|an|this|that|these|those|our|each|every|it|they|we|requests?|users?|\\w+s)\\b.{0,100}?)\\s+(?<verb>(?:\\w+ly |always |never |also |still )?(?:${cues.bareVerbs}))\\b`,
  'i',
);
