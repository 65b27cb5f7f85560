import { z } from 'zod';
import { isHandoffError } from '../../core/errors.ts';
import { maskSecrets } from '../../core/masking.ts';

/** The possible findings, each with a name of its own that programs may rely on. */
const findingIds = [
  // What the host has registered.
  'not-registered',
  'hooks-registered',
  'hooks-not-registered',
  'hooks-doubled',
  'hooks-disabled',
  'hook-matcher',
  'hook-async',
  'hook-wrapped',
  'registration-not-tried',
  'server-registered',
  'server-not-registered',
  'server-refused',
  'documents-registered',
  'documents-not-registered',
  'documents-outdated',
  'hooks-untrusted',
  'host-found',
  'host-too-old',
  'document-damaged',
  'settings-unreadable',
  // The command that it starts.
  'command-found',
  'command-not-found',
  'command-fails',
  'command-downloads',
  'command-hangs',
  'command-shadowed',
  'version-differs',
  'node-found',
  'node-too-old',
  // The result of running the hooks for real.
  'hook-works',
  'hook-not-run',
  'hook-timeout',
  'hook-fails',
  'hook-blocks',
  'hook-invalid-json',
  'hook-event-name',
  'hook-silent',
  'hook-cannot-write',
  'hook-wrong-context',
  'hook-too-long',
  'hook-not-saved',
  'hook-prints',
  'hook-complains',
  'hook-slow',
  // The result of running the server for real.
  'server-works',
  'server-fails',
  'server-noise',
  'server-hangs',
  'server-too-large',
  // The earlier runs of hooks.
  'hooks-ran',
  'hooks-failed',
  'saves-waiting',
  'offers-unproved',
  // Where handoffs are stored.
  'store-healthy',
  'store-absent',
  'store-unusable',
  'store-damaged',
  'disk-has-room',
  'disk-nearly-full',
  'disk-full',
  'place-unwritable',
  'network-file-system',
  'permissions-private',
  'permissions-open',
  // What one turn of a host's own program showed.
  'turn-works',
  'turn-fails',
  'no-host-found',
  // Which agents are asked to write handoffs.
  'agents-asked',
  'agents-not-asked',
  // Whose settings apply.
  'settings-trusted',
  'settings-ignored',
  // The machine.
  'git-found',
  'git-not-found',
  'clock-sane',
  'clock-wrong',
  'check-failed',
] as const;

/** One thing that was checked: the fact, why it matters, and the next step, in plain words. */
export const findingSchema = z.strictObject({
  id: z.enum(findingIds),
  level: z.enum(['ok', 'warning', 'problem']),
  /** Its subject, where the id alone does not show it: an event, a file. */
  about: z.string().optional(),
  what: z.string(),
  /** Empty where all is well. */
  why: z.string(),
  /** Never a destructive command; empty where nothing is to be done. */
  next: z.string(),
  figures: z
    .strictObject({ took_ms: z.int(), tokens: z.int(), characters: z.int(), bytes: z.number() })
    .partial()
    .optional(),
});

export type Finding = z.infer<typeof findingSchema>;

type FindingId = Finding['id'];

/** The parts of a finding that is not well, besides its id. */
export interface Trouble extends Pick<Finding, 'about' | 'figures'> {
  what: string;
  why: string;
  next: string;
}

/** A finding that is well. */
export function fine(id: FindingId, what: string, more: Pick<Finding, 'about' | 'figures'> = {}): Finding {
  return { id, level: 'ok', ...more, what, why: '', next: '' };
}

/** A finding about what works, and should be better. */
export function warning(id: FindingId, trouble: Trouble): Finding {
  return { id, level: 'warning', ...trouble };
}

/** A finding about what does not work. */
export function problem(id: FindingId, trouble: Trouble): Finding {
  return { id, level: 'problem', ...trouble };
}

/** Runs one part of a diagnosis; a part that fails is a finding, and the others continue. */
export async function examine(about: string, part: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await part();
  } catch (error) {
    const [next] = isHandoffError(error) ? error.alternatives : [];
    return [
      problem('check-failed', {
        about,
        what: `${about} could not be checked: ${(error as Error).message}`,
        why: 'What is not checked may be broken.',
        next: next ?? 'Fix what the message names, then run it again: baton doctor',
      }),
    ];
  }
}

/** A program's output, for a sentence: its first lines, on one, secrets masked. */
export function firstLines(text: string): string {
  const lines = maskSecrets(text)
    .text.split(/\r?\n/)
    .map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(0, said_lines_max)
    .join(' / ')
    .slice(0, said_characters_max);
}

/** The error is at the top; the rest of a stack or a log helps nobody here. */
const said_lines_max = 3;
const said_characters_max = 300;
