import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { readDuration } from '../core/duration.ts';
import { HandoffError, isHandoffError, ParseError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { limits } from '../core/limits.ts';
import { configuredExtractorSchema, modelSettingsSchema } from '../core/model-settings.ts';
import { mergeModelSettings } from './configured-model.ts';
import { userSettingsFile } from './place.ts';
import type { Workspace } from './project-identity.ts';
import { parseSettings, type RawSettings, readRepositorySettings, repositoryFileName } from './repository-settings.ts';
import { isTrusted } from './trust.ts';

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
  /** What a commit survives: `full` a power cut; `normal` only the end of the process, without waiting for the disk. */
  durability: z.enum(['full', 'normal']).default('full'),
  lease_ms: z.int().min(limits.lease_ms_min).max(limits.lease_ms_max).default(limits.lease_ms_default),
  /** How long handoffs in a final state stay in the store before `baton store prune` archives them, as `90d`. */
  retention: z
    .string()
    .refine((text) => (readDuration(text) ?? Number.NaN) <= limits.expiry_ms_max, 'must be a duration, as 90d or 12h')
    .default('90d'),
  /** The folder of all plans, below the project's top folder. */
  plans: z.string().min(1).max(limits.name_characters_max).default('.claude/plans'),
  /**
   * The default extractor of conversations: rules, offline, or a language model, which leaves the machine; `host`: after
   * a session its own agent is asked, and everything else is read by rules. A repository cannot choose that.
   */
  extractor: configuredExtractorSchema.default('rules'),
  /** Which model, and how it is asked. No default is needed where `ANTHROPIC_API_KEY` is set. */
  model: modelSettingsSchema.prefault({}),
  /** Tokens of a rendered context. */
  budget: z.int().min(limits.render_tokens_min).default(limits.render_tokens_default),
  /** Addresses or networks of proxies before the server, whose `X-Forwarded-For` counts. Only the user's own file. */
  proxies: z.array(z.string()).max(limits.proxies_max).default([]),
});

export type Configuration = z.output<typeof configurationSchema>;
export type ConfigurationInput = z.input<typeof configurationSchema>;

/** What became of the settings that a repository brings. */
export interface RepositorySettings {
  /** Whether the user agreed to exactly these values; also where there are none. */
  is_trusted: boolean;
  /** Settings that do not take effect, by name; empty where the file cannot be read at all. */
  ignored: readonly string[];
  /** Why the file cannot be read, where it cannot. */
  problem?: string;
  /** Variables that its files for hosts set, and that have no effect for that. */
  variables?: readonly string[];
}

/** The settings of a workspace, and those that its repository requests in addition. */
export interface ReadConfiguration {
  configuration: Configuration;
  repository: RepositorySettings;
}

/**
 * Reads the settings of a workspace. The later wins: the user's own `~/.config/baton/config.json`, then
 * `baton.config.json` in the workspace's top folder, then `BATON_STORE`, `BATON_AGENT`, `BATON_PROJECT`,
 * `BATON_REVIEW`, `BATON_DURABILITY`, `BATON_RETENTION`, `BATON_PLANS`, `BATON_EXTRACTOR` and those of
 * `modelSettingsOf`, then `overrides` (a door's flags).
 *
 * The repository's file comes from the repository's authors. Until the user agrees to its exact values, it makes
 * settings stricter and does nothing else; a file that cannot be read is ignored. Folders above are not read.
 *
 * @throws ParseError for a user's file that is not JSON; HandoffError `invalid_input` for an unknown or wrong setting of
 * the user's or of a file that is trusted.
 */
export function readConfiguration(
  workspace: Workspace,
  environment: NodeJS.ProcessEnv,
  overrides: ConfigurationInput = {},
): ReadConfiguration {
  const fromUser = readUserSettings(environment);
  const { settings, ...repository } = readFromRepository(workspace, environment, fromUser);
  return { configuration: mergeSettings({ fromUser, fromRepository: settings, environment, overrides }), repository };
}

/**
 * What the settings of a repository would be, were they trusted.
 *
 * @throws HandoffError `invalid_input` or `path_outside_root` for settings that cannot be trusted as they are.
 */
export function assertTrustable(root: string, settings: RawSettings): void {
  mergeSettings({ fromUser: {}, fromRepository: placeIn(root, settings), environment: {}, overrides: {} });
}

interface SettingsSources {
  fromUser: RawSettings;
  fromRepository: RawSettings;
  environment: NodeJS.ProcessEnv;
  overrides: ConfigurationInput;
}

function mergeSettings({ fromUser, fromRepository, environment, overrides }: SettingsSources): Configuration {
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
  if (fromRepository.extractor === 'host') throw askedByRepository();
  const model = mergeModelSettings({
    fromUser: fromUser.model,
    fromRepository: fromRepository.model,
    environment,
    overrides: overrides.model,
    file_name: repositoryFileName,
  });
  return parseInput(
    configurationSchema,
    { ...fromUser, ...fromRepository, ...fromEnvironment, ...withoutEmpty(overrides), model },
    'configuration',
  );
}

/** The person decides what a session costs and where its text is sent. */
function askedByRepository(): HandoffError {
  return new HandoffError('invalid_input', `${repositoryFileName} lets the agents of sessions write their handoffs.`, {
    details: { extractor: 'host' },
    alternatives: ['That is yours alone to choose, for all projects: baton init --agent-writes on'],
  });
}

function readUserSettings(environment: NodeJS.ProcessEnv): RawSettings {
  const path = userSettingsFile(environment);
  if (!existsSync(path)) return {};
  const settings = parseSettings(path, readFileSync(path, 'utf8'));
  const { store } = settings;
  if (typeof store !== 'string' || !/^sqlite:(?!:memory:$)/.test(store) || isAbsolute(store.slice('sqlite:'.length))) {
    return settings;
  }
  throw new HandoffError('invalid_input', `${path} names a store by a relative path: ${store}.`, {
    details: { store },
    alternatives: ['Write the absolute path: the file is read in every folder.'],
  });
}

interface FromRepository extends RepositorySettings {
  /** What takes effect. */
  settings: RawSettings;
}

function readFromRepository(
  workspace: Workspace,
  environment: NodeJS.ProcessEnv,
  fromUser: RawSettings,
): FromRepository {
  try {
    const brought = readRepositorySettings(workspace.root);
    if (brought === null) return { settings: {}, is_trusted: true, ignored: [] };
    if (isTrusted(workspace, environment, brought)) {
      return { settings: placeIn(workspace.root, brought), is_trusted: true, ignored: [] };
    }
    const settings = pickStricter(brought, fromUser);
    return { settings, is_trusted: false, ignored: namesOf(brought, settings) };
  } catch (error) {
    // A file that cannot be read has no agreement, so it must not stop the user's work either.
    if (!isHandoffError(error)) throw error;
    const problem = error instanceof ParseError ? `${repositoryFileName} is not JSON.` : error.message;
    return { settings: {}, is_trusted: false, ignored: [], problem };
  }
}

/** The settings that do not take effect. A name that Baton does not know may be any text, and is not repeated. */
function namesOf(brought: RawSettings, settings: RawSettings): string[] {
  const names = Object.keys(brought).filter((name) => name !== '$schema' && !Object.hasOwn(settings, name));
  const known = names.filter((name) => Object.hasOwn(configurationSchema.shape, name));
  return known.length === names.length ? known : [...known, 'what Baton does not know'];
}

/** What a repository may set unasked, because it allows less. */
const stricterSchema = configurationSchema.pick({ review: true, budget: true });

/** Of settings without the user's agreement, those that allow no more than the user's own. */
function pickStricter(brought: RawSettings, fromUser: RawSettings): RawSettings {
  const { review, budget } = brought;
  const own = stricterSchema.safeParse({ review: fromUser.review, budget: fromUser.budget }).data;
  const wanted = stricterSchema.safeParse({ review, budget }).data;
  if (own === undefined || wanted === undefined) return {};
  const rank = (of: typeof own.review) => reviewSchema.options.indexOf(of);
  return {
    ...(review !== undefined && rank(wanted.review) >= rank(own.review) && { review }),
    ...(budget !== undefined && wanted.budget <= own.budget && { budget }),
  };
}

/**
 * Places that a repository's file names are in the project, from every working folder: it must not make
 * databases or plans elsewhere on the machine. No password of the user is sent to a server that it names.
 */
function placeIn(root: string, settings: RawSettings): RawSettings {
  const { store, plans } = settings;
  if (settings.proxies !== undefined) throw proxiesNamed();
  if (typeof plans === 'string') assertInside(plans, { root, what: 'plans', variable: 'BATON_PLANS' });
  if (typeof store !== 'string') return settings;
  if (!store.startsWith('sqlite:')) return { ...settings, store: withoutPasswordOfUser(store) };
  const given = store.slice('sqlite:'.length);
  assertInside(given, { root, what: 'a store', variable: 'BATON_STORE' });
  return { ...settings, store: `sqlite:${join(root, given)}` };
}

/** Proxies belong to the machine that serves, not to the repository. */
function proxiesNamed(): HandoffError {
  return new HandoffError('invalid_input', `${repositoryFileName} names proxies; only your own settings can do that.`, {
    alternatives: ['Remove proxies from it.', 'Name them in ~/.config/baton/config.json, or by --proxy ADDRESS.'],
  });
}

function assertInside(path: string, { root, what, variable }: { root: string; what: string; variable: string }): void {
  if (!isAbsolute(path) && !path.split(/[\\/]/).includes('..')) return;
  throw new HandoffError('path_outside_root', `${repositoryFileName} names ${what} outside of the project: ${path}.`, {
    details: { path, root },
    alternatives: ['Name a path inside of the project.', `Set ${variable}: that is yours alone.`],
  });
}

/**
 * The URL of a server, so that its driver takes no password from `PGPASSWORD` or a `.pgpass` file: it looks there only
 * where the URL has none, and so gets one that is no secret.
 */
function withoutPasswordOfUser(store: string): string {
  const [url = ''] = store.split('#');
  const parsed = URL.parse(url);
  if (parsed?.password || parsed?.searchParams.getAll('password').at(-1)) return url;
  return /^postgres(ql)?:/.test(url) ? `${url}${url.includes('?') ? '&' : '?'}password=none` : url;
}

function withoutEmpty<T extends object>(settings: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''),
  ) as Partial<T>;
}
