import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpHttpHandler,
  type McpServerFactory,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { limits } from '../../core/limits.ts';

/** Who may ask over HTTP, besides the authentication. */
export interface McpHttpSettings {
  /** Host names that requests may be addressed to, without ports. Default: this machine's own. */
  hostnames?: string[];
  /** Host names that a browser's page may come from. Default: this machine's own. */
  origins?: string[];
}

/**
 * An HTTP handler of servers from a factory: a new server and transport for each request, bodies bounded, and requests
 * refused whose Host or Origin is not expected, so that no web page reaches a server on its reader's machine.
 */
export function createMcpHttpHandler(factory: McpServerFactory, settings: McpHttpSettings = {}): McpHttpHandler {
  const { hostnames = localhostAllowedHostnames(), origins = localhostAllowedOrigins() } = settings;
  const handler = createMcpHandler(factory, { maxRequestBodySize: limits.request_bytes_max });
  return {
    ...handler,
    fetch: async (request, options) =>
      hostHeaderValidationResponse(request, hostnames) ??
      originValidationResponse(request, origins) ??
      handler.fetch(request, options),
  };
}
