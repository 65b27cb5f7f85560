import { handoffsMigration } from './001-handoffs.ts';
import { offersMigration } from './002-offers.ts';
import { queueMigration } from './003-queue.ts';
import { listsMigration } from './004-lists.ts';
import { payloadPlaceMigration } from './005-payload-place.ts';
import { historyByPlaceMigration } from './006-history-by-place.ts';
import { payloadBytesMigration } from './007-payload-bytes.ts';
import { plainConditionMigration } from './008-plain-condition.ts';
import { tokensMigration } from './009-tokens.ts';

/** All schemas in their order: the first leads to version 1. One that was released is never changed. */
export const migrations: readonly string[] = [
  handoffsMigration,
  offersMigration,
  queueMigration,
  listsMigration,
  payloadPlaceMigration,
  historyByPlaceMigration,
  payloadBytesMigration,
  plainConditionMigration,
  tokensMigration,
];
