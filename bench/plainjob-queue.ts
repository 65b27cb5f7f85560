import { DatabaseSync } from 'node:sqlite';
import { type Connection, defineQueue, defineWorker, type Queue } from 'plainjob';
import type { Heat } from './contest.ts';

/** Another queue on SQLite, used as its documentation recommends: `synchronous = NORMAL`, which it sets itself. */

const job = 'handoff';
const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

/** One `add` for each value, from the object to the committed row. */
export async function addWithPlainjob(path: string, values: readonly object[]): Promise<Heat> {
  const queue = openPlainjob(path);
  return {
    operations: values.length,
    work: async () => {
      for (const value of values) queue.add(job, value);
    },
    close: async () => queue.close(),
  };
}

/** The three calls that its worker makes for each job, in a bare loop, and the job's data read. */
export async function completeWithPlainjob(path: string, values: readonly object[]): Promise<Heat> {
  const queue = openPlainjob(path);
  queue.addMany(job, [...values]);
  return {
    operations: values.length,
    work: async () => {
      for (let done = 0; done < values.length; done += 1) {
        const claimed = queue.getAndMarkJobAsProcessing(job);
        if (claimed === undefined) throw new Error('plainjob has no job left.');
        JSON.parse(queue.getJobById(claimed.id)?.data ?? '');
        queue.markJobAsDone(claimed.id);
      }
    },
    close: async () => queue.close(),
  };
}

/** Its own worker with a processor that reads the job's data. */
export async function workWithPlainjob(path: string, values: readonly object[]): Promise<Heat> {
  const queue = openPlainjob(path);
  queue.addMany(job, [...values]);
  let done = 0;
  const worker = defineWorker(job, ({ data }) => void JSON.parse(data), {
    queue,
    logger: silent,
    onCompleted: () => {
      done += 1;
      // It answers once the worker has stopped, which waits for nothing more.
      if (done === values.length) void worker.stop();
    },
  });
  return { operations: values.length, work: () => worker.start(), close: async () => queue.close() };
}

function openPlainjob(path: string): Queue {
  return defineQueue({ connection: connect(path), logger: silent });
}

/** plainjob over the driver that the other contenders have, so that drivers are not compared. */
function connect(path: string): Connection {
  const database = new DatabaseSync(path);
  const within =
    (begin: string, body: (...values: unknown[]) => unknown) =>
    (...values: unknown[]) => {
      database.exec(begin);
      try {
        const answer = body(...values);
        database.exec('COMMIT');
        return answer;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    };
  return {
    // It only describes the form of results to plainjob.
    driver: 'better-sqlite3',
    filename: path,
    pragma: (sql) => database.exec(`PRAGMA ${sql}`),
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    transaction: (body) => Object.assign(within('BEGIN', body), { immediate: within('BEGIN IMMEDIATE', body) }),
    close: () => database.close(),
  } as Connection;
}
