import { getNodeValue } from 'jsonc-parser';
import type { HookEntry } from '../../core/host.ts';
import { defaultHost, eventOf, type HostName, hosts } from '../../core/hosts.ts';
import { formOf, goodEnd, type HookForm } from './hook-form.ts';
import type { HostCommand } from './host-command.ts';
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

/** A hook as `init` registers it; `args` where no shell runs the command. */
export interface OwnHook {
  matcher?: string;
  command: string;
  args?: string[];
  timeout_ms: number;
}

/** A file of a host that contains hooks. */
export interface HookFile {
  path: string;
  host: HostName;
}

/** The hooks of a settings file that contains only Baton's. */
export function createHookSettings(launcher: Launcher, host: HostName = defaultHost): Record<string, object[]> {
  return Object.fromEntries(hosts[host].events.map(({ event }) => [event, [createElement({ launcher, host }, event)]]));
}

/** What `init` registers for an event of a host. */
export function createOwnHook(launcher: Launcher, host: HostName, event: string): OwnHook {
  const { matcher, timeout_s = 10 } = eventOf(host, event) ?? {};
  const [command = '', ...args] = hookWords(launcher, host, event);
  const { command_form, ends_well = false } = hosts[host].hook_entry;
  const line = [...[command, ...args].map(quoteWord), ...(ends_well ? [goodEnd] : [])].join(' ');
  const started = command_form === 'line' ? { command: line } : { command, args };
  return { ...(matcher === undefined ? {} : { matcher }), ...started, timeout_ms: timeout_s * 1_000 };
}

/**
 * Registers Baton's hooks in a settings text: one for each event, after those of other tools. An older registration of
 * Baton's is replaced by it. Everything else stays as it is, byte for byte; a text that needs nothing comes back unchanged.
 * A line of the user's that runs a hook of Baton's among other words stays too, and is not doubled.
 *
 * @throws ParseError, or HandoffError `invalid_structure`, with line and column.
 */
export function registerHooks(text: string, file: HookFile, launcher: Launcher): string {
  const { host } = file;
  if (readHooks(text, file).root === null) {
    return createJsonText(text, { ...hosts[host].hook_entry.file, hooks: createHookSettings(launcher, host) });
  }
  let current = text;
  // Each round changes one place, and reads again: places move.
  for (;;) {
    const next = changeStale(current, file, launcher) ?? addMissing(current, file, launcher);
    if (next === null) return current;
    current = next;
  }
}

/**
 * Removes Baton's hooks from a settings text, with the lists that are empty without them; a list that `former`, the text
 * before Baton's registration, had already stays.
 *
 * @throws as `registerHooks`.
 */
export function removeHooks(text: string, file: HookFile, former: string): string {
  const before = readHooks(former, file);
  let current = text;
  for (;;) {
    const { hooks } = readHooks(current, file);
    const [own] = listOwn(hooks, file.host);
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
  /** Whether the host continues without waiting for it, and reads nothing of its output. */
  isAsync: boolean;
  command: string;
  /** With them no shell runs the command. */
  args?: string[];
  timeout_ms?: number;
}

/**
 * The hooks that a settings text registers and that are Baton's or may be, in its order.
 *
 * @throws as `registerHooks`.
 */
export function listHooks(text: string, file: HookFile): RegisteredHook[] {
  const { command: name, timeout: limit } = hosts[file.host].hook_entry;
  return listKnown(readHooks(text, file).hooks, file.host).map(({ event, form, handler, group }) => {
    const { [name]: command, [limit.name]: timeout, args, async } = getNodeValue(handler) as Record<string, unknown>;
    const matcher = memberOf(group, 'matcher')?.value;
    return {
      event,
      form,
      command: String(command),
      isAsync: async === true,
      ...(typeof matcher === 'string' ? { matcher } : {}),
      ...(Array.isArray(args) ? { args: args.map(String) } : {}),
      ...(typeof timeout === 'number' && timeout > 0 ? { timeout_ms: timeout * limit.unit_ms } : {}),
    };
  });
}

/** A handler that Baton recognises. */
interface Known extends Own {
  form: HookForm;
}

/** A handler of Baton with the lists that it is in. */
interface Own {
  event: string;
  handler: JsonNode;
  /** The handler itself where the host knows no groups. */
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

/** The first older or doubled registration, replaced or removed; null where there is none. */
function changeStale(text: string, file: HookFile, launcher: Launcher): string | null {
  const { hooks } = readHooks(text, file);
  const { events } = hosts[file.host];
  const wanted = { launcher, host: file.host };
  const all = listOwn(hooks, file.host);
  const kept = events.map(({ event }) => all.find((own) => own.event === event && isCurrent(own, wanted)));
  const stale = all.find((own) => !kept.includes(own));
  if (stale === undefined) return null;
  const known = events.findIndex(({ event }) => event === stale.event);
  const isAlone = elementsOf(memberOf(stale.group, 'hooks')).length <= 1;
  if (known !== -1 && kept[known] === undefined && isAlone) {
    return replaceJson(text, stale.group, createElement(wanted, stale.event));
  }
  return removeJson(text, emptiedBy(stale, { event: known === -1, hooks: false }));
}

function addMissing(text: string, file: HookFile, launcher: Launcher): string | null {
  const { host } = file;
  const { root, hooks } = readHooks(text, file);
  const registered = new Set(listKnown(hooks, host).flatMap(({ event, form }) => (form === 'script' ? [] : [event])));
  const missing = hosts[host].events.find(({ event }) => !registered.has(event))?.event;
  if (root === null || missing === undefined) return null;
  const needed = Object.entries(hosts[host].hook_entry.file).find(([key]) => memberOf(root, key) === undefined);
  if (needed !== undefined) return appendJson(text, root, { key: needed[0], value: needed[1] });
  if (hooks === undefined) return appendJson(text, root, { key: 'hooks', value: createHookSettings(launcher, host) });
  const groups = memberOf(hooks, missing);
  if (groups !== undefined) return appendJson(text, groups, { value: createElement({ launcher, host }, missing) });
  return appendJson(text, hooks, { key: missing, value: [createElement({ launcher, host }, missing)] });
}

function listOwn(hooks: JsonNode | undefined, host: HostName): Own[] {
  return listKnown(hooks, host).filter(({ form }) => form === 'own');
}

function listKnown(hooks: JsonNode | undefined, host: HostName): Known[] {
  const { hook_entry } = hosts[host];
  return propertiesOf(hooks).flatMap((property) => {
    const event = String(property.children?.[0]?.value);
    // Of two members with one name the host reads the last.
    if (memberOf(hooks, event) !== property.children?.[1]) return [];
    return elementsOf(property.children?.[1]).flatMap((group) =>
      (hook_entry.in_groups ? elementsOf(memberOf(group, 'hooks')) : [group]).flatMap((handler) => {
        const form = formOfHandler(event, handler, hook_entry);
        return form === undefined ? [] : [{ event, form, handler, group, property }];
      }),
    );
  });
}

function formOfHandler(event: string, node: JsonNode, entry: HookEntry): HookForm | undefined {
  const { [entry.command]: command, args } = (getNodeValue(node) ?? {}) as Record<string, unknown>;
  if (typeof command !== 'string') return undefined;
  return formOf(event, command, Array.isArray(args) ? args.map(String) : undefined);
}

/** Whether a handler is as Baton would write it now; further members, as a user's comment, do no harm. */
function isCurrent({ event, handler, group }: Own, start: HookStart): boolean {
  const { matcher } = eventOf(start.host, event) ?? {};
  const has = (node: JsonNode, name: string, value: unknown) => {
    const member = memberOf(node, name);
    return JSON.stringify(member === undefined ? undefined : getNodeValue(member)) === JSON.stringify(value);
  };
  if (!has(group, 'matcher', matcher)) return false;
  // The host would read nothing of its output.
  if (eventOf(start.host, event)?.moment === 'start' && has(handler, 'async', true)) return false;
  const wanted = { args: undefined, ...createHandler(start, event) };
  return Object.entries(wanted).every(([name, value]) => has(handler, name, value));
}

/** What is removed with a handler: its group without other handlers, and removable lists that would be empty. */
function emptiedBy({ handler, group, property }: Own, mayGo: { event: boolean; hooks: boolean }): JsonNode {
  if (elementsOf(memberOf(group, 'hooks')).length > 1) return handler;
  if (elementsOf(property.children?.[1]).length > 1 || !mayGo.event) return group;
  const hooks = property.parent;
  const isLast = propertiesOf(hooks).length === 1;
  return isLast && mayGo.hooks && hooks?.parent !== undefined ? hooks.parent : property;
}

/** The host that starts Baton, and its launcher. */
interface HookStart {
  launcher: Launcher;
  host: HostName;
}

/** Baton's element in the list of an event. */
function createElement(start: HookStart, event: string): object {
  const { matcher } = eventOf(start.host, event) ?? {};
  const handler = createHandler(start, event);
  const element = hosts[start.host].hook_entry.in_groups ? { hooks: [handler] } : handler;
  return matcher === undefined ? element : { matcher, ...element };
}

function createHandler({ launcher, host }: HookStart, event: string): Record<string, unknown> {
  const { fixed, command: name, timeout } = hosts[host].hook_entry;
  const { command, args, timeout_ms } = createOwnHook(launcher, host, event);
  const started = { [name]: command, ...(args === undefined ? {} : { args }) };
  return { ...fixed, ...started, [timeout.name]: timeout_ms / timeout.unit_ms };
}

/** Whether a command is exactly these words, started as they are or by a shell, as `init` writes them. */
export function isWrittenAs(command: HostCommand, words: readonly string[]): boolean {
  if ('words' in command) return JSON.stringify(command.words) === JSON.stringify(words);
  const line = words.map(quoteWord).join(' ');
  return command.line === line || command.line === `${line} ${goodEnd}`;
}

/** A word for the shell of either system; only paths need it. */
function quoteWord(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
  return /[$`"\\!]/.test(word) ? `'${word}'` : `"${word}"`;
}
