import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../tidy/source-files.ts';

/** What a test page is made of: paths from the repository's root. */
export interface PageSource {
  /** The module that mounts the page into `#root`. */
  script: string;
  /** Style sheets, in this order. */
  styles: readonly string[];
}

/** A page on a free port of this machine. */
export interface ServedPage {
  url: string;
  close(): Promise<void>;
}

/** Nothing from elsewhere and nothing inline: what a page tries beyond it is an error on its console. */
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:";

/** Bundles a page in memory, with React's development build and its warnings, and serves it on 127.0.0.1. */
export async function servePage({ script, styles }: PageSource): Promise<ServedPage> {
  const code = await bundle(script);
  const links = styles.map((path) => `<link rel="stylesheet" href="/${path}">`).join('');
  const folders = new Set(styles.map((path) => dirname(path)));
  return listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const answer = (type: string, body: string | Buffer) => {
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy });
      response.end(body);
    };
    const path = pathname.slice(1);
    if (path === 'page.js') return answer('text/javascript', code);
    // A style sheet may import others of its folder.
    if (path.endsWith('.css') && folders.has(dirname(path))) return answer('text/css', readFileSync(join(root, path)));
    return answer('text/html', toDocument(links));
  });
}

function toDocument(links: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">${links}</head>
<body><div id="root"></div><script type="module" src="/page.js"></script></body></html>`;
}

async function bundle(script: string): Promise<string> {
  const build = await rolldown({
    input: join(root, script),
    platform: 'browser',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  });
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false });
    return output[0].code;
  } finally {
    await build.close();
  }
}

async function listen(answer: RequestListener): Promise<ServedPage> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
