import { getNodeValue } from 'jsonc-parser';
import { defaultHost, eventOf, type HostName, hosts } from '../../core/hosts.ts';
import { formOf, type HookForm } from './hook-form.ts';
import { appendJson, createJsonText, removeJson, replaceJson } from './json-edit.ts';
import {
  article,
  elementsOf,
  type JsonNode,
  memberOf,
  parseJsonObject,
  propertiesOf,
  wrongStructure,
} from './json-text.ts';
import { hookWords, type Launcher } from './launcher.ts';

/** One registration as a settings file holds it; `args` where no shell runs the command. */
export interface HookGroup {
  matcher?: string;
  hooks: { type: 'command'; command: string; args?: string[]; timeout: number }[];
}

/** A file of a host's that holds hooks. */
export interface HookFile {
  path: string;
  host: HostName;
}

/** The hooks of a settings file that holds Baton's alone. */
export function createHookSettings(launcher: Launcher, host: HostName = defaultHost): Record<string, HookGroup[]> {
  return Object.fromEntries(hosts[host].events.map(({ event }) => [event, [createGroup({ launcher, host }, event)]]));
}

/**
 * Registers Baton's hooks in a settings text: one for each event, after those of other tools. An older registration of
 * Baton's gives way to it. Everything else stays as it is, byte for byte; a text that needs nothing comes back unchanged.
 * A line of the user's that runs a hook of Baton's among other words stays too, and is not doubled.
 *
 * @throws ParseError, or HandoffError `invalid_structure`, with line and column.
 */
export function registerHooks(text: string, file: HookFile, launcher: Launcher): string {
  const { host } = file;
  if (readHooks(text, file).root === null) return createJsonText(text, { hooks: createHookSettings(launcher, host) });
  let current = text;
  // Each round changes one place, and reads anew: places move.
  for (;;) {
    const next = changeStale(current, file, launcher) ?? addMissing(current, file, launcher);
    if (next === null) return current;
    current = next;
  }
}

/**
 * Takes Baton's hooks out of a settings text, with the lists that are empty without them; a list that `former`, the text
 * before Baton came, had already stays.
 *
 * @throws as `registerHooks`.
 */
export function removeHooks(text: string, file: HookFile, former: string): string {
  const before = readHooks(former, file);
  let current = text;
  for (;;) {
    const { hooks } = readHooks(current, file);
    const [own] = listOwn(hooks);
    if (own === undefined) return current;
    const isOurs = memberOf(before.hooks, own.event) === undefined;
    current = removeJson(current, emptiedBy(own, { event: isOurs, hooks: isOurs && before.hooks === undefined }));
  }
}

/** A hook of Baton's as a settings text registers it. */
export interface RegisteredHook {
  event: string;
  form: HookForm;
  matcher?: string;
  /** Whether the host goes on without waiting for it, and takes nothing of what it prints. */
  isAsync: boolean;
  command: string;
  /** With them no shell runs the command. */
  args?: string[];
  /** Seconds. */
  timeout?: number;
}

/**
 * The hooks that a settings text registers and that are Baton's or may be, in its order.
 *
 * @throws as `registerHooks`.
 */
export function listHooks(text: string, file: HookFile): RegisteredHook[] {
  return listKnown(readHooks(text, file).hooks).map(({ event, form, handler, group }) => {
    const { command, args, timeout, async } = getNodeValue(handler) as HandlerValue;
    const matcher = memberOf(group, 'matcher')?.value;
    return {
      event,
      form,
      command,
      isAsync: async === true,
      ...(typeof matcher === 'string' ? { matcher } : {}),
      ...(Array.isArray(args) ? { args: args.map(String) } : {}),
      ...(typeof timeout === 'number' && timeout > 0 ? { timeout } : {}),
    };
  });
}

interface HandlerValue {
  command: string;
  args?: unknown;
  timeout?: unknown;
  async?: unknown;
}

/** A handler that Baton knows. */
interface Known extends Own {
  form: HookForm;
}

/** A handler of ours with the lists that it stands in. */
interface Own {
  event: string;
  handler: JsonNode;
  group: JsonNode;
  /** The member of `hooks` that is named after the event. */
  property: JsonNode;
}

function readHooks(text: string, { path, host }: HookFile): { root: JsonNode | null; hooks: JsonNode | undefined } {
  const root = parseJsonObject(text, path);
  const hooks = memberOf(root, 'hooks');
  if (hooks !== undefined && hooks.type !== 'object') {
    throw wrongStructure({
      text,
      path,
      node: hooks,
      problem: `has ${article(hooks.type)} for "hooks" where an object is needed`,
    });
  }
  for (const { event } of hosts[host].events) {
    const groups = memberOf(hooks, event);
    if (groups === undefined || groups.type === 'array') continue;
    const problem = `has ${article(groups.type)} for the hooks of ${event} where an array is needed`;
    throw wrongStructure({ text, path, node: groups, problem });
  }
  return { root, hooks };
}

/** The first older or doubled registration, replaced or taken out; null where there is none. */
function changeStale(text: string, file: HookFile, launcher: Launcher): string | null {
  const { hooks } = readHooks(text, file);
  const { events } = hosts[file.host];
  const wanted = { launcher, host: file.host };
  const all = listOwn(hooks);
  const kept = events.map(({ event }) => all.find((own) => own.event === event && isCurrent(own, wanted)));
  const stale = all.find((own) => !kept.includes(own));
  if (stale === undefined) return null;
  const known = events.findIndex(({ event }) => event === stale.event);
  const isAlone = elementsOf(memberOf(stale.group, 'hooks')).length === 1;
  if (known !== -1 && kept[known] === undefined && isAlone) {
    return replaceJson(text, stale.group, createGroup(wanted, stale.event));
  }
  return removeJson(text, emptiedBy(stale, { event: known === -1, hooks: false }));
}

function addMissing(text: string, file: HookFile, launcher: Launcher): string | null {
  const { host } = file;
  const { root, hooks } = readHooks(text, file);
  const registered = new Set(listKnown(hooks).flatMap(({ event, form }) => (form === 'script' ? [] : [event])));
  const missing = hosts[host].events.find(({ event }) => !registered.has(event))?.event;
  if (root === null || missing === undefined) return null;
  if (hooks === undefined) return appendJson(text, root, { key: 'hooks', value: createHookSettings(launcher, host) });
  const groups = memberOf(hooks, missing);
  if (groups !== undefined) return appendJson(text, groups, { value: createGroup({ launcher, host }, missing) });
  return appendJson(text, hooks, { key: missing, value: [createGroup({ launcher, host }, missing)] });
}

function listOwn(hooks: JsonNode | undefined): Own[] {
  return listKnown(hooks).filter(({ form }) => form === 'own');
}

function listKnown(hooks: JsonNode | undefined): Known[] {
  return propertiesOf(hooks).flatMap((property) => {
    const event = String(property.children?.[0]?.value);
    // Of two members with one name the host reads the last.
    if (memberOf(hooks, event) !== property.children?.[1]) return [];
    return elementsOf(property.children?.[1]).flatMap((group) =>
      elementsOf(memberOf(group, 'hooks')).flatMap((handler) => {
        const form = formOfHandler(event, handler);
        return form === undefined ? [] : [{ event, form, handler, group, property }];
      }),
    );
  });
}

function formOfHandler(event: string, node: JsonNode): HookForm | undefined {
  const { command, args } = (getNodeValue(node) ?? {}) as { command?: unknown; args?: unknown };
  if (typeof command !== 'string') return undefined;
  return formOf(event, command, Array.isArray(args) ? args.map(String) : undefined);
}

/** Whether a handler is as we would write it now; further members, as a user's remark, do no harm. */
function isCurrent({ event, handler, group }: Own, start: HookStart): boolean {
  const wanted = createGroup(start, event);
  const has = (node: JsonNode, name: string, value: unknown) => {
    const member = memberOf(node, name);
    return JSON.stringify(member === undefined ? undefined : getNodeValue(member)) === JSON.stringify(value);
  };
  if (wanted === undefined || !has(group, 'matcher', wanted.matcher)) return false;
  // The host would take nothing of what it prints.
  if (event === 'SessionStart' && has(handler, 'async', true)) return false;
  return Object.entries({ args: undefined, ...wanted.hooks[0] }).every(([name, value]) => has(handler, name, value));
}

/** What goes with a handler: its group where nothing else is in it, and the lists around that may go and would be empty. */
function emptiedBy({ handler, group, property }: Own, mayGo: { event: boolean; hooks: boolean }): JsonNode {
  if (elementsOf(memberOf(group, 'hooks')).length > 1) return handler;
  if (elementsOf(property.children?.[1]).length > 1 || !mayGo.event) return group;
  const hooks = property.parent;
  const isLast = propertiesOf(hooks).length === 1;
  return isLast && mayGo.hooks && hooks?.parent !== undefined ? hooks.parent : property;
}

/** Who starts Baton, and how. */
interface HookStart {
  launcher: Launcher;
  host: HostName;
}

function createGroup({ launcher, host }: HookStart, event: string): HookGroup {
  const { matcher, timeout_s = 10 } = eventOf(host, event) ?? {};
  const { hook_form, timeout_unit_ms } = hosts[host];
  const [command = '', ...args] = hookWords(launcher, host, event);
  const started = hook_form === 'line' ? { command: [command, ...args].map(quoteWord).join(' ') } : { command, args };
  const hooks = [{ type: 'command' as const, ...started, timeout: (timeout_s * 1_000) / timeout_unit_ms }];
  return matcher === undefined ? { hooks } : { matcher, hooks };
}

/** A word for the shell of either system; paths alone need it. */
function quoteWord(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
  return /[$`"\\!]/.test(word) ? `'${word}'` : `"${word}"`;
}
