import { isDamage } from './failure.ts';
import type { Asked } from './tables.ts';

/** As many tell what is wrong; a broken file has thousands. */
const COMPLAINTS_MAX = 20;

/** What SQLite finds wrong with a database, read through whole; empty for a sound one. */
export function integrityComplaints(database: Asked): string[] {
  try {
    const answers = database.prepare(`PRAGMA integrity_check(${COMPLAINTS_MAX})`).all();
    return answers.map((row) => String(Object.values(row)[0])).filter((answer) => answer !== 'ok');
  } catch (error) {
    // Too damaged even to be checked.
    if (!isDamage(error) || !(error instanceof Error)) throw error;
    return [error.message];
  }
}
