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

/** How the draft on the screen stands to the one on the server. */
export interface SyncState {
  /** `closed`: it is no draft any more, and what was not saved cannot be. */
  phase: 'saved' | 'saving' | 'failed' | 'closed';
  /** Why it is not saved; empty where nothing is wrong. */
  reason: string;
  /** What was made differently here and elsewhere: until a person chose, nothing is approved. */
  conflicts: readonly Conflict[];
  /** As the server gave it last. */
  handoff: Handoff;
}

/** The server, as far as the draft goes. */
export interface DraftServer {
  /** @throws ServerProblem `conflict` where it is another version. */
  edit(input: OperationInput<'handoff.edit'>): Promise<Handoff>;
  get(): Promise<Handoff>;
}

/** What a synchroniser works with. */
export interface DraftSyncInput {
  store: HandoffDraftStore;
  /** The draft as it was just loaded. */
  handoff: Handoff;
  server: DraftServer;
  shelf: UnsentShelf;
  /** Calls later, unless what it gives is called before. */
  after: (ms: number, run: () => void) => () => void;
}

/** How long changes are gathered before they are sent, and how long a server that is away is left alone. */
const SAVE_AFTER_MS = 250;
const RETRY_MS = 3_000;

/** So often another one may be faster before a person is told. */
const TRIES_MAX = 8;

/**
 * Keeps a draft's store and the draft on the server together: one edit under way at a time, what comes meanwhile in the
 * next one, each bound to the version that was seen. What happened elsewhere is put together with what happened here.
 * Words that the server has not stand on the shelf, so that whatever ends the page loses none.
 */
export class DraftSync {
  readonly state: StoreApi<SyncState>;
  readonly #input: DraftSyncInput;
  #server: DraftParts;
  #running: Promise<void> | undefined;
  /** The content that somebody is said to have made; empty where only a look tells. */
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

  /** Says that something happened to the draft. @param content_sha256 - what it was made into, where that is known. */
  hear(content_sha256 = ''): void {
    if (content_sha256 !== '' && content_sha256 === this.state.getState().handoff.content_sha256) return;
    this.#heard = content_sha256;
    void this.#run();
  }

  /** Sends at once what there is to send. It never throws: `state` tells. */
  async save(): Promise<void> {
    this.#callOff();
    await this.#run();
  }

  /** Chooses in a conflict: what was written here, or what it says now. */
  resolve(conflict: Conflict, way: 'mine' | 'theirs'): void {
    const rest = this.state.getState().conflicts.filter((each) => each !== conflict);
    this.state.setState({ conflicts: rest });
    if (way === 'mine') putParts(this.#input.store, keepMine(this.#local(), conflict));
    this.#changed();
  }

  /** Sends what there is without waiting for an answer, as when the page goes away. */
  leave(send: (input: OperationInput<'handoff.edit'>) => void): void {
    const edit = this.#findEdit();
    if (edit !== null && this.#running === undefined && !this.#isClosed) send(edit);
  }

  /** Listens no more. What is not saved stays on the shelf. */
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

  /** Conflicts that the draft does not settle by itself; of two about one item the later. */
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

  /** There is nothing to send; a fault says what cannot be. */
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

  /** One at a time: who comes while it runs waits for all of it, which takes in what he changed. */
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

  /** Looks at what was heard of, else sends what there is to send. True where there was neither. */
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
    // A summary that could not be sent is no part of what the server was told.
    this.#take(
      answered,
      edit.changes?.summary === undefined ? { ...sent, brainstormSummary: this.#server.brainstormSummary } : sent,
    );
    return false;
  }

  /** @param base - what both the present draft here and the server's came from. */
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

/** Puts parts into a draft's store as one step that undo takes back. */
function putParts(store: HandoffDraftStore, parts: DraftParts): void {
  const state = store.getState();
  if (isSame(partsIn(state), parts)) return;
  const past = [...state.past, { ...partsIn(state), review: state.review }].slice(-limits.draft_undo_max);
  store.setState({ ...withKnown(state, parts), past, future: [], canUndo: true, canRedo: false });
}

/**
 * Puts what happened elsewhere into a draft's store, also into what undo and redo go back to: taking back what was done
 * here never takes back what others did. What both changed differently says theirs.
 *
 * @returns what that concerns.
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

/** Parts that are the same as before stay the same objects: a screen draws only what changed. */
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
