import type { ClaimRequest } from '../../core/store.ts';
import type { ReadRow } from '../handoff-columns.ts';
import type { Statement, Work } from './work.ts';

/** What a list goes through: the rows of one state, what awaits a proof, an id's end, a project, or everything. */
export type RowsOfList = 'draft' | 'open' | 'claimed' | 'waiting' | 'dead' | 'offered' | 'suffix' | 'project' | 'all';

/** Who asks for the oldest handoffs of a queue, and when; without a time, at that of the transaction. */
export interface Claimer {
  holder: string;
  now_ms?: number;
}

/** What the two databases say in different words. All other SQL is written once, for both. */
export interface Dialect {
  /** Whether a column is one of a parameter's list. */
  isAmong: (column: string, parameter: string) => string;
  /** Whether a column's scope is below that of a parameter. */
  isBelow: (column: string, parameter: string) => string;
  /** Whether a content's title or summary has `:text`, and whether it names a file whose path begins with `:file`. */
  holdsText: string;
  namesFile: string;
  /** The position of a handoff, as in the indexes of lists, and the order in which lines of history were written. */
  place: string;
  line: string;
  /** `FROM`, with the condition that finds the rows of a list. @param isWhole - whether more is read than positions. */
  from: (rows: RowsOfList, isWhole: boolean) => string;
  /** The table that says how handoffs travel, joined with what else a handoff is made of. */
  deliveries: string;
  /** Open, in the words of the index of what expires. */
  isOpen: string;
  /** Ends a statement that locks what it reads until the transaction ends. */
  forUpdate: string;
  /** One row of parameters for each row that is written. */
  given: (columns: readonly string[]) => string;
  selectHandoff: string;
  /** The same, locked until the transaction ends. */
  lock: (id: string) => Statement;
  insertHandoffs: string;
  /** A step that changes these columns; the rows must still be what the steps were computed from. */
  updateDeliveries: (columns: readonly string[]) => string;
  updateContents: string;
  insertEvents: string;
  /** Removes final handoffs of the named versions, and returns the ids of those that were there. */
  deleteFinal: string;
  /** The oldest that a claim may take, locked. */
  oldest: (request: ClaimRequest, claimer: Claimer) => Work<readonly ReadRow[]>;
  /** `FROM`, with what a claimer may take: addressed to it, and to nobody. */
  claimable: (byTask: boolean) => readonly string[];
  /** Gives a sequence number to every history line that did not get one when it was written. */
  placeLines: () => Work<unknown>;
}

const named = (names: string): readonly string[] => names.trim().split(/\s+/);

/** Columns that never change after a handoff is added; the database adds the position, `seq`. */
export const originColumns = named('id project created_at idempotency_key begun_as_draft');

/** The content and what repeats parts of it. */
export const contentColumns = named(`
kind task_id source_agent target_agent scope phase session branch content_sha256 content payload_sha256`);

/** How it travels. */
export const deliveryColumns = named(`
state version content_revision available_at expires_at attempts max_attempts fence
lease_holder lease_holder_type lease_token lease_expires_at acknowledged_by acknowledged_at
approval offered injected failure waiting_on`);

/** A line of history. */
export const eventColumns = named(`
handoff_id project name at actor_name actor_type actor_token_id from_state to_state reason details`);

/** The columns of which a handoff is made again. */
export const handoffColumns = ['seq', ...originColumns, 'content_sha256', 'content', ...deliveryColumns].join(', ');

/** A limit. SQLite plans by the value of a bare parameter, and so again at each run: half of a list's time. */
export const upTo = (parameter: string) => `LIMIT CAST(:${parameter} AS bigint)`;
