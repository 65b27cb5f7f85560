import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../tidy/source-files.ts';
import { verifies } from '../../verifies.ts';
import { openHttp } from './http-stage.ts';

verifies(
  ['STUDIO.served', 'HTTP.headers'],
  'each screen’s address is the studio’s page, with its parts cached permanently',
  async () => {
    const { server, ask } = await openHttp();
    const page = readFileSync(join(root, 'packages/batonpass/dist/studio/index.html'), 'utf8');
    expect(page).not.toMatch(/<script(?! [^>]*src=)|<style|\son\w+=|\sstyle=/i);
    const screens = [
      '/',
      '/inbox',
      '/inbox?tab=done',
      '/import',
      '/settings',
      '/h/abc',
      '/review/abc',
      '/run/abc',
      '/b',
      '/b/abc',
      '/run',
      '/lineage',
      '/lineage/abc',
      '/plans',
      '/plan/jwt-auth',
      '/plan/%3Cb%3E%20x',
    ];
    for (const path of screens) {
      const answer = await fetch(server.url + path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, page]);
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'/,
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    const parts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(parts.length).toBeGreaterThan(2);
    for (const path of parts) {
      const answer = await fetch(server.url + path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toMatch(/^(?:text\/(?:javascript|css)|image\/svg\+xml)/);
      await answer.body?.cancel();
    }
    const absent = [
      '/assets/none-1.js',
      '/assets/../index.html',
      '/assets/..%2findex.html',
      '/assets/',
      '/h/a/b',
      '/h/a%2fb',
      '/inbox/x',
      '/other',
    ];
    for (const path of absent) expect([path, (await ask(path)).status]).toEqual([path, 404]);
    expect((await ask('/inbox', { method: 'POST', body: '{}' })).status).toBe(405);
  },
);

verifies(
  ['STUDIO.not-built', 'HTTP.page'],
  'without a built studio the reference answers, and says what to do',
  async () => {
    const { server, folder } = await openHttp({ studioFolder: '/nowhere' });
    const page = await (await fetch(`${server.url}/inbox`)).text();
    expect(page).toContain('<code>npm run build</code>');
    expect(page).toContain('id="handoff.claim"');
    expect((await fetch(`${server.url}/assets/index-1.js`)).status).toBe(404);
    const reference = await (await fetch(`${server.url}/reference`)).text();
    expect(reference).not.toContain('npm run build');

    const built = join(folder, 'studio');
    mkdirSync(join(built, 'assets'), { recursive: true });
    writeFileSync(join(built, 'index.html'), 'own page');
    const other = await openHttp({ studioFolder: built });
    expect(await (await fetch(`${other.server.url}/`)).text()).toBe('own page');
  },
);
