import { declare } from './declare.ts';

/** What the MCP door guarantees. */
export const mcp = declare('DESIGN 7, first hosts', 'hosts', {
  'MCP.life-cycle': 'Any MCP client creates, lists, claims, renews and acknowledges over stdio, in both revisions.',
  'MCP.catalogue': 'Every operation that declares a tool gives the same result and the same error code there.',
  'MCP.tools': 'At most ten tools come from the catalogue’s declarations, and none mixes reads with writes.',
  'MCP.listing': 'The whole listing stays within 2,000 tokens, the same for every caller and any store.',
  'MCP.annotations': 'Every tool has title, description, output schema and all four annotations.',
  'MCP.structured': 'Structured content equals its text and conforms to the listed schema, in failures too.',
  'MCP.compact': 'Lists and changes answer short lines within a host’s limits; one handoff is given whole.',
  'MCP.idempotency': 'Every changing tool takes a key; the same call again gives the same answer.',
  'MCP.errors': 'An expected error is a typed result; a defect is logged and shows no internals.',
  'MCP.actor': 'The configured agent acts, else the client by its own name, never a person.',
  'MCP.resources': 'The queue, a handoff and its rendered context are resources; nothing in them is a token.',
  'MCP.prompts': 'Prompts ask for a handover and show what would be resumed, as quoted data.',
  'MCP.instructions': 'The server says how to use it within two kilobytes.',
  'MCP.caching': 'Lists state how long they may be cached; what changes may not be cached.',
  'MCP.limits': 'Over-long lines, deep nesting and too many elements are answered, and the server stays up.',
  'MCP.stdout': 'Standard output carries only the protocol.',
  'MCP.end': 'The end of input and a signal end the process, with the store closed.',
  'MCP.cancel': 'A cancelled request ends its wait.',
  'MCP.place': 'It works in the folder named, else in the host’s project, else in its own.',
  'MCP.http': 'Over HTTP each request has its own server; foreign hosts, origins and large bodies are refused.',
  'MCP.lenient':
    'Slips that models make in a call are read as they were meant, and the answer reports how it was read.',
  'MCP.audience':
    'An empty value never widens who gets what: for target_agent, task_id, token and state it is an error.',
  'MCP.advice': 'Errors advise calls of tools and name the fields of the action; every failed call has isError.',
  'MCP.ask': 'A question says how its answer arrives, and the status shows it.',
  'MCP.fields': 'The listing names the fields of each action, and the action takes them.',
  'MCP.versions': 'Clients of five versions of the protocol connect.',
  'MCP.conformance': 'The official suite passes for both revisions, but for what is listed with reasons.',
});
