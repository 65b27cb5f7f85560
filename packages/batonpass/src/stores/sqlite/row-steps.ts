import type { Parameters, Row } from './driver.ts';

/**
 * What the guarded statements of a claim and of its end make of a row, which the database is not asked for again. The row
 * itself is changed: a copy of so many members takes longer than its reading.
 */

/** A row as `claimAt` leaves it. */
export function claimedRow(row: Row, claim: Parameters & { counted: number }): Row {
  row.state = 'claimed';
  row.version = Number(row.version) + 1;
  row.fence = Number(row.fence) + 1;
  row.attempts = Number(row.attempts) + claim.counted;
  row.lease_holder = claim.holder ?? null;
  row.lease_holder_type = claim.holder_type ?? null;
  row.lease_token = claim.token ?? null;
  row.lease_expires_at = claim.lease_expires_at ?? null;
  row.available_at = row.created_at ?? null;
  row.offered = claim.offered ?? null;
  return row;
}

/** A row as `acknowledgeAt` and `takeAt` leave it. */
export function acknowledgedRow(row: Row, { holder, now }: Parameters): Row {
  row.state = 'acknowledged';
  row.version = Number(row.version) + 1;
  row.acknowledged_by = holder ?? null;
  row.acknowledged_at = now ?? null;
  row.lease_holder = null;
  row.lease_holder_type = null;
  row.lease_token = null;
  row.lease_expires_at = null;
  row.offered = null;
  return row;
}
