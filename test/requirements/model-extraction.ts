import { declare } from './declare.ts';

/** Extraction by a language model: how it is asked, what of its answer is believed, and what happens where it fails. */
export const modelExtraction = declare('design, extraction by a model', 'extraction', {
  'MODEL.protocols':
    'Anthropic and OpenAI-compatible servers are asked with the schema of the answer, each in its own form.',
  'MODEL.dialect': 'A server that refuses the form of a request is asked again in a form that it takes.',
  'MODEL.choice': 'Provider and model come from settings; with nothing but a provider’s key a default model is asked.',
  'MODEL.key': 'A key leaves only in the header of a request: no text, error, report or file holds it.',
  'MODEL.foreign-file': 'A repository’s file sends no conversation to another machine, and no other variable as a key.',
  'MODEL.windows': 'No request holds more than fifty messages or too many characters; every message is in one.',
  'MODEL.merged':
    'What several windows give is one extraction without doubles, and a later reversal takes an earlier choice back.',
  'MODEL.evidence': 'A quote stands in its message character for character; an item without one is implied and last.',
  'MODEL.invented': 'An item whose quote nobody said is dropped and counted.',
  'MODEL.paths': 'Paths out of the project are refused and counted.',
  'MODEL.hostile': 'What a conversation says to a model is quoted data between markers that it cannot write.',
  'MODEL.retry': 'At 429, 5xx and cut connections a request is sent again after a wait that the server may set.',
  'MODEL.no-retry': 'What another request cannot mend is not sent again.',
  'MODEL.time-out': 'A request, and all requests together, end after their time.',
  'MODEL.bounds': 'An answer that is too long is read in halves, and one without end is broken off.',
  'MODEL.fallback': 'Where a model fails, the rules answer, and result and command say so and why.',
  'MODEL.spending': 'Requests, tokens and, where a price is configured, cost are reported, of failed requests too.',
  'MODEL.abort': 'An abort closes the connection and rejects with AbortError, also while a wait lasts.',
  'MODEL.recorded': 'The record tells which extractor made it.',
  'MODEL.progress': 'As it goes on it is told how many messages of all were read, and how many items were found.',
  'MODEL.sections':
    'A model is asked for the sections that the rules find; an instruction counts only where the user said it.',
  'MODEL.empty': 'Where a model names nothing, the items of the rules stay, and the report says so.',
  'MODEL.hooks':
    'Hooks have a session read by the model that the environment names, after the rules, and never by a repository’s.',
  'MODEL.handoff': 'extractHandoff gives the shapes of source 5, with where each item was said and how it came about.',
});
