import { declare } from './declare.ts';

/** What the HTTP door guarantees. */
export const http = declare('issue 9', 'http', {
  'HTTP.catalogue':
    'Every operation that declares the HTTP door returns the same result and the same error code there.',
  'HTTP.access': 'The operations available over HTTP are pinned with the role that each needs.',
  'HTTP.query': 'An operation that only reads and takes no token accepts GET; its query is the operation’s own input.',
  'HTTP.openapi': 'The API describes itself in OpenAPI 3.1 by the schemas that check it, and its answers conform.',
  'HTTP.openapi-size':
    'The description is under 160 KB, says what each operation can refuse, and gives an example of each.',
  'HTTP.page': 'The page contains the reference, loads nothing from elsewhere, and has no inline script.',
  'HTTP.errors': 'Every failure is problem+json with a code of one table; a defect shows no internals.',
  'HTTP.paging': 'A list gives its next page by cursor and by link.',
  'HTTP.etag': 'A handoff has its version as ETag; an edit with If-Match meets that version or is 412.',
  'HTTP.idempotency': 'A retry with the same Idempotency-Key returns the first answer.',
  'HTTP.compression': 'Reads are compressed on request; an answer with a token never is.',
  'HTTP.request-id': 'Every answer names its request.',
  'HTTP.probes': 'Health and readiness answer without a token.',
  'HTTP.stop': 'When it stops, running requests are answered, waits and streams end, and the port is freed.',
  'HTTP.admission':
    'Host, Origin, Sec-Fetch-Site and content type are checked on every route: exactly the listed cells answer.',
  'HTTP.headers': 'Every answer forbids inline scripts, framing and other origins.',
  'HTTP.browser': 'A browser signs in with a one-time secret, then with a strict cookie.',
  'HTTP.person': 'In a browser a person acts, even if the folder names an agent.',
  'HTTP.tokens': 'Tokens are stored hashed, expire, can be revoked, and name agent, project and role.',
  'HTTP.refusal': 'Without a valid token the answer is 401, with too small a role 403, both with WWW-Authenticate.',
  'HTTP.secrets': 'No token is in an address, in a log or in the store’s folder.',
  'HTTP.exposure': 'Beyond this machine it listens only with tokens, and reports what it exposes.',
  'HTTP.limits': 'Bodies, depth, elements and headers are bounded before anything is built from them.',
  'HTTP.transcript-body':
    'A transcript is accepted unchanged, after one line of JSON, by the operations that read one and by no other.',
  'HTTP.rate': 'A caller that asks too often, or sends wrong tokens, gets the time to retry after.',
  'HTTP.lock-out': 'Failed requests never cause a request with a valid token to be refused, even at the same address.',
  'HTTP.slow-login':
    'A login’s body is bounded in size and time, and a connection that only sends a body counts as idle.',
  'HTTP.sessions': 'Each principal has its own browser sessions, and a new one ends only one of its own.',
  'HTTP.proof': 'A server that is found by its file proves its identity before anything is sent to it or printed.',
  'HTTP.tenants': 'A token for one project never shows, names or changes anything of another.',
  'HTTP.cut': 'A request that is cut off anywhere and retried with its key creates one handoff.',
  'HTTP.hostile': 'Hostile input is refused or served, and the health probe answers throughout.',
  'HTTP.mcp': 'MCP is served at /mcp, a server for each request, to the caller that the token names.',
  'HTTP.conformance': 'The official MCP suite passes against the real server in both revisions.',
  'HTTP.events': 'Events come as they happen, in other processes too, and resume without loss after a disconnect.',
  'HTTP.events-filter': 'An event stream is filtered by project, task and state.',
  'HTTP.events-slow': 'A client that does not read costs a page of memory, and is disconnected after a timeout.',
  'HTTP.studio': 'The command serves, the next command finds that server, and stopping it leaves nothing behind.',
  'HTTP.curl': 'A program with only curl hands over, claims and acknowledges.',
  'HTTP.exports': 'The door is exported as batonpass/http, with exactly these names.',
  'HTTP.chat': 'A chat is streamed in the format of useChat, by the configured model, without secrets.',
  'HTTP.streaming': 'An operation that streams its answer streams it on request; when the client disconnects, it ends.',
  'HTTP.streaming-slow':
    'Streamed chats and runs are bounded in number, and in what is buffered for a client that does not read.',
  'HTTP.bench': 'The benchmark measures the door against the bare store behind a bare route.',
});
