import { getNodeValue } from 'jsonc-parser';
import { HandoffError } from '../../core/errors.ts';
import { type HostName, hosts } from '../../core/hosts.ts';
import { appendJson, createJsonText, removeJson, replaceJson } from './json-edit.ts';
import {
  article,
  elementsOf,
  type JsonNode,
  memberOf,
  parseJsonObject,
  placeOf,
  propertiesOf,
  wrongStructure,
} from './json-text.ts';
import { isOwnCommand, type Launcher } from './launcher.ts';

/** The name under which hosts know the server. */
const server_name = 'baton';

/** A server as hosts have it registered. */
export interface ServerEntry {
  command: string;
  args: string[];
}

/** A file of a host that contains servers. */
export interface ServerFile {
  path: string;
  host: HostName;
}

/** The list of servers that contains only Baton's. */
export function createServerSettings(launcher: Launcher): Record<string, ServerEntry> {
  return { [server_name]: createServerEntry(launcher) };
}

function createServerEntry(launcher: Launcher): ServerEntry {
  const [command = '', ...args] = [...launcher.server, 'mcp'];
  return { command, args };
}

/**
 * Registers Baton's MCP server in a host's file of JSON, as `.mcp.json`. Where it is registered already, under whatever
 * name, only an outdated command changes: its environment and other members are the user's. Everything else stays, byte
 * for byte.
 *
 * @throws ParseError, or HandoffError `invalid_structure`, with line and column; `conflict` where another program's
 * server has Baton's name.
 */
export function registerServer(text: string, file: ServerFile, launcher: Launcher): string {
  const { list, fixed, is_one_list = false } = hosts[file.host].server_entry;
  const own_words = createServerEntry(launcher);
  const started = is_one_list ? { command: [own_words.command, ...own_words.args] } : own_words;
  const entry: Record<string, unknown> = { ...fixed, ...started };
  const wanted = { [server_name]: entry };
  const { root, servers, own } = readServers(text, file);
  if (root === null) return createJsonText(text, { [list]: wanted });
  if (servers === undefined) return appendJson(text, root, { key: list, value: wanted });
  if (own !== undefined) return updateMember(updateMember(text, 'args'), 'command');
  const taken = memberOf(servers, server_name);
  if (taken !== undefined) throw nameTaken(text, file.path, taken);
  return appendJson(text, servers, { key: server_name, value: entry });

  function updateMember(current: string, name: keyof ServerEntry): string {
    const server = readServers(current, file).own?.children?.[1];
    const member = memberOf(server, name);
    if (server === undefined || JSON.stringify(member && getNodeValue(member)) === JSON.stringify(entry[name])) {
      return current;
    }
    if (member === undefined) return appendJson(current, server, { key: name, value: entry[name] });
    return replaceJson(current, member, entry[name]);
  }
}

/**
 * Removes Baton's server from such a file, with a list of servers that is empty without it and that `former`, the text
 * before Baton's registration, did not have.
 *
 * @throws as `registerServer`, without `conflict`.
 */
export function removeServer(text: string, file: ServerFile, former: string): string {
  const { servers, own } = readServers(text, file);
  if (own === undefined) return text;
  const isLast = propertiesOf(servers).length === 1 && readServers(former, file).servers === undefined;
  const rest = removeJson(text, isLast && servers?.parent !== undefined ? servers.parent : own);
  return removeServer(rest, file, former);
}

/**
 * The server that starts Baton in such a file; nothing where there is none.
 *
 * @param within - the names of the members under which the list of servers is. Default: none, it is at the top.
 * @throws as `removeServer`.
 */
export function findServer(text: string, file: ServerFile, within: readonly string[] = []): FoundServer | undefined {
  const { own } = readServers(text, file, within);
  if (own === undefined) return undefined;
  const [name, server] = own.children ?? [];
  const { env, environment = env } = getNodeValue(server as JsonNode) as { env?: unknown; environment?: unknown };
  const variables = Object.entries((environment ?? {}) as Record<string, unknown>).map(([key, value]) => [
    key,
    String(value),
  ]);
  return {
    name: String(name?.value),
    words: wordsOf(server),
    variables: Object.fromEntries(variables),
  };
}

/** A registered server of Baton. */
export interface FoundServer {
  name: string;
  words: string[];
  /** What is set in its environment besides. */
  variables: Record<string, string>;
}

interface Servers {
  root: JsonNode | null;
  servers: JsonNode | undefined;
  /** The member that starts Baton: the one of Baton's name before others. */
  own: JsonNode | undefined;
}

function readServers(text: string, { path, host }: ServerFile, within: readonly string[] = []): Servers {
  const { list } = hosts[host].server_entry;
  const root = parseJsonObject(text, path);
  const holder = within.reduce<JsonNode | null | undefined>(memberOf, root);
  const servers = memberOf(holder, list);
  if (servers !== undefined && servers.type !== 'object') {
    const problem = `has ${article(servers.type)} for "${list}" where an object is needed`;
    throw wrongStructure({ text, path, node: servers, problem });
  }
  const all = propertiesOf(servers).filter((property) => isOwnServer(property.children?.[1]));
  const named = all.findLast((property) => property.children?.[0]?.value === server_name);
  return { root, servers, own: named ?? all[0] };
}

function isOwnServer(server: JsonNode | undefined): boolean {
  return isOwnCommand(wordsOf(server), [/^mcp$/]);
}

/** The words that start a server, whether the host stores them as a command with its arguments or as one list. */
function wordsOf(server: JsonNode | undefined): string[] {
  const [command, args] = ['command', 'args'].map((name) => memberOf(server, name));
  const first =
    typeof command?.value === 'string' ? [command.value] : elementsOf(command).map(({ value }) => String(value));
  return [...first, ...elementsOf(args).map(({ value }) => String(value))];
}

function nameTaken(text: string, path: string, taken: JsonNode): HandoffError {
  const place = placeOf(text, taken.parent?.offset ?? taken.offset);
  return new HandoffError(
    'conflict',
    `${path}:${place.line}:${place.column} names a server "${server_name}" that is not Baton's. Nothing was written.`,
    {
      details: { path, ...place },
      alternatives: ['Give that server another name.', 'Or leave the server out: baton init --only hooks,docs'],
    },
  );
}
