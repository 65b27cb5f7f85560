import type { Content, ContentInput } from '../../../core/content.ts';
import type { Handoff } from '../../../core/handoff.ts';
import type { Baton } from '../../../operations/baton.ts';
import type { OperationInput, OperationOutput } from '../../../operations/catalogue.ts';

/** A change of a draft, in the words of `handoff.edit`. */
export type DraftChange = Pick<OperationInput<'handoff.edit'>, 'changes' | 'content'>;

/**
 * A draft under review: each change is an edit of the version that was seen, and another edit can undo it. The approval
 * binds the content and the text that were shown last.
 */
export class DraftSession {
  readonly #baton: Baton;
  readonly #signal: AbortSignal;
  #draft: Handoff;
  #undone: Content[] = [];
  #done: Content[] = [];
  #shown: { version: number; rendered: OperationOutput<'handoff.render'> } | undefined;

  constructor(baton: Baton, draft: Handoff, signal: AbortSignal) {
    this.#baton = baton;
    this.#draft = draft;
    this.#signal = signal;
  }

  get draft(): Handoff {
    return this.#draft;
  }

  /** How many of the changes made here are in effect. */
  get changes(): number {
    return this.#done.length;
  }

  /** Whether the text of exactly the present version was shown. */
  get isShown(): boolean {
    return this.#shown?.version === this.#draft.delivery.version;
  }

  /**
   * @returns where the words of what it removed or reworded remain.
   * @throws HandoffError as `handoff.edit`: `conflict` where somebody else changed it meanwhile.
   */
  async change(change: DraftChange): Promise<readonly string[]> {
    const { content } = this.#draft;
    const places = await this.#edit(change);
    this.#done.push(content);
    this.#undone = [];
    return places;
  }

  /** Undoes the last change. @returns false where there is none. */
  async undo(): Promise<boolean> {
    return this.#restore(this.#done, this.#undone);
  }

  /** Redoes a change that was undone. @returns false where there is none. */
  async redo(): Promise<boolean> {
    return this.#restore(this.#undone, this.#done);
  }

  /**
   * Reads the changes of others. The changes made here can no longer be undone: undoing them would also undo
   * the other changes.
   */
  async refresh(): Promise<Handoff> {
    this.#draft = await this.#baton.handoff.get({ id: this.#draft.id }, { signal: this.#signal });
    this.#done = [];
    this.#undone = [];
    return this.#draft;
  }

  /** The text that a receiver gets; from now on an approval binds it. */
  async show(): Promise<OperationOutput<'handoff.render'>> {
    const rendered = await this.#baton.handoff.render({ id: this.#draft.id }, { signal: this.#signal });
    this.#shown = { version: this.#draft.delivery.version, rendered };
    return rendered;
  }

  /** Approves what was shown last. @throws HandoffError `conflict` where the draft has changed since. */
  async approve(): Promise<Handoff> {
    const { id, content_sha256 } = this.#draft;
    const { sha256: rendered_sha256, budget } = this.#shown?.rendered ?? {};
    const input = { id, content_sha256, rendered_sha256, budget };
    this.#draft = await this.#baton.handoff.approve(input, { signal: this.#signal });
    return this.#draft;
  }

  async #restore(from: Content[], to: Content[]): Promise<boolean> {
    const wanted = from.at(-1);
    if (wanted === undefined) return false;
    const { content } = this.#draft;
    await this.#edit({ content: wanted as ContentInput });
    from.pop();
    to.push(content);
    return true;
  }

  async #edit(change: DraftChange): Promise<readonly string[]> {
    const { id, delivery } = this.#draft;
    const input = { id, ...change, if_version: delivery.version };
    const { words_remain_in = [], ...draft } = await this.#baton.handoff.edit(input, { signal: this.#signal });
    this.#draft = draft;
    return words_remain_in;
  }
}
