import { HandoffError } from '../core/errors.ts';
import { readText, titleOf } from '../transcripts/session-head.ts';
import { askGit, askGitBytes } from '../workspace/git.ts';
import type { OperationContext } from './context.ts';

/** A session that a team stores in its repository. */
export interface RepositorySession {
  /** In git's form: a branch or commit, a colon, and the path in it. */
  path: string;
  host: string;
  session: string;
  /** Who committed it. */
  author: string;
  /** ISO 8601, of that commit. */
  modified_at: string;
  bytes: number;
  /** The person's first words, secrets masked. */
  title: string;
}

/** A transcript among git's objects. */
interface KeptTranscript {
  ref: string;
  path: string;
  object: string;
  bytes: number;
  author: string;
  modified_at: string;
}

/** The branch of the Entire CLI, in this clone or as it was fetched. */
const checkpoints = ['refs/heads/entire/checkpoints/v1', 'refs/remotes/*/entire/checkpoints/v1'];

/** `0f/f8ca6db1c9/0/full.jsonl`: the first letters of a checkpoint, the rest, the session's number. */
const checkpointTranscript = /^([0-9a-f]{2}\/[0-9A-Za-z]+\/\d+)\/full\.jsonl$/;

const specStory = '.specstory/history/';

/** The authors are read from at most so many of git's commits; older sessions get the last of them. */
const commits_max = 5_000;

/** A larger transcript is not read for its title. */
const title_bytes_max = 16 * 1024 * 1024;

/**
 * The sessions that are stored in this repository, newest first: on the Entire CLI's branch `entire/checkpoints/v1`, and
 * SpecStory's history in the commit that is checked out. They are read from git's objects; no work tree is touched and
 * nothing is fetched. Of a session with several checkpoints the newest counts.
 *
 * @throws HandoffError `unavailable` where git is absent or does not answer.
 */
export async function listRepositorySessions(
  { workspace }: OperationContext,
  limit: number,
): Promise<RepositorySession[]> {
  const { root, git_common_dir } = workspace;
  if (git_common_dir === undefined) return [];
  const kept = [...listCheckpoints(root), ...listTranscripts(root, 'HEAD', specStory, (path) => path.endsWith('.md'))];
  kept.sort((a, b) => b.modified_at.localeCompare(a.modified_at) || a.path.localeCompare(b.path));
  const sessions = new Map<string, RepositorySession>();
  for (const transcript of kept) {
    if (sessions.size === limit) break;
    const session = await describe(root, transcript);
    if (!sessions.has(session.session)) sessions.set(session.session, session);
  }
  return [...sessions.values()];
}

/**
 * The text of a stored session. @param name - its path as the list gives it, or its id.
 *
 * @throws HandoffError `file_not_found` for one that the list does not hold.
 */
export async function readRepositorySession(name: string, context: OperationContext): Promise<string> {
  const { root } = context.workspace;
  const sessions = await listRepositorySessions(context, Number.POSITIVE_INFINITY);
  const found = sessions.find(({ path, session }) => path === name || session === name);
  // Git is asked only for listed names: a name is never a revision of the caller's own.
  const bytes = found && askGitBytes(root, ['cat-file', 'blob', found.path]);
  if (bytes) return bytes.toString();
  throw new HandoffError('file_not_found', `This repository has no session of that name: ${name}.`, {
    alternatives: ['List them: baton sessions --repository'],
  });
}

function listCheckpoints(root: string): KeptTranscript[] {
  const refs = askGit(root, ['for-each-ref', '--format=%(refname)', ...checkpoints])?.split('\n') ?? [];
  return refs
    .filter((ref) => ref !== '')
    .flatMap((ref) => listTranscripts(root, ref, '', (path) => checkpointTranscript.test(path)));
}

function listTranscripts(
  root: string,
  ref: string,
  folder: string,
  isOne: (path: string) => boolean,
): KeptTranscript[] {
  const words = ['ls-tree', '-r', '-l', '-z', '--full-tree', ref, ...(folder === '' ? [] : ['--', folder])];
  const entries = (askGit(root, words) ?? '').split('\0').flatMap((line) => {
    const [, object, bytes, path] = /^\d+ blob ([0-9a-f]+)\s+(\d+)\t([\s\S]+)$/.exec(line) ?? [];
    return object === undefined || path === undefined || !isOne(path) ? [] : [{ object, bytes: Number(bytes), path }];
  });
  if (entries.length === 0) return [];
  const commits = readCommits(root, ref, folder);
  const short = ref.replace(/^refs\/(?:heads|remotes)\//, '');
  return entries.map((entry) => ({ ...entry, ref: short, ...(commits.get(entry.path) ?? commits.get('') ?? unknown) }));
}

const unknown = { author: '', modified_at: '' };

/** The last author of each path, and the time; under the empty path those of the oldest commit that was read. */
function readCommits(root: string, ref: string, folder: string): Map<string, { author: string; modified_at: string }> {
  const words = ['log', '-z', '--name-only', '--no-renames', '--format=%x01%an%x02%aI', `-n${commits_max}`, ref];
  const found = new Map<string, { author: string; modified_at: string }>();
  for (const commit of (askGit(root, [...words, '--', ...(folder === '' ? [] : [folder])]) ?? '').split('\x01')) {
    const [head = '', ...paths] = commit.split(/[\0\n]+/);
    const [author, date] = head.split('\x02');
    if (author === undefined || date === undefined) continue;
    const written = { author, modified_at: new Date(date).toISOString() };
    for (const path of paths) if (path !== '' && !found.has(path)) found.set(path, written);
    found.set('', written);
  }
  return found;
}

async function describe(root: string, { ref, path, object, bytes, author, modified_at }: KeptTranscript) {
  const isReadable = bytes <= title_bytes_max;
  const text = isReadable ? (askGitBytes(root, ['cat-file', 'blob', object])?.toString() ?? '') : '';
  const conversation = text === '' ? undefined : await readText(text, path);
  const fallback = checkpointTranscript.exec(path)?.[1] ?? path.slice(specStory.length).replace(/\.md$/, '');
  return {
    path: `${ref}:${path}`,
    host: conversation?.host ?? 'unknown',
    session: conversation?.session ?? fallback,
    author,
    modified_at,
    bytes,
    title: titleOf(conversation),
  };
}
