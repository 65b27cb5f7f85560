import { handoffsMigration } from './001-handoffs.ts';
import { expiringMigration } from './002-expiring.ts';
import { deliveriesMigration } from './003-deliveries.ts';
import { tokensMigration } from './004-tokens.ts';

/** All schemas in their order: the first leads to version 1. One that was released is never changed. */
export const migrations: readonly string[] = [
  handoffsMigration,
  expiringMigration,
  deliveriesMigration,
  tokensMigration,
];
