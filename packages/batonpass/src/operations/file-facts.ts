import { hashJson } from '../core/canonical-json.ts';
import type { Content, ContentInput, FileReference } from '../core/content.ts';
import { type FileFacts, measureFiles } from '../workspace/drift/file-facts.ts';
import type { OperationContext } from './context.ts';

type GivenFile = NonNullable<ContentInput['files']>[number];

/**
 * A content with its files measured in the work tree, so that drift can be detected later. The writer gives only the
 * lines that matter; commit, blob, mode and whether it was committed are measured here, and absent where they
 * cannot be. A content without files costs nothing.
 *
 * @param known - files of an earlier form of this content: their measurements are kept, because they are from then.
 */
export function withFileFacts(
  content: ContentInput,
  { workspace }: OperationContext,
  known: readonly FileReference[] = [],
): ContentInput {
  const { files } = content;
  if (files === undefined || files.length === 0) return content;
  const kept = new Map(known.map(({ path, git }) => [path, git]));
  const isKept = (file: GivenFile) =>
    typeof file === 'object' && kept.has(file.path) && measuredOf(file.git) === measuredOf(kept.get(file.path));
  const facts = measureFiles(
    workspace,
    files.filter((file) => !isKept(file)).map((file) => (typeof file === 'string' ? file : file.path)),
  );
  return { ...content, files: files.map((file) => (isKept(file) ? file : withFacts(file, facts))) };
}

function withFacts(file: GivenFile, facts: ReadonlyMap<string, FileFacts>): GivenFile {
  if (typeof file === 'string') return facts.has(file) ? { path: file, git: facts.get(file) } : file;
  const { git, ...rest } = file;
  const lines = git?.lines === undefined ? {} : { lines: git.lines };
  const measured = { ...facts.get(file.path), ...lines };
  return Object.keys(measured).length === 0 ? rest : { ...rest, git: measured };
}

function measuredOf(git: FileReference['git']): string {
  const { lines: _lines, ...measured } = git ?? {};
  return hashJson(measured);
}

/** Files without their measurements: the writer's fields only, independent of the work tree. */
export function withoutFileFacts(files: Content['files']): Content['files'] {
  return files.map(({ git, ...file }) => (git?.lines === undefined ? file : { ...file, git: { lines: git.lines } }));
}
