import type { Requirement } from './requirement.ts';

const ofTranscripts = (behaviour: string) =>
  ({ source: 'design, transcripts', behaviour, milestone: 'foundation' }) as const;
const ofExtraction = (behaviour: string) =>
  ({ source: 'design, extraction', behaviour, milestone: 'foundation' }) as const;
const ofMasking = (behaviour: string) =>
  ({ source: 'design, masking of secrets', behaviour, milestone: 'foundation' }) as const;

/** How conversations are read, what is extracted from them, and what is masked before. */
export const conversation = {
  'TRANSCRIPT.detect': ofTranscripts('The format of a transcript is detected from its content.'),
  'TRANSCRIPT.claude-code': ofTranscripts('Rows of one answer become one message; results go to their calls.'),
  'TRANSCRIPT.boilerplate': ofTranscripts('What the host wrote into user rows is left out; what the user typed stays.'),
  'TRANSCRIPT.branches': ofTranscripts('A prompt that was rewound is not part of the conversation.'),
  'TRANSCRIPT.tool-calls': ofTranscripts(
    'Tool calls record what they did to which file, relative to the folder of the session.',
  ),
  'TRANSCRIPT.messages': ofTranscripts('Messages as JSON are read, as chat APIs and AI SDK interfaces write them.'),
  'TRANSCRIPT.lenient': ofTranscripts('A broken transcript yields what can be read, and a count of what cannot.'),
  'TRANSCRIPT.errors': ofTranscripts(
    'An input that is not a transcript is refused with a typed error that names the known formats.',
  ),
  'TRANSCRIPT.masked': ofTranscripts('No secret leaves the reader, and the masks are counted by kind.'),
  'TRANSCRIPT.sessions': ofTranscripts(
    'The transcripts of a project are found by the folder that their rows name, newest first.',
  ),
  'EXTRACT.evidence': ofExtraction(
    'Every item has a quote that occurs, character for character, in the message it names.',
  ),
  'EXTRACT.decisions': ofExtraction(
    'What the user says or asks for is a decision of confidence 1; what the agent chose and did is one of 0.6; what the user does not object to is implied and comes last.',
  ),
  'EXTRACT.ratifications': ofExtraction('A short acceptance is resolved to the proposal that it accepts.'),
  'EXTRACT.reversals': ofExtraction('A choice that a later one contradicts is dropped and named by the later one.'),
  'EXTRACT.abstains': ofExtraction('A conversation that decides nothing gives no decision.'),
  'EXTRACT.files': ofExtraction('Files come from texts and tool calls, each under one spelling, with its relevance.'),
  'EXTRACT.path-rule': ofExtraction(
    'Absolute paths and parent segments are refused on every platform, in every spelling.',
  ),
  'EXTRACT.risks': ofExtraction(
    'What someone fears, could not verify or knows to be limited is a risk with a severity.',
  ),
  'EXTRACT.next-steps': ofExtraction('The end of a conversation gives the next steps and the open questions.'),
  'EXTRACT.tool-facts': ofExtraction(
    'Files written, commands with exit codes and abandoned attempts come from tool calls alone.',
  ),
  'EXTRACT.deterministic': ofExtraction('The same conversation always gives the same extraction, in linear time.'),
  'EXTRACT.content': ofExtraction('An extraction becomes a content of the record, within the limits.'),
  'EXTRACT.score': ofExtraction('The score of an extraction follows the rules of the labelled conversations.'),
  'MASK.kinds': ofMasking('Secrets of every known kind are masked and counted.'),
  'MASK.ordinary': ofMasking('Hashes, identifiers, paths, images and code are never masked.'),
  'MASK.idempotent': ofMasking('Masking a masked text changes nothing.'),
  'MASK.linear': ofMasking('Masking takes linear time on hostile texts.'),
} as const satisfies Record<string, Requirement>;
