import type { Content } from '../../../core/content.ts';
import { HandoffError, isHandoffError } from '../../../core/errors.ts';
import type { Handoff } from '../../../core/handoff.ts';
import { isImplied } from '../../../core/implied.ts';
import type { Baton } from '../../../operations/baton.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import { wordsOfItem } from '../../../operations/draft-changes.ts';
import { describeApproval, wordsRemain } from '../commands/writing-commands.ts';
import { EXIT_NO, EXIT_OK, exitCodes } from '../exit-codes.ts';
import { fold, formatExamples, helpWidth } from '../help-layout.ts';
import { presentHandoff } from '../present/handoff-detail.ts';
import { describeItems, describeState, shortId } from '../present/handoff-line.ts';
import { howToTake } from '../present/next-steps.ts';
import { type View, visible, wrapped } from '../present/view.ts';
import { renderError } from '../render-error.ts';
import { type DraftChange, DraftSession } from './draft-session.ts';

/** The input and output of a review. */
export interface ReviewTalk {
  /** Writes lines for the reviewer. */
  say: (text: string) => Promise<void>;
  /** Writes lines about errors. */
  complain: (text: string) => Promise<void>;
  /** The next line; undefined at the end of the input. */
  ask: (prompt: string) => Promise<string | undefined>;
  /** Whether a person types: then an error is printed, and the review continues. */
  isTyped: boolean;
  view: View;
  signal: AbortSignal;
}

/** How a review ended. */
export interface ReviewEnd {
  code: number;
  handoff: Handoff;
}

/**
 * Reviews a draft line by line: it needs only lines in and out from a terminal. Every change is an edit at once, so
 * that no end of the review, not even a crash, loses a change.
 *
 * @throws HandoffError where nobody types and a line could not be carried out; the changes of the lines before it stay.
 */
export async function review(baton: Baton, id: string, talk: ReviewTalk): Promise<ReviewEnd> {
  const draft = await baton.handoff.get({ id });
  assertDraft(draft);
  return new Review(new DraftSession(baton, draft, talk.signal), talk).run();
}

class Review {
  readonly #session: DraftSession;
  readonly #talk: ReviewTalk;

  constructor(session: DraftSession, talk: ReviewTalk) {
    this.#session = session;
    this.#talk = talk;
  }

  async run(): Promise<ReviewEnd> {
    await this.#list();
    await this.#talk.say(`\n${this.#gray('approve, edit ID TEXT, remove ID…, undo, show, quit; all commands: ?')}`);
    for (;;) {
      const line = await this.#talk.ask('review> ');
      if (line === undefined) return this.#leave();
      const ended = await this.#attempt(line);
      if (ended !== undefined) return ended;
    }
  }

  /** At a terminal a refusal is printed and the review continues; where lines are piped, it ends the review. */
  async #attempt(line: string): Promise<ReviewEnd | undefined> {
    try {
      const word = readWord(line);
      return word === null ? undefined : await this.#carryOut(word);
    } catch (error) {
      if (!isHandoffError(error) || !this.#talk.isTyped) throw error;
      await this.#talk.complain(renderError(error, this.#talk.view, false).text);
      return undefined;
    }
  }

  async #carryOut({ verb, rest }: ReviewWord): Promise<ReviewEnd | undefined> {
    switch (verb) {
      case 'list':
        return this.#list();
      case 'undo':
        return this.#step(() => this.#session.undo(), 'Undone', 'There is nothing to undo.');
      case 'redo':
        return this.#step(() => this.#session.redo(), 'Redone', 'There is nothing to redo.');
      case 'show':
        return this.#show();
      case 'approve':
        return this.#approve();
      case 'quit':
        return this.#leave();
      case 'help':
        return this.#talk.say(describeVerbs(this.#talk.view.width)) as Promise<undefined>;
      default:
        return this.#change(changeOf({ verb, rest }), verb === 'edit' ? splitEdit(rest) : undefined);
    }
  }

  async #list(): Promise<undefined> {
    await this.#talk.say(presentDraft(this.#session.draft, this.#talk.view));
  }

  async #show(): Promise<undefined> {
    const { view } = this.#talk;
    const rendered = await this.#session.show();
    await this.#talk.say(`${visible(rendered.text)}${presentRoom(rendered, view)}`);
  }

  async #step(step: () => Promise<boolean>, done: string, nothing: string): Promise<undefined> {
    try {
      await this.#talk.say((await step()) ? `${done}. ${this.#standing()}` : nothing);
    } catch (error) {
      if (!isConflict(error)) throw error;
      await this.#meet(error);
      await this.#talk.say('Nothing was undone or redone: that would undo what somebody else did.');
    }
  }

  async #change(change: DraftChange, edited: { id: string; text: string } | undefined): Promise<undefined> {
    let places: readonly string[];
    try {
      places = await this.#session.change(change);
    } catch (error) {
      if (!isConflict(error)) throw error;
      await this.#meet(error);
      if (!(await this.#wantsMine(edited))) {
        await this.#talk.say('Left unchanged.');
        return;
      }
      places = await this.#session.change(change);
    }
    await this.#talk.say(this.#standing());
    for (const line of wordsRemain(places)) await this.#talk.say(this.#gray(line));
  }

  /** Another caller changed the draft first: their version is shown before anything else happens. */
  async #meet(error: HandoffError): Promise<void> {
    const draft = await this.#session.refresh();
    if (draft.delivery.state !== 'draft') throw error;
    await this.#talk.complain(
      `Somebody else changed the draft meanwhile. It is now version ${draft.delivery.version}:`,
    );
    await this.#list();
  }

  async #wantsMine(edited: { id: string; text: string } | undefined): Promise<boolean> {
    const { draft } = this.#session;
    if (edited !== undefined) {
      const theirs = wordsOfItem(draft.content, edited.id);
      await this.#talk.say(this.#quote('theirs', theirs ?? '(there is no such item any more)'));
      await this.#talk.say(this.#quote('yours ', edited.text));
    }
    return isYes(await this.#talk.ask('Apply your change anyway? [y/N] '));
  }

  /** Binds what was shown: where the present text was not shown, it is shown first, and the reviewer is asked. */
  async #approve(): Promise<ReviewEnd | undefined> {
    if (!this.#session.isShown) {
      await this.#show();
      if (!isYes(await this.#talk.ask('Approve exactly this? [y/N] '))) {
        await this.#talk.say('Not approved.');
        return this.#talk.isTyped ? undefined : { code: EXIT_NO, handoff: this.#session.draft };
      }
    }
    try {
      const handoff = await this.#session.approve();
      await this.#talk.say([`Approved. ${this.#state(handoff)}`, ...this.#afterApproval(handoff)].join('\n'));
      return { code: EXIT_OK, handoff };
    } catch (error) {
      if (!isConflict(error)) throw error;
      await this.#meet(error);
      await this.#talk.say('Not approved: look at the current version.');
      return this.#talk.isTyped ? undefined : { code: exitCodes.conflict, handoff: this.#session.draft };
    }
  }

  async #leave(): Promise<ReviewEnd> {
    const { draft, changes } = this.#session;
    const kept = changes === 0 ? '' : ` with ${changes === 1 ? 'your change' : `your ${changes} changes`}`;
    await this.#talk.say(`It stays a draft${kept}. Go on: baton review ${shortId(draft.id)}`);
    return { code: EXIT_OK, handoff: draft };
  }

  #afterApproval(handoff: Handoff): string[] {
    return [...describeApproval(handoff, this.#talk.view), this.#gray(howToTake(handoff, this.#talk.view))];
  }

  #standing(): string {
    const { content, delivery } = this.#session.draft;
    return this.#gray(`Version ${delivery.version}: ${describeItems(content).trim()}.`);
  }

  #state(handoff: Handoff): string {
    return `${this.#talk.view.style('bold', shortId(handoff.id))}  ${describeState(handoff, this.#talk.view)}`;
  }

  #quote(name: string, text: string): string {
    return `  ${name}  ${wrapped(text, this.#talk.view.width, '          ')}`;
  }

  #gray(text: string): string {
    return this.#talk.view.style('gray', text);
  }
}

function changeOf({ verb, rest }: ReviewWord): DraftChange {
  switch (verb) {
    case 'edit':
      return { changes: { reword: [splitEdit(rest)] } };
    case 'remove':
      return { changes: { remove: rest.split(/[\s,]+/) } };
    case 'title':
    case 'summary':
      return { changes: { [verb]: rest } };
    default:
      return { changes: { add: { [lists[verb as keyof typeof lists]]: [rest] } } };
  }
}

/** The list that each word adds to. */
const lists = {
  add: 'decisions',
  next: 'next_steps',
  file: 'files',
  risk: 'risks',
  question: 'open_questions',
} as const;

const isYes = (answer: string | undefined): boolean => /^\s*y(?:es)?\s*$/i.test(answer ?? '');

function isConflict(error: unknown): error is HandoffError {
  return isHandoffError(error) && error.code === 'conflict';
}

/** Only a draft can be changed; refused here, because at the first change the reviewer would have read in vain. */
function assertDraft({ id, delivery }: Handoff): void {
  const { state } = delivery;
  if (state === 'draft') return;
  throw new HandoffError('conflict', `Handoff ${id} is ${state}: only a draft can be reviewed.`, {
    details: { id, state },
    alternatives: [`Look at it: baton show ${shortId(id)}`, 'See the drafts: baton list --state draft'],
  });
}

/** A draft for its reviewer: as `show` prints it, with how sure each decision is, the implied ones last. */
function presentDraft(draft: Handoff, view: View): string {
  const decisions = draft.content.decisions
    .map((decision) => ({ ...decision, content: `${decision.content}${confidenceOf(decision)}` }))
    .toSorted((a, b) => Number(isImplied(a)) - Number(isImplied(b)));
  return presentHandoff({ ...draft, content: { ...draft.content, decisions } }, view, { words: true });
}

function confidenceOf({ confidence }: Content['decisions'][number]): string {
  return confidence === undefined ? '' : ` [confidence ${confidence}]`;
}

/** The lines below the text for a receiver: how much of its budget it uses, and what had to be cut. */
function presentRoom({ tokens, budget, cut, sha256 }: OperationOutput<'handoff.render'>, view: View): string {
  const left = Object.entries(cut).map(([name, count]) => `${count} of ${name}`);
  const cuts = left.length === 0 ? 'nothing was cut' : `cut: ${left.join(', ')}`;
  return view.style('gray', `${tokens} tokens of ${budget}; ${visible(cuts)}. SHA-256 ${sha256}`);
}

/** A word that a reviewer can type: its argument, its one-letter form, and what it does. */
const verbs = {
  list: { letter: 'l', form: '', what: 'the draft: summary, decisions with their quotes, files, risks' },
  edit: { letter: 'e', form: 'ID TEXT', what: 'reword an item; for a file, why it matters' },
  remove: { letter: 'r', form: 'ID…', what: 'remove items' },
  add: { letter: 'a', form: 'TEXT', what: 'add a decision' },
  next: { letter: 'n', form: 'TEXT', what: 'add a next step' },
  file: { letter: 'f', form: 'PATH', what: 'add a file' },
  risk: { letter: 'k', form: 'TEXT', what: 'add a risk' },
  question: { letter: 'o', form: 'TEXT', what: 'add an open question' },
  title: { letter: 't', form: 'TEXT', what: 'change the title' },
  summary: { letter: 'm', form: 'TEXT', what: 'change the summary' },
  undo: { letter: 'u', form: '', what: 'undo the last change' },
  redo: { letter: 'd', form: '', what: 'redo it' },
  show: { letter: 's', form: '', what: 'exactly the text that a receiver gets' },
  approve: { letter: 'y', form: '', what: 'open it for receivers, bound to the text that was shown' },
  quit: { letter: 'q', form: '', what: 'quit; changes are kept, and the draft stays a draft' },
  help: { letter: '?', form: '', what: 'this list' },
} as const;

/** One of a reviewer's words. */
type Verb = keyof typeof verbs;

/** A line that was understood. */
interface ReviewWord {
  verb: Verb;
  /** The rest of the line, without the blanks around it. */
  rest: string;
}

/**
 * Reads a line: a word or its letter, and its argument. An empty line does nothing.
 *
 * @throws HandoffError `invalid_input` for another word, or a word without its argument.
 */
function readWord(line: string): ReviewWord | null {
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
function splitEdit(rest: string): { id: string; text: string } {
  const [, id = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (text === '') throw incomplete('edit');
  return { id, text };
}

/** What the help page has of the review itself: the words that a reviewer can type. */
export function renderReviewHelp(): string {
  const examples = [
    { line: 'baton review', what: 'the newest draft, at a terminal' },
    { line: 'baton review 7QX4M2AB < changes.txt', what: 'one command per line, the last two: show, approve' },
  ];
  return `\n${fold('Commands of the review, by name or letter:')}\n${describeVerbs(helpWidth())}\n${formatExamples({ examples })}\n`;
}

/** The list of words, one per line. */
function describeVerbs(columns: number): string {
  const rows = (Object.keys(verbs) as Verb[]).map((name) => {
    const { letter, form, what } = verbs[name];
    return [`  ${letter}  ${name} ${form}`.trimEnd(), what] as const;
  });
  const width = Math.max(...rows.map(([words]) => words.length));
  const indent = ' '.repeat(width + 2);
  return rows.map(([words, what]) => `${words.padEnd(width)}  ${wrapped(what, columns, indent)}`).join('\n');
}

function unknownWord(word: string): HandoffError {
  return new HandoffError('invalid_input', `"${word.slice(0, 40)}" is not a command of the review.`, {
    alternatives: ['See them: ?'],
  });
}

function incomplete(verb: Verb): HandoffError {
  const { letter, form } = verbs[verb];
  return new HandoffError('invalid_input', `${verb} needs more words.`, {
    alternatives: [`Write it as: ${verb} ${form}, or ${letter} ${form}`],
  });
}
