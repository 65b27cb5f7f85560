import type { Host, HostEvent } from './host.ts';
import { claudeCode } from './host-rows/claude-code.ts';
import { codex } from './host-rows/codex.ts';
import { copilotCli } from './host-rows/copilot-cli.ts';
import { cursor } from './host-rows/cursor.ts';
import { geminiCli } from './host-rows/gemini-cli.ts';
import { openCode } from './host-rows/opencode.ts';
import { vsCode } from './host-rows/vscode.ts';

/** The hosts whose own sessions are found and read, and whose programs were tried. */
export const transcribedHosts = ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'opencode'] as const;

/** All hosts that Baton is registered with. */
export const hostNames = [
  ...transcribedHosts,
  // By their documents alone.
  'cursor',
  'vscode',
] as const;

/** A host by the name that its handoffs carry. */
export type HostName = (typeof hostNames)[number];

export type TranscribedHost = (typeof transcribedHosts)[number];

/** The host of a registered command that names none; `init` always registers with it. */
export const defaultHost: HostName = 'claude-code';

/** The one table of hosts. What is code of a room and belongs to a host is in a table of that room, keyed by these names. */
export const hosts: Readonly<Record<HostName, Host>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'copilot-cli': copilotCli,
  opencode: openCode,
  cursor,
  vscode: vsCode,
};

/** The names of all hosts, for the middle of a sentence. */
export const hostTitles = hostNames.map((host) => hosts[host].title).join(', ');

/** Whether a word names a host. */
export function isHostName(word: string): word is HostName {
  return (hostNames as readonly string[]).includes(word);
}

/** What a host does at an event; nothing where Baton does not listen to it. */
export function eventOf(host: HostName, event: string): HostEvent | undefined {
  return hosts[host].events.find((each) => each.event === event);
}

/** What happens at an event, by its name in any host; nothing for a name that is no event's. */
export function momentOf(host: string, event: string): HostEvent['moment'] | undefined {
  return isHostName(host) ? eventOf(host, event)?.moment : undefined;
}

/** Whether the host takes a text of the hook at an event for the model's context, and Baton gives one. */
export function isGiving(host: HostName, event: string): boolean {
  const moment = momentOf(host, event);
  return moment === 'start' || moment === 'prompt';
}

/** Whether hooks of a host are run by another one, which reads the same files and has hooks of its own there. */
export function isRunByAnother(host: HostName, environment: Readonly<Record<string, string | undefined>>): boolean {
  const isSetBy = (name: HostName) => environment[hosts[name].variables.own ?? ''] !== undefined;
  return hosts[host].variables.own === undefined ? hostNames.some(isSetBy) : !isSetBy(host);
}

/** The row of a host; nothing for any other program that calls itself a host. */
export function hostOf(name: string): Host | undefined {
  return isHostName(name) ? hosts[name] : undefined;
}
