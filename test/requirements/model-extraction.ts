import { declare } from './declare.ts';

/** Extraction by a language model: how the model is asked, which parts of its answer are accepted, and what happens where it fails. */
export const modelExtraction = declare('design, extraction by a model', 'extraction', {
  'MODEL.protocols':
    'Anthropic and OpenAI-compatible servers are asked with the schema of the answer, each in its own format.',
  'MODEL.dialect': 'A server that refuses the format of a request is asked again in a format that it accepts.',
  'MODEL.choice': 'Provider and model come from settings; with nothing but a provider’s key a default model is asked.',
  'MODEL.key': 'A key leaves only in the header of a request: no text, error, report or file holds it.',
  'MODEL.foreign-file': 'A repository’s file sends no conversation to another machine, and no other variable as a key.',
  'MODEL.windows': 'No request holds more than fifty messages or too many characters; every message is in one.',
  'MODEL.merged':
    'The results of several windows are one extraction without duplicates, and a later reversal removes an earlier choice.',
  'MODEL.evidence': 'A quote occurs in its message character for character; an item without one is implied and last.',
  'MODEL.invented': 'An item whose quote is in no message is dropped and counted.',
  'MODEL.paths': 'Paths out of the project are refused and counted.',
  'MODEL.hostile': 'What a conversation says to a model is quoted data between markers that it cannot write.',
  'MODEL.retry': 'At 429, 5xx and cut connections a request is sent again after a wait that the server may set.',
  'MODEL.no-retry': 'A request that a retry cannot fix is not sent again.',
  'MODEL.time-out': 'A request, and all requests together, end after their time.',
  'MODEL.bounds': 'An answer that is too long is read in halves, and one without end is aborted.',
  'MODEL.fallback': 'Where a model fails, the rules answer, and result and command report that and why.',
  'MODEL.spending': 'Requests, tokens and, where a price is configured, cost are reported, of failed requests too.',
  'MODEL.abort': 'An abort closes the connection and rejects with AbortError, also while a wait lasts.',
  'MODEL.recorded': 'The record names the extractor that made it.',
  'MODEL.progress':
    'During the extraction it reports how many messages of all were read, and how many items were found.',
  'MODEL.sections':
    'A model is asked for the sections that the rules find; an instruction counts only where the user said it.',
  'MODEL.empty': 'Where a model names nothing, the items of the rules stay, and the report says that.',
  'MODEL.hooks':
    'After the rules, hooks let the model that the environment names read a session, and never one that a repository names.',
  'MODEL.handoff': 'extractHandoff returns the shapes of source 5, with the position and the origin of each item.',
});
