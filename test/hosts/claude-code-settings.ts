import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type HookEvent, rulesOf } from './claude-code-rules.ts';

const hook = z.object({
  type: z.literal('command'),
  command: z.string(),
  /** With it no shell runs the command. */
  args: z.array(z.string()).optional(),
  /** Seconds. */
  timeout: z.number().positive().optional(),
});

/** A hook as a settings file registers it. */
export type RegisteredHook = z.infer<typeof hook>;

const settings = z.object({
  disableAllHooks: z.boolean().optional(),
  hooks: z
    .record(z.string(), z.array(z.object({ matcher: z.string().optional(), hooks: z.array(z.unknown()) })))
    .optional(),
});

/** The hooks of an event whose matchers fit the payload, each once, as the host finds them in its three files. */
export async function findHooks(
  folders: { project: string; home: string },
  event: HookEvent,
  payload: Readonly<Record<string, unknown>>,
): Promise<RegisteredHook[]> {
  const files = await Promise.all(
    [
      join(folders.home, '.claude', 'settings.json'),
      join(folders.project, '.claude', 'settings.json'),
      join(folders.project, '.claude', 'settings.local.json'),
    ].map(readSettings),
  );
  if (files.some(({ disableAllHooks }) => disableAllHooks === true)) return [];
  const found = new Map<string, RegisteredHook>();
  for (const { matcher, hooks } of files.flatMap((file) => file.hooks?.[event] ?? [])) {
    if (!isMatch(matcher, event, payload)) continue;
    for (const { data } of hooks.map((entry) => hook.safeParse(entry))) {
      if (data !== undefined) found.set(JSON.stringify([data.command, data.args]), data);
    }
  }
  return [...found.values()];
}

/** A file that is absent, or that the host cannot read, registers nothing. */
async function readSettings(path: string): Promise<z.infer<typeof settings>> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  try {
    return settings.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

function isMatch(matcher: string | undefined, event: HookEvent, payload: Readonly<Record<string, unknown>>): boolean {
  const field = rulesOf(event).matched_by;
  if (matcher === undefined || matcher === '' || matcher === '*' || field === undefined) return true;
  return new RegExp(`^(?:${matcher})$`).test(String(payload[field] ?? ''));
}
