import { type ClaimNarrowing, mine, nobodys } from './claim-statements.ts';
import { inScope } from './conditions.ts';
import { onOffer } from './statements.ts';

const narrowed = ({ task, kind, scope }: ClaimNarrowing, addressed: string) =>
  ['project = :project', onOffer, 'seq > 0', addressed, 'NOT has_moved', 'seq >= :floor::bigint']
    .concat(task ? 'task_id = :task_id' : [])
    .concat(kind ? 'kind = :kind' : [])
    .concat(scope ? inScope : [])
    .join(' AND ');

/**
 * The floor of a queue: below it nothing is open that never moved, and nothing will be. One look at one moment: places of a
 * project are committed in their order, so that no lower one comes after the last that is seen.
 */
export const selectFloor = (narrowing: ClaimNarrowing) => `
SELECT coalesce(least(
  (SELECT seq FROM deliveries WHERE ${narrowed(narrowing, mine(narrowing))} ORDER BY seq LIMIT 1),
  (SELECT seq FROM deliveries WHERE ${narrowed(narrowing, nobodys(narrowing))} ORDER BY seq LIMIT 1),
  (SELECT seq + 1 FROM handoffs WHERE project = :project ORDER BY seq + 0 DESC LIMIT 1)
), 0) AS floor`;
