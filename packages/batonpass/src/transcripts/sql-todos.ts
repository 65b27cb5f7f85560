import type { TodoChange, TodoItem } from '../core/conversation.ts';
import { readTask } from './todo-lists.ts';

/**
 * What an agent's SQL makes of its list of tasks: Copilot CLI gives it a table `todos` with `id`, `title`, `description` and
 * `status`. Read are rows that are inserted with literal values, updates and deletions of tasks that are named by their ids.
 * Nothing of it is ever run. Undefined for every other statement.
 */
export function readSqlTodos(query: string): TodoChange | undefined {
  const items = splitStatements(query).flatMap((tokens) => readInsert(tokens) ?? readChange(tokens) ?? []);
  return items.length === 0 ? undefined : { items, replaces: false };
}

/** A literal text, a word, or a single sign. */
type Token = { text: string } | { word: string };

function splitStatements(query: string): Token[][] {
  const statements: Token[][] = [[]];
  for (const [found] of query.slice(0, queryCharactersMax).matchAll(/'(?:[^']|'')*'|"[^"]*"|[\w.]+|--.*|[^\s\w]/g)) {
    if (found === ';') statements.push([]);
    else if (found.startsWith("'")) statements.at(-1)?.push({ text: found.slice(1, -1).replaceAll("''", "'") });
    else if (!found.startsWith('--')) statements.at(-1)?.push({ word: found.replaceAll('"', '').toLowerCase() });
  }
  return statements;
}

const queryCharactersMax = 64 * 1_024;

function readInsert(tokens: readonly Token[]): TodoItem[] | undefined {
  const words = tokens.map((token) => ('word' in token ? token.word : ''));
  const at = words.indexOf('into');
  const values = words.indexOf('values');
  if (words[0] !== 'insert' || words[at + 1] !== 'todos' || values === -1) return undefined;
  const named = words.slice(at + 3, words.indexOf(')', at)).filter((word) => word !== ',');
  const names = words[at + 2] === '(' ? named : ['id', 'title', 'description', 'status'];
  const rows: (string | undefined)[][] = [];
  for (const token of tokens.slice(values + 1)) {
    if ('text' in token) rows.at(-1)?.push(token.text);
    else if (token.word === '(') rows.push([]);
    else if (token.word === 'on') break;
    else if (token.word !== ',' && token.word !== ')') rows.at(-1)?.push(undefined);
  }
  return rows.map((row) => toItem(Object.fromEntries(names.map((name, index) => [name, row[index]]))));
}

function readChange(tokens: readonly Token[]): TodoItem[] | undefined {
  const words = tokens.map((token) => ('word' in token ? token.word : ''));
  const where = words.indexOf('where');
  const isUpdate = words[0] === 'update' && words[1] === 'todos';
  const isDelete = words[0] === 'delete' && words[2] === 'todos';
  if ((!isUpdate && !isDelete) || where === -1 || words[where + 1] !== 'id') return undefined;
  const ids = tokens.slice(where + 2).flatMap((token) => ('text' in token ? token.text : []));
  const set: Record<string, string> = isDelete ? { status: 'deleted' } : {};
  for (const [index, token] of tokens.slice(0, where).entries()) {
    if ('text' in token && words[index - 1] === '=') set[words[index - 2] ?? ''] = token.text;
  }
  return set.status === undefined && set.title === undefined ? [] : ids.map((id) => toItem({ ...set, id }));
}

function toItem({ title, ...task }: Record<string, string | undefined>): TodoItem {
  return readTask({ ...task, content: title });
}
