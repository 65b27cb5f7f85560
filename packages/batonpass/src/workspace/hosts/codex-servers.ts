import { HandoffError } from '../../core/errors.ts';
import { createServerSettings, type FoundServer, type ServerFile } from './host-servers.ts';
import { isOwnCommand, type Launcher } from './launcher.ts';
import { formatTomlText, listTomlTables, readTomlTexts, type TomlTable } from './toml-tables.ts';

/** The table that contains the servers of Codex' `config.toml`. */
const holder = 'mcp_servers';

/**
 * Registers Baton's MCP server in a `config.toml` of Codex: a table of its own at the end. A server of Baton that starts
 * with another command gets the present one; everything else stays, byte for byte.
 *
 * @throws HandoffError `invalid_structure` for a text that is no TOML or lists servers in another form; `conflict` where
 * another program's server has Baton's name.
 */
export function registerCodexServer(text: string, { path }: ServerFile, launcher: Launcher): string {
  const tables = readTables(text, path);
  const [[name, { command, args }] = ['', { command: '', args: [] as string[] }]] = Object.entries(
    createServerSettings(launcher),
  );
  const [own] = listOwn(tables);
  if (own !== undefined) {
    const isCurrent = JSON.stringify(wordsOf(own)) === JSON.stringify([command, ...args]);
    return isCurrent ? text : replaceMembers(text, own, { command, args });
  }
  if (tables.some((table) => table.name[0] === holder && table.name[1] === name)) throw nameTaken(path);
  const before = text === '' ? '' : `${text.replace(/\n*$/, '\n')}\n`;
  return `${before}[${holder}.${name}]\n${membersOf({ command, args }).join('\n')}\n`;
}

/** Removes Baton's server, with what belongs to it and the empty line before it. */
export function removeCodexServer(text: string, file: ServerFile): string {
  const { path } = file;
  const tables = readTables(text, path);
  const [own] = listOwn(tables);
  if (own === undefined) return text;
  const part = tables.find((table) => isWithin(table, own)) ?? own;
  const before = text.slice(0, part.start).replace(/\n\n$/, '\n');
  const after = text.slice(part.end);
  return removeCodexServer(`${before}${after !== '' && before !== '' ? '\n' : ''}${after}`, file);
}

/** Baton's server in a `config.toml`; nothing where there is none. @throws as `registerCodexServer`, without `conflict`. */
export function findCodexServer(text: string, { path }: ServerFile): FoundServer | undefined {
  const [own] = listOwn(readTables(text, path));
  return own && { name: own.name[1] ?? '', words: wordsOf(own), variables: {} };
}

function readTables(text: string, path: string): TomlTable[] {
  const tables = listTomlTables(text);
  const isOther = tables?.some(({ name, members }) => {
    const keys = [...members.keys()];
    return (
      (name.length === 0 && keys.some((key) => key.split('.')[0] === holder)) ||
      (name.join() === holder && keys.length > 0)
    );
  });
  if (tables !== undefined && isOther !== true) return tables;
  throw new HandoffError(
    'invalid_structure',
    `${path} ${tables === undefined ? 'is not TOML: a string or a list has no end' : `lists its servers in a form that Baton does not change`}. Nothing was written.`,
    {
      details: { path },
      alternatives: [
        `Write each server as a table: [${holder}.NAME]`,
        'Or leave the server out: baton init --only hooks,docs',
      ],
    },
  );
}

function listOwn(tables: readonly TomlTable[]): TomlTable[] {
  return tables.filter(
    (table) => table.name[0] === holder && table.name.length === 2 && isOwnCommand(wordsOf(table), [/^mcp$/]),
  );
}

/** A table of the server's own, as its environment, is deeper than the server's. */
function isWithin(table: TomlTable, own: TomlTable): boolean {
  return table.name.length > 2 && own.name.every((part, index) => table.name[index] === part);
}

function wordsOf({ members }: TomlTable): string[] {
  return [...(readTomlTexts(members.get('command')) ?? []), ...(readTomlTexts(members.get('args')) ?? [])];
}

function membersOf({ command, args }: { command: string; args: readonly string[] }): string[] {
  return [`command = ${formatTomlText(command)}`, `args = [${args.map(formatTomlText).join(', ')}]`];
}

function replaceMembers(text: string, own: TomlTable, server: { command: string; args: string[] }): string {
  const [header = '', ...lines] = text.slice(own.start, own.end).split('\n');
  const value = (name: string) => own.members.get(name);
  const rest = lines.join('\n');
  const kept = ['command', 'args'].reduce((left, name) => {
    const written = value(name);
    const at = written === undefined ? -1 : left.indexOf(written);
    const from = at === -1 ? -1 : left.lastIndexOf(name, at);
    return from === -1 || written === undefined
      ? left
      : left.slice(0, from) + left.slice(at + written.length).replace(/^\n/, '');
  }, rest);
  return `${text.slice(0, own.start)}${header}\n${membersOf(server).join('\n')}\n${kept}${text.slice(own.end)}`;
}

function nameTaken(path: string): HandoffError {
  return new HandoffError('conflict', `${path} names a server "baton" that is not Baton's. Nothing was written.`, {
    details: { path },
    alternatives: ['Give that server another name.', 'Or leave the server out: baton init --only hooks,docs'],
  });
}
