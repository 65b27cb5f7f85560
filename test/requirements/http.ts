import { declare } from './declare.ts';

/** What the HTTP door promises. */
export const http = declare('issue 9', 'http', {
  'HTTP.catalogue': 'Every operation that declares the HTTP door gives the same result and the same error code there.',
  'HTTP.access': 'What can be asked over HTTP is pinned with the role that it needs.',
  'HTTP.query': 'What only reads, and takes no token, can be asked by GET; its query is the operation’s own input.',
  'HTTP.openapi': 'The API describes itself in OpenAPI 3.1 by the schemas that check it, and its answers conform.',
  'HTTP.openapi-size':
    'The description is under 160 KB, says what each operation can refuse, and gives an example of each.',
  'HTTP.page': 'The page holds the reference and asks nobody else for anything; no script stands in it.',
  'HTTP.errors': 'Every failure is problem+json with a code of one table; a defect shows no internals.',
  'HTTP.paging': 'A list gives its next page by cursor and by link.',
  'HTTP.etag': 'A handoff has its version as ETag; an edit with If-Match meets that version or is 412.',
  'HTTP.idempotency': 'A retry with the same Idempotency-Key gives the first answer once more.',
  'HTTP.compression': 'What is read is compressed for who asks; what holds a token never is.',
  'HTTP.request-id': 'Every answer names its request.',
  'HTTP.probes': 'Health and readiness answer without a token.',
  'HTTP.stop': 'At its stop requests that run are answered, waits and streams end, and the port is free.',
  'HTTP.admission':
    'Host, Origin, Sec-Fetch-Site and content type are checked on every route: exactly the listed cells answer.',
  'HTTP.headers': 'Every answer forbids inline scripts, framing and other origins.',
  'HTTP.browser': 'A browser is let in by a secret that is good once, then by a strict cookie.',
  'HTTP.person': 'In a browser a person acts, also where the folder names an agent.',
  'HTTP.tokens': 'Tokens are kept hashed, expire, can be revoked, and name agent, project and role.',
  'HTTP.refusal': 'Without a good token the answer is 401, with too small a role 403, both with WWW-Authenticate.',
  'HTTP.secrets': 'No token stands in an address, in a log or in the store’s folder.',
  'HTTP.exposure': 'Beyond this machine it listens only with tokens, and says what it exposes.',
  'HTTP.limits': 'Bodies, depth, elements and headers are bounded before anything is built of them.',
  'HTTP.transcript-body':
    'A transcript is taken as it is, behind one line of JSON, by the operations that read one and by no other.',
  'HTTP.rate': 'A caller that asks too often, or shows wrong tokens, is told when to come again.',
  'HTTP.lock-out':
    'However many requests fail, none with a good token is refused for them, at the same address either.',
  'HTTP.slow-login': 'A login’s body is bounded in size and time, and who only sends a body counts as idle.',
  'HTTP.sessions': 'Each principal has its own browser sessions, and a new one ends only one of its own.',
  'HTTP.proof':
    'A server that is found by its file proves that it is the one before anything is sent to it or printed.',
  'HTTP.tenants': 'A token for one project never shows, names or changes anything of another.',
  'HTTP.cut': 'A request that is cut off anywhere and retried with its key hands over once.',
  'HTTP.hostile': 'Hostile input is refused or served, and the health probe answers all the while.',
  'HTTP.mcp': 'MCP is served at /mcp, a server for each request, to the caller that the token names.',
  'HTTP.conformance': 'The official MCP suite passes against the real server in both revisions.',
  'HTTP.events': 'Events come as they happen, in other processes too, and go on without loss after a break.',
  'HTTP.events-filter': 'A stream of events is narrowed by project, task and state.',
  'HTTP.events-slow': 'A client that does not read costs a page of memory, and is let go after a time.',
  'HTTP.studio': 'The command serves, is found again by the next, and leaves nothing behind.',
  'HTTP.curl': 'A program of nothing but curl hands over, claims and acknowledges.',
  'HTTP.exports': 'The door is exported as batonpass/http, with exactly these names.',
  'HTTP.chat': 'A chat is answered as it comes, as useChat reads it, by the configured model, without secrets.',
  'HTTP.streaming':
    'An operation that tells of its answer as it comes is told so to who asks for it; when the client leaves, it ends.',
  'HTTP.streaming-slow':
    'Chats and runs that are told of as they come are bounded in number, and in what is held for who does not read.',
  'HTTP.bench': 'The benchmark measures the door against the bare store behind a bare route.',
});
