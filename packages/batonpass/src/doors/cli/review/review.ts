import type { Content } from '../../../core/content.ts';
import { HandoffError, isHandoffError } from '../../../core/errors.ts';
import type { Handoff } from '../../../core/handoff.ts';
import type { Baton } from '../../../operations/baton.ts';
import { isToldInSummary } from '../../../operations/told-in-summary.ts';
import { describeApproval } from '../commands/writing-commands.ts';
import { EXIT_NO, EXIT_OK, exitCodes } from '../exit-codes.ts';
import { describeItems, describeState, shortId } from '../present/handoff-line.ts';
import { howToTake } from '../present/next-steps.ts';
import { itemText, presentDraft, presentRoom } from '../present/review.ts';
import { type View, visible, wrapped } from '../present/view.ts';
import { renderError } from '../render-error.ts';
import { type DraftChange, DraftSession } from './draft-session.ts';
import { describeVerbs, type ReviewWord, readWord, splitEdit } from './words.ts';

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
    await this.#talk.say(`\n${this.#gray('approve, edit ID TEXT, remove ID…, undo, show, quit; all words: ?')}`);
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
        return this.#step(() => this.#session.undo(), 'Taken back', 'There is nothing to take back.');
      case 'redo':
        return this.#step(() => this.#session.redo(), 'Made again', 'There is nothing to make again.');
      case 'show':
        return this.#show();
      case 'approve':
        return this.#approve();
      case 'quit':
        return this.#leave();
      case 'help':
        return this.#talk.say(describeVerbs()) as Promise<undefined>;
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
      await this.#talk.say('Nothing was taken back or made again: that would undo what somebody else did.');
    }
  }

  async #change(change: DraftChange, edited: { id: string; text: string } | undefined): Promise<undefined> {
    let { content } = this.#session.draft;
    try {
      await this.#session.change(change);
    } catch (error) {
      if (!isConflict(error)) throw error;
      await this.#meet(error);
      content = this.#session.draft.content;
      if (!(await this.#wantsMine(edited))) {
        await this.#talk.say('Left as it is now.');
        return;
      }
      await this.#session.change(change);
    }
    await this.#talk.say(this.#standing());
    if (this.#isToldStill(change, content)) {
      await this.#talk.say(this.#gray('The summary still says it; word it anew: summary TEXT'));
    }
  }

  /** Whether the summary contains the former words of what was just removed or reworded. */
  #isToldStill({ changes = {} }: DraftChange, before: Content): boolean {
    const { summary } = this.#session.draft.content;
    const ids = [...(changes.remove ?? []), ...(changes.reword ?? []).map(({ id }) => id)];
    return ids.some((id) => isToldInSummary(summary, itemText(before, id) ?? ''));
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
      const theirs = itemText(draft.content, edited.id);
      await this.#talk.say(this.#quote('theirs', theirs ?? '(there is no such item any more)'));
      await this.#talk.say(this.#quote('yours ', edited.text));
    }
    return isYes(await this.#talk.ask('Make your change all the same? [y/N] '));
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
      await this.#talk.say('Not approved: look at it as it is now.');
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
  throw new HandoffError('conflict', `Handoff ${id} is ${state}: only a draft is reviewed.`, {
    details: { id, state },
    alternatives: [`Look at it: baton show ${shortId(id)}`, 'See the drafts: baton list --state draft'],
  });
}
