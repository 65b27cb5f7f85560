import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Baton } from '../../operations/baton.ts';
import type { RunOptions } from '../../operations/client.ts';
import type { DefectLog } from './tool-results.ts';

/** What the parts of one server work with. */
export interface Door {
  server: McpServer;
  baton: Baton;
  logDefect: DefectLog;
  /** As whom a request runs an operation, and until when: until it is cancelled. */
  optionsOf: (context: ServerContext) => RunOptions;
}
