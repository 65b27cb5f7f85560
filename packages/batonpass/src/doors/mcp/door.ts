import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Baton } from '../../operations/baton.ts';
import type { RunOptions } from '../../operations/client.ts';
import type { DefectLog } from './tool-results.ts';

/** What the parts of one server use. */
export interface Door {
  server: McpServer;
  baton: Baton;
  logDefect: DefectLog;
  /** The actor of a request, and the signal of its cancellation. */
  optionsOf: (context: ServerContext) => RunOptions;
}
