import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import { completeContent, isHandoffError, openStore } from '../../packages/batonpass/src/index.ts';
import { HandOffService } from '../../packages/batonpass/src/queue.ts';
import { createClock } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';

const newFolder = createFolders();
const newFile = () => join(newFolder(), 'handoffs.db');
const quiet = { logLevel: 'silent' } as const;

/** The refusal of a call: one of the expected failures, which says what to do next. */
async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isHandoffError(error)) throw new Error(`Expected a refusal, got ${error}.`);
  expect(error.alternatives.length).toBeGreaterThan(0);
  return error;
}

describe('places', () => {
  verifies(['SERVICE.places'], 'a path, with or without its scheme, is the same file for every door', async () => {
    const file = newFile();
    await using byPath = new HandOffService(file, quiet);
    await using byUrl = new HandOffService(`sqlite:${file}`, quiet);
    await byPath.createHandoff('task-1', { step: 1 }, 'a');
    const store = await openStore(`sqlite:${file}`);
    expect((await store.list({ filter: { project: 'default' }, limit: 5 })).handoffs.length).toBe(1);
    await store.close();
    expect(await byUrl.claimHandoff('task-1')).toMatchObject({ payload: { step: 1 } });
  });

  verifies(['SERVICE.places'], 'what names no file of SQLite is refused, without its password', async () => {
    const wrong = [
      'postgres://ada:secret@host/db',
      'file:///x/handoffs.db',
      'memory:',
      'sqlite://host/x',
      '',
      'a\0b',
      7,
      {},
      null,
    ];
    for (const place of wrong) {
      const service = new HandOffService(place as string, quiet);
      for (const call of [
        () => service.claimHandoff('t'),
        () => service.createHandoff('t', {}, 'a'),
        () => service.listUnclaimed('t'),
      ]) {
        const { code, message, alternatives } = await refusalOf(call());
        expect(code).toBe('invalid_input');
        expect(message + alternatives.join()).not.toContain('secret');
      }
      await service.close();
    }
  });

  verifies(
    ['SERVICE.opening'],
    'a place that cannot be opened is reported to each call, until it can; a newer database names the update',
    async () => {
      const folder = join(newFolder(), 'handoffs.db');
      mkdirSync(folder);
      const service = new HandOffService(folder, quiet);
      expect((await refusalOf(service.listUnclaimed('t'))).code).toBe('unavailable');
      rmdirSync(folder);
      expect(await service.listUnclaimed('t')).toEqual([]);
      await service.close();
      const database = new DatabaseSync(folder);
      database.exec('PRAGMA user_version = 99');
      database.close();
      const newer = await refusalOf(new HandOffService(folder, quiet).claimHandoff('t'));
      expect([newer.code, newer.alternatives[0]]).toEqual(['unsupported_version', expect.stringContaining('Update')]);
    },
  );

  verifies(
    ['SERVICE.opening'],
    'a closed service refuses every call; to close it twice, or unused, does no harm',
    async () => {
      const service = new HandOffService(':memory:', quiet);
      await service.close();
      await service.close();
      expect((await refusalOf(service.claimHandoff('t'))).code).toBe('unavailable');
      const file = newFile();
      const used = new HandOffService(file, quiet);
      const creating = used.createHandoff('t', {}, 'a');
      const subscription = used.subscribe('t');
      await creating;
      expect(existsSync(`${file}-wal`)).toBe(true);
      await used.close();
      // SQLite removes the log with its last connection.
      expect(existsSync(`${file}-wal`)).toBe(false);
      expect((await refusalOf(used.listUnclaimed('t'))).message).toContain('closed');
      expect((await refusalOf(subscription.next())).message).toContain('closed');
    },
  );

  verifies(['SERVICE.borrowed'], "a caller's database answers as its owner set it, and stays open", async () => {
    const database = new DatabaseSync(newFile(), { readBigInts: true, returnArrays: true });
    const service = new HandOffService(database, quiet);
    const id = await service.createHandoff('t', { n: 1 }, 'a');
    expect((await service.listUnclaimed('t'))[0]).toMatchObject({ handoffId: id, createdAt: expect.any(Number) });
    await service.close();
    expect(database.prepare('SELECT consumed FROM handoffs').get()).toEqual([0n]);
    await using again = new HandOffService(database, quiet);
    expect((await again.claimHandoff('t'))?.handoffId).toBe(id);
    await again.close();
    database.close();
  });

  verifies(
    ['SERVICE.borrowed'],
    "in the middle of its owner's transaction a database is refused, and works again after; so is a closed one",
    async () => {
      const database = new DatabaseSync(newFile());
      const service = new HandOffService(database, quiet);
      database.exec('BEGIN');
      expect((await refusalOf(service.listUnclaimed('t'))).message).toContain('in the middle of a transaction');
      database.exec('COMMIT');
      const id = await service.createHandoff('t', {}, 'a');
      database.exec('BEGIN; CREATE TABLE theirs (a); DELETE FROM handoffs');
      expect((await refusalOf(service.claimHandoff('t'))).message).toContain('in the middle of a transaction');
      expect(database.isTransaction).toBe(true);
      database.exec('ROLLBACK');
      expect((await service.claimHandoff('t'))?.handoffId).toBe(id);
      database.close();
      for (const call of [
        () => service.claimHandoff('t'),
        () => service.listUnclaimed('t'),
        () => service.createHandoff('t', {}, 'a'),
      ]) {
        expect((await refusalOf(call())).message).toContain('is closed');
      }
      await service.close();
      const late = new HandOffService(database, quiet);
      expect((await refusalOf(late.claimHandoff('t'))).message).toContain('is closed');
    },
  );
});

describe('bad input', () => {
  verifies(['SERVICE.bad-input'], 'what JSON does not preserve is refused with its path', async () => {
    await using service = new HandOffService(':memory:', quiet);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const wrong: [unknown, string][] = [
      [circular, 'circular'],
      [{ n: Number.NaN }, 'NaN'],
      [{ n: 1n }, 'BigInt'],
      [{ text: '\ud800' }, 'surrogate'],
      [{ run: () => 1 }, 'payload.run is function'],
      [{ list: [1, { of: new Set([1]) }] }, 'payload.list[1].of is Set'],
      [{ list: [1, undefined] }, 'payload.list[1] is undefined'],
      [new Map([['a', 1]]), 'payload is Map'],
      [new Error('lost'), 'payload is Error'],
      ['text', 'not string'],
      [null, 'not null'],
      [undefined, 'not undefined'],
    ];
    for (const [payload, said] of wrong) {
      const { code, message } = await refusalOf(service.createHandoff('t', payload as object, 'a'));
      expect([message.toLowerCase(), code]).toEqual([
        expect.stringContaining(said.toLowerCase()),
        expect.stringMatching(/invalid_input|too_large/),
      ]);
    }
    expect(await service.listUnclaimed('t')).toEqual([]);
    const at = new Date(0);
    await service.createHandoff('t', { absent: undefined, at, list: [] }, 'a');
    expect((await service.claimHandoff('t'))?.payload).toEqual({ at: at.toISOString(), list: [] });
  });

  verifies(
    ['SERVICE.bad-input'],
    'too large a payload, and invalid names, are refused and nothing is kept',
    async () => {
      await using service = new HandOffService(':memory:', quiet);
      const large = await refusalOf(service.createHandoff('t', { text: 'x'.repeat(5_000_000) }, 'a'));
      expect([large.code, large.alternatives[0]]).toEqual(['too_large', expect.stringContaining('to a file')]);
      for (const name of ['', '  ', 'x'.repeat(501), '\ud800', 7, undefined, ['t']] as string[]) {
        for (const call of [
          () => service.createHandoff(name, {}, 'a'),
          () => service.createHandoff('t', {}, name),
          () => service.claimHandoff(name),
          () => service.listUnclaimed(name),
          () => new HandOffService(':memory:', { ...quiet, agent: name ?? '' }).claimHandoff('t'),
          () => new HandOffService(':memory:', { ...quiet, project: name ?? '' }).claimHandoff('t'),
        ]) {
          expect((await refusalOf(call())).code).toBe('invalid_input');
        }
      }
      expect(await service.listUnclaimed('t')).toEqual([]);
    },
  );

  verifies(
    ['SERVICE.bad-input'],
    'a payload is stored as it was at the call, although its owner changes it later',
    async () => {
      await using service = new HandOffService(':memory:', quiet);
      const payload = { steps: [1] };
      const creating = service.createHandoff('t', payload, 'a');
      payload.steps.push(2);
      await creating;
      expect((await service.claimHandoff('t'))?.payload).toEqual({ steps: [1] });
    },
  );

  verifies(
    ['SERVICE.damaged-payload', 'SERVICE.dropped-rows'],
    'a handoff whose payload was dropped is not consumed, and the next one is not lost',
    async () => {
      const database = new DatabaseSync(':memory:');
      const service = new HandOffService(database, quiet);
      const first = await service.createHandoff('t', { text: 'x'.repeat(70_000) }, 'a');
      const second = await service.createHandoff('t', { n: 2 }, 'a');
      database.exec('DELETE FROM payloads');
      for (const call of [() => service.claimHandoff('t'), () => service.listUnclaimed('t')]) {
        const { code, message } = await refusalOf(call());
        expect([code, message]).toEqual(['unavailable', expect.stringContaining(first)]);
      }
      expect(database.prepare('SELECT consumed FROM handoffs WHERE id = ?').get(first)).toEqual({ consumed: 0 });
      database.prepare('DELETE FROM handoffs WHERE id = ?').run(first);
      expect((await service.listUnclaimed('t')).map(({ handoffId }) => handoffId)).toEqual([second]);
      expect((await service.claimHandoff('t'))?.handoffId).toBe(second);
      await service.close();
      database.close();
    },
  );
});

describe('next to other doors', () => {
  verifies(['SERVICE.other-doors'], 'a handoff without a payload comes with its content', async () => {
    const file = newFile();
    const store = await openStore(`sqlite:${file}`);
    const content = completeContent({ task_id: 't', decisions: ['Use SQLite'] }, { source_agent: 'ada' });
    const call = { actor: { name: 'ada', type: 'agent' }, project: 'default', operation: 'handoff.create' } as const;
    await store.create([{ ...content, project: 'default', state: 'open' }], call);
    await store.create([{ ...content, project: 'elsewhere', state: 'open' }], { ...call, project: 'elsewhere' });
    await store.close();
    await using service = new HandOffService(file, quiet);
    expect(await service.claimHandoff('t')).toMatchObject({
      originAgent: 'ada',
      payload: { decisions: [{ content: 'Use SQLite' }] },
    });
    expect(await service.claimHandoff('t')).toBeNull();
    await using elsewhere = new HandOffService(file, { ...quiet, project: 'elsewhere', agent: 'bob' });
    expect(await elsewhere.claimHandoff('t')).not.toBeNull();
    const database = new DatabaseSync(file);
    const receivers = database.prepare('SELECT acknowledged_by FROM handoffs ORDER BY seq').all();
    expect(receivers.map((row) => row.acknowledged_by)).toEqual(['handoff-service', 'bob']);
    database.close();
  });

  verifies(
    ['TAS-039.held.lease-default', 'SERVICE.other-doors'],
    'other doors claim by lease from the same queue; what they let lapse is consumed here, with all that it says',
    async () => {
      const file = newFile();
      const clock = createClock();
      await using service = new HandOffService(file, { ...quiet, surroundings: clock.surroundings });
      await service.createHandoff('task-1', { step: 1 }, 'a');
      const store = await openStore(`sqlite:${file}`, clock.surroundings);
      const actor = { name: 'other', type: 'agent' } as const;
      const call = { actor, project: 'default', operation: 'handoff.claim' };
      const lease_ms = 60_000;
      const { handoffs } = await store.claim({ project: 'default', task_id: 'task-1', lease_ms, max: 1 }, call);
      expect(handoffs[0]?.delivery).toMatchObject({ state: 'claimed', consumed: 1, lease: { holder: 'other' } });
      expect([await service.claimHandoff('task-1'), await service.listUnclaimed('task-1')]).toEqual([null, []]);
      clock.move(lease_ms);
      expect(await service.claimHandoff('task-1')).toMatchObject({ payload: { step: 1 } });
      // What was consumed has no lease that could lapse: it is never given out again.
      clock.move(7 * 24 * 60 * 60_000);
      expect(await service.claimHandoff('task-1')).toBeNull();
      await store.close();
    },
  );
});

describe('subscriptions', () => {
  verifies(
    ['SERVICE.subscribe'],
    'a subscriber gets what waits and what comes, one a turn, and can leave',
    async () => {
      const file = newFile();
      await using writer = new HandOffService(file, quiet);
      await using reader = new HandOffService(file, quiet);
      const ids = [await writer.createHandoff('t', { n: 1 }, 'a'), await writer.createHandoff('t', { n: 2 }, 'a')];
      const stop = new AbortController();
      const seen: string[] = [];
      for await (const { handoffId } of reader.subscribe('t', stop.signal)) {
        seen.push(handoffId);
        // Nothing is claimed ahead of the turn.
        expect((await writer.listUnclaimed('t')).length).toBe(ids.length - seen.length);
        if (seen.length === 2) setImmediate(() => writer.createHandoff('t', { n: 3 }, 'a').then((id) => ids.push(id)));
        if (seen.length === 3) stop.abort();
      }
      expect(seen).toEqual(ids);
      ids.push(await writer.createHandoff('t', { n: 4 }, 'a'));
      for await (const { handoffId } of reader.subscribe('t')) {
        expect(handoffId).toBe(ids[3]);
        break;
      }
      expect(await writer.listUnclaimed('t')).toEqual([]);
    },
  );

  verifies(
    ['SERVICE.subscribe'],
    'a subscription that waits ends when its service is closed, or its signal aborts',
    async () => {
      const service = new HandOffService(':memory:', quiet);
      const stop = new AbortController();
      const turns = [service.subscribe('t', stop.signal).next(), service.subscribe('t').next()];
      await service.listUnclaimed('t');
      stop.abort();
      expect(await turns[0]).toEqual({ done: true, value: undefined });
      await service.close();
      expect(await turns[1]).toEqual({ done: true, value: undefined });
    },
  );
});
