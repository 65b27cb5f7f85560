import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { openHttp } from './http-stage.ts';

const example = join(import.meta.dirname, '../../../examples/hand-over-with-curl.sh');

verifies(['HTTP.curl'], 'a program of nothing but curl hands over, claims and acknowledges', async () => {
  const { server, token, baton } = await openHttp({ auth: true });
  const env = { ...process.env, BATON_URL: server.url, BATON_TOKEN: await token('curl') };
  const { stdout } = await promisify(execFile)('sh', [example], { env });
  const { events } = await baton.run('handoff.events', {});
  const [created] = events;
  const id = created?.handoff_id;
  expect(stdout).toBe(`handed over   ${id}\nclaimed       ${id}\nacknowledged  ${id}\n`);
  expect(events.map(({ name, actor }) => [name, actor.name])).toEqual([
    ['handoff-created', 'curl'],
    ['handoff-claimed', 'curl'],
    ['handoff-acknowledged', 'curl'],
  ]);
});

verifies(['HTTP.curl', 'HTTP.refusal'], 'without a good token it ends with the reason', async () => {
  const { server } = await openHttp({ auth: true });
  const env = { ...process.env, BATON_URL: server.url, BATON_TOKEN: 'none' };
  await expect(promisify(execFile)('sh', [example], { env })).rejects.toMatchObject({ code: 22 });
});
