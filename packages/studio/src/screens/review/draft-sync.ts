import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { limits } from '../../../../batonpass/src/core/limits.ts';
import type { HandoffDraftStore } from '../../../../batonpass/src/draft/draft-store.ts';
import type { HandoffDraft } from '../../../../batonpass/src/draft/handoff-draft.ts';
import type { OperationInput } from '../../../../batonpass/src/operations/catalogue.ts';
import { describeProblem, ServerProblem } from '../../server/server-problem.ts';
import { findChanges } from './draft-changes.ts';
import { type DraftParts, isSame, partsIn, partsOf } from './draft-parts.ts';
import { type Conflict, isSettled, keepMine, mergeDrafts } from './merge-drafts.ts';
import type { UnsentShelf } from './unsent-words.ts';

/** The state of the draft on the screen, compared with the server's. */
export interface SyncState {
  /** `closed`: it is no longer a draft, and unsaved changes cannot be saved. */
  phase: 'saved' | 'saving' | 'failed' | 'closed';
  /** Why it is not saved; empty where nothing is wrong. */
  reason: string;
  /** Conflicting changes here and elsewhere: until the user chooses, no approval is possible. */
  conflicts: readonly Conflict[];
  /** The server's last version. */
  handoff: Handoff;
}

/** The server's operations on the draft. */
interface DraftServer {
  /** @throws ServerProblem `conflict` where the version is another one. */
  edit(input: OperationInput<'handoff.edit'>): Promise<Handoff>;
  get(): Promise<Handoff>;
}

/** The inputs of a synchroniser. */
interface DraftSyncInput {
  store: HandoffDraftStore;
  /** The draft as it was just loaded. */
  handoff: Handoff;
  server: DraftServer;
  shelf: UnsentShelf;
  /** Calls `run` later, unless the returned function is called before. */
  after: (ms: number, run: () => void) => () => void;
}

/** How long changes are collected before they are sent, and the retry delay of an unreachable server. */
const SAVE_AFTER_MS = 250;
const RETRY_MS = 3_000;

/** How often an edit may lose against others before the user is notified. */
const TRIES_MAX = 8;

/**
 * Keeps a draft's store and the draft on the server in sync: one edit in flight at a time, later changes in the next
 * one, each bound to the version that was seen. Changes from elsewhere are merged with those here. Unsaved texts are on
 * the shelf, so that no end of the page loses them.
 */
export class DraftSync {
  readonly state: StoreApi<SyncState>;
  readonly #input: DraftSyncInput;
  #server: DraftParts;
  #running: Promise<void> | undefined;
  /** The hash of a reported change; empty where it is unknown and the draft must be loaded. */
  #heard: string | undefined;
  #isTaking = false;
  #isClosed = false;
  #callOff = () => {};
  readonly #unsubscribe: () => void;

  constructor(input: DraftSyncInput) {
    this.#input = input;
    const { store, handoff, shelf } = input;
    this.#server = partsOf(handoff.content);
    this.state = createStore<SyncState>(() => ({ phase: 'saved', reason: '', conflicts: [], handoff }));
    store.setState({ ...this.#server, past: [], future: [], canUndo: false, canRedo: false });
    for (const { base, mine, conflicts } of shelf.find()) this.#takeUp({ base, mine, conflicts });
    this.#unsubscribe = store.subscribe((now, before) => {
      if (!this.#isTaking && !isSame(partsIn(now), partsIn(before))) this.#changed();
    });
    this.#changed();
    shelf.settle();
  }

  /** Reports a change of the draft. @param content_sha256 - the hash after it, where that is known. */
  hear(content_sha256 = ''): void {
    if (content_sha256 !== '' && content_sha256 === this.state.getState().handoff.content_sha256) return;
    this.#heard = content_sha256;
    void this.#run();
  }

  /** Sends unsaved changes at once. It never throws: `state` has the result. */
  async save(): Promise<void> {
    this.#callOff();
    await this.#run();
  }

  /** Settles a conflict: the text from here, or the present one. */
  resolve(conflict: Conflict, way: 'mine' | 'theirs'): void {
    const rest = this.state.getState().conflicts.filter((each) => each !== conflict);
    this.state.setState({ conflicts: rest });
    if (way === 'mine') putParts(this.#input.store, keepMine(this.#local(), conflict));
    this.#changed();
  }

  /** Sends unsaved changes without waiting for an answer, as when the page is closed. */
  leave(send: (input: OperationInput<'handoff.edit'>) => void): void {
    const edit = this.#findEdit();
    if (edit !== null && this.#running === undefined && !this.#isClosed) send(edit);
  }

  /** Stops. Unsaved texts stay on the shelf. */
  close(): void {
    this.#callOff();
    this.#isClosed = true;
    this.#unsubscribe();
  }

  #takeUp({ base, mine, conflicts }: { base: DraftParts; mine: DraftParts; conflicts: readonly Conflict[] }): void {
    const merged = mergeDrafts({ base, mine, theirs: this.#local() });
    putParts(this.#input.store, merged.parts);
    this.#note([...conflicts, ...merged.conflicts]);
  }

  #local(): DraftParts {
    return partsIn(this.#input.store.getState());
  }

  /** Stores conflicts that the draft has not settled; of two about one item the later. */
  #note(found: readonly Conflict[]): void {
    const local = this.#local();
    const all = [...this.state.getState().conflicts, ...found].filter((each) => !isSettled(local, each));
    const byItem = new Map(all.map((each) => [`${each.list} ${each.id}`, each]));
    this.state.setState({ conflicts: [...byItem.values()] });
  }

  #findEdit(): OperationInput<'handoff.edit'> | null {
    const { handoff } = this.state.getState();
    const { changes } = findChanges(this.#server, this.#local());
    return changes === null ? null : { id: handoff.id, changes, if_version: handoff.delivery.version };
  }

  #changed(): void {
    this.#shelve();
    if (this.#isClosed || this.state.getState().phase === 'closed') return;
    const { changes, fault } = findChanges(this.#server, this.#local());
    if (changes !== null) {
      this.state.setState({ phase: 'saving', reason: '' });
      this.#schedule(SAVE_AFTER_MS);
    } else if (this.#running === undefined) this.#rest(fault);
  }

  /** Nothing to send; a fault names what cannot be sent. */
  #rest(fault: string | null): void {
    this.state.setState({ phase: fault === null ? 'saved' : 'failed', reason: fault ?? '' });
  }

  #shelve(): void {
    const local = this.#local();
    const { conflicts } = this.state.getState();
    const isAll = conflicts.length === 0 && isSame(local, this.#server);
    this.#input.shelf.keep(isAll ? null : { base: this.#server, mine: local, conflicts });
  }

  #schedule(ms: number): void {
    this.#callOff();
    this.#callOff = this.#input.after(ms, () => void this.#run());
  }

  /** One run at a time: a caller during a run waits for all of it, which includes the caller's changes. */
  #run(): Promise<void> {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #work(): Promise<void> {
    for (let tries = 0; !this.#isClosed && this.state.getState().phase !== 'closed'; ) {
      try {
        if (await this.#step()) return;
      } catch (error) {
        if (error instanceof ServerProblem && error.code === 'conflict' && tries < TRIES_MAX) {
          tries += 1;
          this.#heard = '';
        } else return this.#fail(error);
      }
    }
  }

  /** Loads a reported change, else sends unsaved changes. True where there was neither. */
  async #step(): Promise<boolean> {
    const { server } = this.#input;
    if (this.#heard !== undefined && this.#heard !== this.state.getState().handoff.content_sha256) {
      this.#heard = undefined;
      this.#take(await server.get(), this.#server);
      return false;
    }
    this.#heard = undefined;
    const edit = this.#findEdit();
    if (edit === null) {
      this.#rest(findChanges(this.#server, this.#local()).fault);
      return true;
    }
    this.state.setState({ phase: 'saving', reason: '' });
    const sent = this.#local();
    const answered = await server.edit(edit);
    // A summary that could not be sent is not part of the base.
    this.#take(
      answered,
      edit.changes?.summary === undefined ? { ...sent, brainstormSummary: this.#server.brainstormSummary } : sent,
    );
    return false;
  }

  /** @param base - the common ancestor of the present draft here and the server's. */
  #take(handoff: Handoff, base: DraftParts): void {
    const theirs = partsOf(handoff.content);
    this.#isTaking = true;
    const conflicts = takeTheirs(this.#input.store, { base, theirs });
    this.#isTaking = false;
    this.#server = theirs;
    this.state.setState({ handoff });
    this.#note(conflicts);
    this.#shelve();
    if (handoff.delivery.state !== 'draft') this.state.setState({ phase: 'closed', reason: '' });
  }

  #fail(error: unknown): void {
    this.state.setState({ phase: 'failed', reason: describeProblem(error) });
    const isAway = error instanceof ServerProblem && ['unreachable', 'unavailable'].includes(error.code);
    if (isAway && !this.#isClosed) this.#schedule(RETRY_MS);
  }
}

/** Puts parts into a draft's store as one step that can be undone. */
function putParts(store: HandoffDraftStore, parts: DraftParts): void {
  const state = store.getState();
  if (isSame(partsIn(state), parts)) return;
  const past = [...state.past, { ...partsIn(state), review: state.review }].slice(-limits.draft_undo_max);
  store.setState({ ...withKnown(state, parts), past, future: [], canUndo: true, canRedo: false });
}

/**
 * Merges changes from elsewhere into a draft's store, also into its undo and redo history: undo here never reverts
 * changes of others. A conflict takes their version.
 *
 * @returns the conflicts.
 */
function takeTheirs(store: HandoffDraftStore, { base, theirs }: { base: DraftParts; theirs: DraftParts }): Conflict[] {
  const state = store.getState();
  const { parts, conflicts } = mergeDrafts({ base, mine: partsIn(state), theirs });
  if (isSame(base, theirs)) return conflicts;
  const rebase = (draft: HandoffDraft): HandoffDraft => ({
    ...draft,
    ...mergeDrafts({ base, mine: partsIn(draft), theirs }).parts,
  });
  store.setState({ ...withKnown(state, parts), past: state.past.map(rebase), future: state.future.map(rebase) });
  return conflicts;
}

/** Unchanged parts stay the same objects: a screen renders only what changed. */
function withKnown(known: DraftParts, parts: DraftParts): DraftParts {
  return {
    decisions: keep(known.decisions, parts.decisions),
    filesReferenced: keep(known.filesReferenced, parts.filesReferenced),
    risks: keep(known.risks, parts.risks),
    brainstormSummary: parts.brainstormSummary,
  };
}

function keep<T extends { id: string }>(known: T[], entries: T[]): T[] {
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  const kept = entries.map((entry) => {
    const former = byId.get(entry.id);
    return former !== undefined && isSame(former, entry) ? former : entry;
  });
  return kept.length === known.length && kept.every((entry, place) => entry === known[place]) ? known : kept;
}
