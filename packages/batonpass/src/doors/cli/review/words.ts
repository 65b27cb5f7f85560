import { HandoffError } from '../../../core/errors.ts';

/** A word that a reviewer can type: its argument, its one-letter form, and what it does. */
const verbs = {
  list: { letter: 'l', form: '', what: 'the draft: summary, decisions with their quotes, files, risks' },
  edit: { letter: 'e', form: 'ID TEXT', what: 'say an item in other words; of a file, why it matters' },
  remove: { letter: 'r', form: 'ID…', what: 'take items out' },
  add: { letter: 'a', form: 'TEXT', what: 'add a decision' },
  next: { letter: 'n', form: 'TEXT', what: 'add a next step' },
  file: { letter: 'f', form: 'PATH', what: 'add a file' },
  risk: { letter: 'k', form: 'TEXT', what: 'add a risk' },
  question: { letter: 'o', form: 'TEXT', what: 'add an open question' },
  title: { letter: 't', form: 'TEXT', what: 'give it another title' },
  summary: { letter: 'm', form: 'TEXT', what: 'give it another summary' },
  undo: { letter: 'u', form: '', what: 'take the last change back' },
  redo: { letter: 'd', form: '', what: 'make it again' },
  show: { letter: 's', form: '', what: 'exactly the text that a receiver gets' },
  approve: { letter: 'y', form: '', what: 'open it for receivers, bound to the text that was shown' },
  quit: { letter: 'q', form: '', what: 'leave; what was changed stays, and the draft stays a draft' },
  help: { letter: '?', form: '', what: 'this list' },
} as const;

/** One of a reviewer's words. */
export type Verb = keyof typeof verbs;

/** A line that was understood. */
export interface ReviewWord {
  verb: Verb;
  /** The rest of the line, without the blanks around it. */
  rest: string;
}

/**
 * Reads a line: a word or its letter, and its argument. An empty line does nothing.
 *
 * @throws HandoffError `invalid_input` for another word, or a word without its argument.
 */
export function readWord(line: string): ReviewWord | null {
  const [, word = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*?)\s*$/.exec(line) ?? [];
  if (word === '') return null;
  const names = Object.keys(verbs) as Verb[];
  const verb = names.find((name) => name === word.toLowerCase() || verbs[name].letter === word.toLowerCase());
  if (verb === undefined) throw unknownWord(word);
  const { form } = verbs[verb];
  if (form !== '' && rest === '') throw incomplete(verb);
  return { verb, rest };
}

/** The id at the beginning of an edit, and the words after it. @throws HandoffError `invalid_input` without any. */
export function splitEdit(rest: string): { id: string; text: string } {
  const [, id = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (text === '') throw incomplete('edit');
  return { id, text };
}

/** The list of words, one per line. */
export function describeVerbs(): string {
  const rows = (Object.keys(verbs) as Verb[]).map((name) => {
    const { letter, form, what } = verbs[name];
    return [`  ${letter}  ${name} ${form}`.trimEnd(), what] as const;
  });
  const width = Math.max(...rows.map(([words]) => words.length));
  return rows.map(([words, what]) => `${words.padEnd(width)}  ${what}`).join('\n');
}

function unknownWord(word: string): HandoffError {
  return new HandoffError('invalid_input', `"${word.slice(0, 40)}" is no word of a review.`, {
    alternatives: ['See them: ?'],
  });
}

function incomplete(verb: Verb): HandoffError {
  const { letter, form } = verbs[verb];
  return new HandoffError('invalid_input', `${verb} needs more words.`, {
    alternatives: [`Write it as: ${verb} ${form}, or ${letter} ${form}`],
  });
}
