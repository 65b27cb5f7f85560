import type { Actor } from '../core/actor.ts';
import { hashJson } from '../core/canonical-json.ts';
import { HandoffError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import type { StoreSurroundings } from '../core/store.ts';
import { withoutBrought } from '../workspace/brought-variables.ts';
import { type ConfigurationInput, readConfiguration } from '../workspace/configuration.ts';
import { identifyActor } from '../workspace/identity.ts';
import { defaultStoreUrl } from '../workspace/place.ts';
import { openWorkspace, pinProject } from '../workspace/project.ts';
import { answerOnce, type Runnable } from './answer-once.ts';
import { catalogue, type OperationName } from './catalogue.ts';
import { createOperations, type Operations, type Run } from './client.ts';
import type { OperationContext } from './context.ts';
import { BackgroundRuns } from './planning/background-runs.ts';
import { createStoreOpener } from './store/store-opener.ts';

/** Where to work and as whom; every member has a default. */
export interface BatonOptions extends ConfigurationInput {
  /** The folder worked in. Default: the process's. */
  cwd?: string;
  /** Default: the process's. Variables of Baton that the folder's own files for hosts set are left out. */
  environment?: NodeJS.ProcessEnv;
  /** A store that the user named by an option: as if a variable had named it. */
  named_store?: string | undefined;
  /**
   * The script that starts this command again, for work that a host must not wait for. Default: such work
   * is done at once.
   */
  program?: string;
  /** Clock, random source and tokens of the store; for tests. */
  surroundings?: Partial<StoreSurroundings>;
}

/** Baton for one folder, one store and one actor: the catalogue's operations as methods. */
export interface Baton extends Operations {
  readonly context: Omit<
    OperationContext,
    'signal' | 'idempotency_key' | 'is_confirmed' | 'session' | 'onProgress' | 'onChunk'
  >;
  readonly run: Run;
  /** Ends the planning runs that continue in the background, each with its reason, and closes the store. */
  close(): Promise<void>;
}

/**
 * Finds project, configuration and store of a folder; the store itself is opened by the first operation that needs it.
 *
 * @throws HandoffError `file_not_found` for a folder that does not exist, `parse_error` or `invalid_input` for a wrong configuration.
 */
export async function openBaton(options: BatonOptions = {}): Promise<Baton> {
  const { cwd = currentFolder(), environment: given = process.env, named_store, ...others } = options;
  const { program, surroundings, ...overrides } = others;
  const workspace = openWorkspace(cwd);
  const own = withoutBrought(given, workspace, cwd);
  const environment = named_store === undefined ? own.environment : { ...own.environment, BATON_STORE: named_store };
  const { configuration, repository } = readConfiguration(workspace, environment, overrides);
  const store_url = configuration.store ?? defaultStoreUrl(workspace, environment);
  const store = createStoreOpener({
    store_url,
    // A program that names a store by an option has chosen it on purpose.
    is_named: configuration.store !== undefined && overrides.store === undefined,
    options: { durability: configuration.durability, ...surroundings },
  });
  const context = {
    actor: identifyActor(configuration.agent),
    workspace,
    project: configuration.project ?? pinProject(workspace),
    configuration,
    repository: own.brought.length === 0 ? repository : { ...repository, variables: own.brought },
    environment,
    store_url,
    openStore: () => store.openFor(undefined),
    background: new BackgroundRuns(),
    program,
    now: surroundings?.now ?? Date.now,
  };
  const run: Run = async (name, input, options = {}) => {
    const { signal = new AbortController().signal, actor = context.actor, project, ...others } = options;
    const operation = await load(name);
    const checked = parseInput(operation.input, input, `input of ${name}`);
    // Each name's own input and output types meet here; the catalogue's table keeps them together.
    const runnable = operation as unknown as Runnable<unknown, never>;
    const scoped = project === undefined ? context : confine(context, project);
    const openStore = () => store.openFor(name);
    const named = { actor: await withoutToken(actor), idempotency_key: await keyWithoutToken(others.idempotency_key) };
    return answerOnce(runnable, checked, { ...scoped, ...others, ...named, openStore, request: input, signal });
  };
  const close = async () => {
    await context.background.close();
    await store.close();
  };
  return createBaton({ context, run, close });
}

/** A Baton whose methods all go through one `run`: with another caller or actor. */
export function createBaton({ context, run, close }: Pick<Baton, 'context' | 'run' | 'close'>): Baton {
  return { ...createOperations(run), context, run, close };
}

/** A text that has room for a token; masking is loaded for no other. */
const mayHoldToken = /[A-Za-z0-9_+/=.-]{16}/;

async function masked(text: string): Promise<string> {
  if (!mayHoldToken.test(text)) return text;
  return (await import('../core/masking.ts')).maskSecrets(text).text;
}

/** A caller's name is stored with each step: a token that somebody gives for one is masked. */
async function withoutToken(actor: Actor): Promise<Actor> {
  const name = await masked(actor.name);
  return name === actor.name ? actor : { ...actor, name };
}

/** A key with a token in it is known by its hash. */
async function keyWithoutToken(key: string | undefined): Promise<string | undefined> {
  return key === undefined || (await masked(key)) === key ? key : hashJson(key);
}

type LoadedOperation = Awaited<ReturnType<(typeof catalogue)[OperationName]>>;

const loaded = new Map<OperationName, LoadedOperation>();

/** An operation, imported once: importing a loaded module costs as much as checking an input. */
async function load(name: OperationName): Promise<LoadedOperation> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const operation = await catalogue[name]();
  loaded.set(name, operation);
  return operation;
}

/** The context of a caller that may know one project and nothing of the machine: it does not show where the store is. */
function confine(context: Baton['context'], project: string): Baton['context'] {
  const told = { ...context, project, store_url: 'the store of this server' };
  if (project === context.project) return { ...told, confined: 'here' };
  return { ...told, confined: 'elsewhere', workspace: nowhere };
}

const nowhere = { root: '/nonexistent' };

/** @throws HandoffError `file_not_found` where the process is in a folder that was removed. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new HandoffError('file_not_found', 'The current folder does not exist any more.', {
      cause,
      alternatives: ['Change to a folder that exists, or name one with --cwd.'],
    });
  }
}
