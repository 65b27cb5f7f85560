import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Operation } from '../../core/operation.ts';
import type { OperationName } from '../../operations/catalogue.ts';

/** An operation as this door sees it. */
export type DeclaredOperation = Pick<Operation<never, never, never>, 'name' | 'summary' | 'mutates' | 'doors'> & {
  name: OperationName;
};

/** One MCP tool: the operations that declare it, by action. */
export interface Tool {
  name: string;
  /** Whether it changes anything; the same for all its actions. */
  mutates: boolean;
  /** In the catalogue's order; the key `undefined` is the tool's operation without an action. */
  actions: ReadonlyMap<string | undefined, DeclaredOperation>;
}

/**
 * Groups operations by the tool that they declare.
 *
 * @throws Error where the declarations contradict each other: two operations under one action, reads and writes in one
 * tool, or more than `limits.mcp_tools_max` tools. That is a defect of the catalogue.
 */
export function groupIntoTools(operations: readonly DeclaredOperation[]): Tool[] {
  const tools = new Map<string, { mutates: boolean; actions: Map<string | undefined, DeclaredOperation> }>();
  for (const operation of operations) {
    const { mcp } = operation.doors;
    if (mcp === undefined) continue;
    const tool = tools.get(mcp.tool) ?? { mutates: operation.mutates, actions: new Map() };
    if (tool.mutates !== operation.mutates) throw new Error(`The tool ${mcp.tool} mixes reads with writes.`);
    if (tool.actions.has(mcp.action)) throw new Error(`Two operations are the action ${mcp.action} of ${mcp.tool}.`);
    tools.set(mcp.tool, { ...tool, actions: tool.actions.set(mcp.action, operation) });
  }
  if (tools.size > limits.mcp_tools_max) throw new Error(`${tools.size} tools are more than ${limits.mcp_tools_max}.`);
  return [...tools].map(([name, tool]) => ({ name, ...tool }));
}

/** The names of a tool's actions, in order; without the one that has none. */
export function actionNames({ actions }: Tool): string[] {
  return [...actions.keys()].filter((action) => action !== undefined);
}

/** Enough of a mistyped action to recognise it. */
const ACTION_CHARACTERS_SHOWN = 40;

/** @throws HandoffError `invalid_input` that names the known actions. */
export function findAction(tool: Tool, action: unknown): DeclaredOperation {
  const found = tool.actions.get(action as string | undefined);
  if (found !== undefined) return found;
  const known = actionNames(tool);
  // Any other value from a client may be endless.
  const named =
    typeof action === 'string' ? ` ${JSON.stringify(action.slice(0, ACTION_CHARACTERS_SHOWN))}` : ' of that kind';
  const what = action === undefined ? 'needs an action' : `has no action${named}`;
  throw new HandoffError('invalid_input', `The tool ${tool.name} ${what}.`, {
    details: { tool: tool.name, actions: known },
    alternatives: [...tool.actions].map(([action, { summary }]) => `${action ?? 'no action'}: ${summary}`),
  });
}
