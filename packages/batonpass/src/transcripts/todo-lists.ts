import type { TodoChange, TodoItem } from '../core/conversation.ts';
import { asObjects, asText, type JsonObject } from './json-value.ts';

/** The hosts' own words for the state of a task; any other word means that it is open. */
const states: ReadonlyMap<string, TodoItem['state']> = new Map([
  ['in_progress', 'doing'],
  ['completed', 'done'],
  ['complete', 'done'],
  ['done', 'done'],
  ['cancelled', 'dropped'],
  ['deleted', 'dropped'],
]);

/** A longer task is a document; its beginning names it. */
const textCharactersMax = 500;
const itemsMax = 200;

/**
 * What a call makes of the agent's list of tasks, by the shapes of the known hosts' tools: a whole list (Claude Code's
 * `TodoWrite`, Codex' `update_plan`, Gemini's `write_todos`, OpenCode's `todowrite`, Roo Code's `update_todo_list`), a list to be merged (Cursor's
 * `todo_write`), or one task (Claude Code's `TaskCreate` and `TaskUpdate`). Undefined for every other tool.
 */
export function readTodos(name: string, input: JsonObject): TodoChange | undefined {
  const tool = name.toLowerCase().replace(/[^a-z]/g, '');
  if (tool === 'taskcreate') return asChange([input], false);
  if (tool === 'taskupdate') return asChange([input], false);
  if (tool === 'updatetodolist') return asChange(listTicked(asText(input.todos) ?? ''), true);
  if (tool !== 'todowrite' && tool !== 'updateplan' && tool !== 'writetodos') return undefined;
  return asChange(asObjects(input.todos ?? input.plan), input.merge !== true);
}

/** The tasks of a list with boxes: `[x]` is done, `[-]` in progress. */
function listTicked(text: string): JsonObject[] {
  const ticked = text.matchAll(/^[ \t]{0,20}(?:[-*] )?\[(?<mark>[ xX-])\] (?<content>.{1,4000})/gm);
  return [...ticked].map(({ groups: { mark = '', content } = {} }) => ({
    content,
    status: mark === '-' ? 'in_progress' : mark === ' ' ? 'pending' : 'completed',
  }));
}

function asChange(tasks: readonly JsonObject[], replaces: boolean): TodoChange {
  return { items: tasks.slice(0, itemsMax).map(readTask), replaces };
}

/** One task, under any of the names that hosts' tools use. */
export function readTask(task: JsonObject): TodoItem {
  const text = asText(task.content) ?? asText(task.step) ?? asText(task.subject) ?? asText(task.description);
  const id = asText(task.taskId) ?? asText(task.id);
  return {
    ...(id !== undefined && { id }),
    ...(text !== undefined && { text: text.slice(0, textCharactersMax).toWellFormed() }),
    state: states.get(asText(task.status) ?? '') ?? 'open',
  };
}
