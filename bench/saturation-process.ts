import { openSqliteStore } from '../packages/batonpass/src/stores/sqlite/store.ts';
import { answerAsParticipant } from './processes.ts';
import { acknowledging, claiming, createInput, createNewHandoff, creating, requestOf } from './sample-work.ts';

/** One of several processes that work on one store without a pause: it creates one, claims one, acknowledges it. */

/** What one process did in its time. */
export interface Saturation {
  operations: number;
  /** The longest that one call took. */
  worst_ms: number;
}

const [path = ''] = process.argv.slice(2);
const store = await openSqliteStore(path);

answerAsParticipant(({ duration_ms }) => saturate(Number(duration_ms)));

async function saturate(duration_ms: number): Promise<Saturation> {
  const saturation: Saturation = { operations: 0, worst_ms: 0 };
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const start_ms = performance.now();
    const answer = await work();
    saturation.operations += 1;
    saturation.worst_ms = Math.max(saturation.worst_ms, performance.now() - start_ms);
    return answer;
  };
  const end_ms = performance.now() + duration_ms;
  while (performance.now() < end_ms) {
    const given = createNewHandoff(createInput(saturation.operations));
    await timed(() => store.create([given], creating));
    const { handoffs } = await timed(() => store.claim(requestOf(1), claiming));
    for (const { id, delivery } of handoffs) {
      const token = delivery.lease?.token ?? '';
      await timed(() => store.transition(id, { type: 'acknowledge', token }, acknowledging));
    }
  }
  return saturation;
}
