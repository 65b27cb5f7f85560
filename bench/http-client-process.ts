import { Agent, request } from 'node:http';
import { answerAsParticipant } from './processes.ts';

/** The clients of `http`: a process of their own, so that they take no time of the server's. */

/** The load of the clients: one request, many times, with so many at once. */
export interface ClientsTask {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  /** Of a POST. */
  body?: string;
  token: string;
  requests: number;
  clients: number;
}

/** How long each request took, in milliseconds, in no order. */
export interface ClientsAnswer {
  taken_ms: number[];
}

answerAsParticipant((task) => askAll(task as unknown as ClientsTask));

async function askAll(task: ClientsTask): Promise<ClientsAnswer> {
  const agent = new Agent({ keepAlive: true, maxSockets: task.clients });
  const taken_ms: number[] = [];
  let begun = 0;
  const work = async () => {
    while (begun < task.requests) {
      begun += 1;
      const start_ms = performance.now();
      await askOnce(task, agent);
      taken_ms.push(performance.now() - start_ms);
    }
  };
  await Promise.all(Array.from({ length: task.clients }, work));
  agent.destroy();
  return { taken_ms };
}

function askOnce({ port, method, path, body, token }: ClientsTask, agent: Agent): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${path} answered ${answer.statusCode}.`)),
      );
    });
    asked.once('error', reject);
    asked.end(body);
  });
}
