import { expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { openHttp, sendRaw } from './http-stage.ts';

verifies(
  ['HTTP.stop'],
  'at the stop a waiting claim is answered, a stream ends, and no process listens any more',
  async () => {
    const { server, ask, call } = await openHttp();
    const events = await ask('/api/events');
    const reader = events.body?.getReader();
    await reader?.read();
    const waiting = call('handoff.claim', { wait_ms: 600_000 });
    // The server has the claim when it answers what was asked after it on another connection.
    await call('handoff.list');
    const stopped = server.close();
    expect(await waiting).toMatchObject({ status: 200, body: { handoff: null } });
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read());
    await stopped;
    expect((await sendRaw(server.port, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')).status).toBe(0);
  },
);
