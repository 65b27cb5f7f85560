import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import type { Contender } from './contest.ts';
import { dropSchema } from './postgres-schema.ts';
import { createInputs } from './sample-work.ts';

/** Other queues on Postgres, used as their documentation recommends. */

const task = 'handoff';
const silent = new Logger(() => () => {});

/** graphile-worker's own worker at its fastest: 500 jobs held ready, completions in batches. */
export function workWithGraphile(url: string, count: number): Contender {
  return {
    prepare: async () => {
      const utils = await makeWorkerUtils({ connectionString: url, logger: silent });
      await utils.migrate();
      for (const inputs of [createInputs(count)]) {
        await utils.addJobs(inputs.map((payload) => ({ identifier: task, payload })));
      }
      await utils.release();
      return { operations: count, work: () => workAll(url, count), close: () => dropSchema(url, 'graphile_worker') };
    },
  };
}

async function workAll(url: string, count: number): Promise<void> {
  let done = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const runner = await run({
    noHandleSignals: true,
    taskList: {
      [task]: (payload) => {
        if (typeof payload === 'object') done += 1;
        if (done === count) finish();
      },
    },
    preset: {
      worker: {
        connectionString: url,
        logger: silent,
        concurrentJobs: 24,
        maxPoolSize: 10,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });
  await finished;
  // It waits for the last completions.
  await runner.stop();
}

/** One `send` each, one after the other. */
export function sendWithBoss(url: string, count: number): Contender {
  return withBoss(url, async (boss) => {
    const inputs = createInputs(count);
    const work = async () => {
      for (const input of inputs) await boss.send(task, input);
    };
    return { operations: count, work };
  });
}

/** One `fetch` and one `complete` each, one after the other. */
export function fetchWithBoss(url: string, count: number): Contender {
  return withBoss(url, async (boss) => {
    await boss.insert(
      task,
      createInputs(count).map((data) => ({ data })),
    );
    const work = async () => {
      for (let done = 0; done < count; done += 1) {
        const [job] = await boss.fetch(task);
        if (job === undefined) throw new Error('pg-boss has no job left.');
        await boss.complete(task, job.id);
      }
    };
    return { operations: count, work };
  });
}

function withBoss(
  url: string,
  lay: (boss: PgBoss) => Promise<{ operations: number; work: () => Promise<void> }>,
): Contender {
  return {
    prepare: async () => {
      const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
      await boss.start();
      await boss.createQueue(task);
      const close = async () => {
        await boss.stop({ graceful: false });
        await dropSchema(url, 'pgboss');
      };
      return { ...(await lay(boss)), close };
    },
  };
}
