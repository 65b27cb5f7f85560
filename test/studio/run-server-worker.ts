import { startHttpServer } from '../../packages/batonpass/src/http.ts';
import { openBaton } from '../../packages/batonpass/src/index.ts';

/** Serves a folder in a separate process, for a test to kill: `node run-server-worker.ts FOLDER PORT [ORIGIN]`. */

const [cwd = '', port = '0', origin = ''] = process.argv.slice(2);
const baton = await openBaton({ cwd });
const server = await startHttpServer(baton, { port: Number(port), origins: origin === '' ? [] : [origin] });
console.info(JSON.stringify({ port: server.port, browser_url: server.createBrowserUrl?.() }));
