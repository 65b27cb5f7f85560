/**
 * Baton's HTTP door, for programs that serve it themselves: `await startHttpServer(await openBaton())`. Each export is
 * public API, pinned by a test.
 */
export { type HttpServer, type HttpServerSettings, startHttpServer } from './doors/http/server.ts';
