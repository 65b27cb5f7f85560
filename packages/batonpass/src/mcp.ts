/**
 * Baton as an MCP server, for programs that mount it themselves:
 * `createMcpHttpHandler(createMcpServerFactory(await openBaton()))`. Each export is public API, pinned by a test.
 */
export { createMcpServerFactory, type McpServerSettings } from './doors/mcp/create-server.ts';
export { createMcpHttpHandler, type McpHttpSettings } from './doors/mcp/http-handler.ts';
