import { HandoffError, ParseError } from '../core/errors.ts';
import { findJsonFault } from '../formats/json-fault.ts';
import { type HandoffRecord, recordSchema } from './record.ts';

/** The text of a record's file, as source 2 writes it. */
export function encodeRecord(record: HandoffRecord): string {
  return JSON.stringify(record, null, 2);
}

/**
 * Reads a record; fields that it does not know are kept, and results or a snapshot that are missing are empty.
 *
 * @param source - the file, for messages.
 * @throws ParseError with the line where the text is no JSON, HandoffError `invalid_structure` with the field where it is
 * no record.
 */
export function parseRecord(text: string, source: string): HandoffRecord {
  const value = parseJson(text, source);
  const answer = recordSchema.safeParse(value);
  if (answer.success) return withEmptyParts(value as ReadRecord);
  const [issue] = answer.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? '(the whole)' : issue.path.join('.');
  throw damaged(source, `${field}: ${issue?.message}`, field);
}

type ReadRecord = Omit<HandoffRecord, 'results' | 'context_snapshot'> & {
  results?: HandoffRecord['results'];
  context_snapshot?: Partial<HandoffRecord['context_snapshot']>;
};

/** What is missing is added; all else stays as the file has it, in its order. */
function withEmptyParts(read: ReadRecord): HandoffRecord {
  const { results = [], context_snapshot } = read;
  const lists = { decision_ids: [], warning_ids: [], finding_ids: [], summaries: [] };
  return { ...read, results, context_snapshot: { ...context_snapshot, ...lists, ...context_snapshot } };
}

/** A record's file that holds something else. */
export function damaged(source: string, what: string, field?: string): HandoffError {
  return new HandoffError('invalid_structure', `${source} is not a handoff record: ${what}.`, {
    details: { source, field },
    alternatives: [
      'Correct the file, or restore it: git checkout -- FILE',
      'Check the whole folder: baton file store check',
    ],
  });
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const { line, column } = findJsonFault(text);
    throw new ParseError(`${source} is not JSON, line ${line}: it is truncated or has an error there.`, {
      source,
      line,
      column,
      alternatives: [
        'Correct the file, or restore it: git checkout -- FILE',
        'Check the whole folder: baton file store check',
      ],
      cause,
    });
  }
}
