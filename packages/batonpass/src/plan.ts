/** Plan documents, asked by messages in TOON. Each export is public API, pinned by a test. */
export { type AnswerOptions, answerPlanMessage, type PlanAnswer } from './plan-files/envelope/answer-plan-message.ts';
