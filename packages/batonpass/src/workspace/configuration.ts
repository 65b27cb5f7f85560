import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { readDuration } from '../core/duration.ts';
import { HandoffError, ParseError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { limits } from '../core/limits.ts';
import { extractorSchema, modelSettingsSchema } from '../core/model-settings.ts';
import { mergeModelSettings } from './configured-model.ts';

const configurationFileName = 'baton.config.json';

/** When a handoff waits for a person's approval before it can be claimed. */
const reviewSchema = z.enum(['never', 'extracted', 'always']);

/** What a project or user can set; each has a default, so that nothing has to be set. */
const configurationSchema = z.strictObject({
  /** For editors that complete by schema; ignored. */
  $schema: z.string().optional(),
  /** The project's name, where neither remote nor root commit should name it. */
  project: z.string().trim().min(1).max(limits.name_characters_max).optional(),
  /** Store URL: `sqlite:PATH`, `postgres://…` or `memory:`. Default: a database in git's common folder. */
  store: z.string().min(1).optional(),
  /** Under which name this user's commands act. Default: the user's name. */
  agent: z.string().trim().min(1).max(limits.name_characters_max).optional(),
  /** `extracted`: what is imported from a transcript starts as a draft; what is written opens. */
  review: reviewSchema.default('extracted'),
  /** What a commit outlives: `full` a power cut; `normal` the process alone, and nobody waits for the disk. */
  durability: z.enum(['full', 'normal']).default('full'),
  lease_ms: z.int().min(limits.lease_ms_min).max(limits.lease_ms_max).default(limits.lease_ms_default),
  /** How long what nobody is to act on any more stays in the store before `baton store prune` archives it, as `90d`. */
  retention: z
    .string()
    .refine((text) => (readDuration(text) ?? Number.NaN) <= limits.expiry_ms_max, 'must be a duration, as 90d or 12h')
    .default('90d'),
  /** The folder of all plans, below the project's top folder. */
  plans: z.string().min(1).max(limits.name_characters_max).default('.claude/plans'),
  /** What reads conversations where nobody says: rules, offline, or a language model, which leaves the machine. */
  extractor: extractorSchema.default('rules'),
  /** Which model, and how it is asked. No default is needed where `ANTHROPIC_API_KEY` is set. */
  model: modelSettingsSchema.prefault({}),
  /** Tokens of a rendered context. */
  budget: z.int().min(limits.render_tokens_min).default(limits.render_tokens_default),
});

export type Configuration = z.output<typeof configurationSchema>;
export type ConfigurationInput = z.input<typeof configurationSchema>;

/**
 * Reads the configuration of a project: `baton.config.json` in its top folder, then `BATON_STORE`, `BATON_AGENT`,
 * `BATON_PROJECT`, `BATON_REVIEW`, `BATON_DURABILITY`, `BATON_RETENTION`, `BATON_PLANS`, `BATON_EXTRACTOR` and those of
 * `modelSettingsOf`, then `overrides` (a door's flags). The later wins. Folders above the project are not asked: what lies there may be somebody else's.
 *
 * @throws ParseError for a file that is not JSON; HandoffError `invalid_input` for an unknown or wrong setting.
 */
export function readConfiguration(
  root: string,
  environment: NodeJS.ProcessEnv,
  overrides: ConfigurationInput = {},
): Configuration {
  const path = join(root, configurationFileName);
  const fromFile: Record<string, unknown> = existsSync(path) ? keepPlans(placeStore(parseFile(path), root), root) : {};
  const fromEnvironment = withoutEmpty({
    store: environment.BATON_STORE,
    agent: environment.BATON_AGENT,
    project: environment.BATON_PROJECT,
    review: environment.BATON_REVIEW,
    durability: environment.BATON_DURABILITY,
    retention: environment.BATON_RETENTION,
    plans: environment.BATON_PLANS,
    extractor: environment.BATON_EXTRACTOR,
  });
  const model = mergeModelSettings({
    fromFile: fromFile.model,
    environment,
    overrides: overrides.model,
    file_name: configurationFileName,
  });
  return parseInput(
    configurationSchema,
    { ...fromFile, ...fromEnvironment, ...withoutEmpty(overrides), model },
    'configuration',
  );
}

/**
 * A store that the file names lies in the project, whichever folder of it is worked in: a repository's file must not
 * make databases elsewhere on the machine of whoever clones it.
 */
function placeStore(settings: Record<string, unknown>, root: string): Record<string, unknown> {
  const { store } = settings;
  if (typeof store !== 'string' || !store.startsWith('sqlite:')) return settings;
  const given = store.slice('sqlite:'.length);
  if (leadsOut(given)) {
    throw new HandoffError(
      'path_outside_root',
      `${configurationFileName} names a store outside of the project: ${given}.`,
      {
        details: { path: given, root },
        alternatives: [
          'Name a path inside of the project.',
          'Set BATON_STORE, or give --store: those are yours alone.',
        ],
      },
    );
  }
  return { ...settings, store: `sqlite:${join(root, given)}` };
}

/** As with the store: a repository's file must not have plans written elsewhere on the machine. */
function keepPlans(settings: Record<string, unknown>, root: string): Record<string, unknown> {
  const { plans } = settings;
  if (typeof plans !== 'string' || !leadsOut(plans)) return settings;
  throw new HandoffError(
    'path_outside_root',
    `${configurationFileName} names plans outside of the project: ${plans}.`,
    {
      details: { path: plans, root },
      alternatives: ['Name a path inside of the project.', 'Set BATON_PLANS: that is yours alone.'],
    },
  );
}

function leadsOut(path: string): boolean {
  return isAbsolute(path) || path.split(/[\\/]/).includes('..');
}

function parseFile(path: string): Record<string, unknown> {
  const text = readFileSync(path, 'utf8');
  const value = attemptParse(path, text);
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new HandoffError('invalid_structure', `The configuration ${path} is not a JSON object.`, {
    alternatives: ['Write it as { "review": "extracted" }.'],
  });
}

function attemptParse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParseError(`The configuration ${path} is not JSON: ${(cause as Error).message}.`, {
      source: path,
      cause,
      alternatives: ['Correct the file, or move it away to use the defaults.'],
    });
  }
}

function withoutEmpty<T extends object>(settings: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''),
  ) as Partial<T>;
}
