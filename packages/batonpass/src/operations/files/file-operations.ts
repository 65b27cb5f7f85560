import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { parseDocument } from '../../formats/markdown/document.ts';
import type { FrontMatter } from '../../formats/markdown/front-matter-value.ts';
import { checkHandoffFiles } from '../../handoff-files/check-handoff-files.ts';
import { parseFileName } from '../../handoff-files/file-name.ts';
import { type BaseFrontmatter, handoffTypes } from '../../handoff-files/frontmatter.ts';
import { listHandoffFiles } from '../../handoff-files/list-handoff-files.ts';
import { parseHandoffFile, readDocumentText } from '../../handoff-files/read-handoff-file.ts';
import { formatTimestamp } from '../../handoff-files/timestamp.ts';
import { nextHandoffFile, reviseHandoffFile, writeHandoffFile } from '../../handoff-files/write-handoff-file.ts';
import type { OperationContext } from '../context.ts';

/** The fields of front matter as they are given; each kind's own rules are checked where the file is written. */
const frontmatterSchema = z.record(z.string(), z.unknown());

/** A file that was written. */
const writtenFileSchema = z.strictObject({
  /** Absolute. */
  path: z.string(),
  type: z.string(),
  version: z.string(),
});

type Fields = z.output<typeof frontmatterSchema>;

export const fileWrite = defineOperation({
  name: 'file.write',
  summary:
    'Writes a handoff file under the version that its front matter names; an existing file of that version is kept.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** Made where it is absent. */
    folder: z.string().min(1),
    frontmatter: frontmatterSchema,
    /** Markdown, kept byte for byte. */
    body: z.string(),
  }),
  output: async () => writtenFileSchema,
  errors: ['invalid_input', 'conflict', 'too_large', 'file_not_found', 'unavailable'],
  run: async ({ folder, frontmatter, body }, context: OperationContext) => {
    const fields = withDefaults(frontmatter, context);
    const path = await writeHandoffFile(resolve(folder), fields, body);
    return { path, type: String(fields.type), version: String(fields.version) };
  },
});

const inputSchema = z.strictObject({
  /** Made where it is absent. Default: the folder of `from`. */
  folder: z.string().min(1).optional(),
  /** A handoff file whose next version this is: fields that are not given stay as they are there, byte for byte. */
  from: z.string().min(1).optional(),
  /** Without `version`, which is set here. */
  frontmatter: frontmatterSchema.default({}),
  /** Markdown, kept byte for byte. Default: the body of `from`. */
  body: z.string().optional(),
});

export const fileNext = defineOperation({
  name: 'file.next',
  summary: 'Writes a handoff file under the next version of its kind, allocated in the same step.',
  mutates: true,
  doors: { http: false },
  input: inputSchema,
  output: async () => writtenFileSchema,
  errors: [
    'invalid_input',
    'invalid_structure',
    'parse_error',
    'too_large',
    'file_not_found',
    'unavailable',
    'conflict',
  ],
  run: async (input, context: OperationContext) => {
    if ('version' in input.frontmatter) throw versionGiven();
    const path = input.from === undefined ? await writeNew(input, context) : revise(input.from, input, context);
    const { type, version } = parseFileName(basename(path)) ?? { type: '', version: '' };
    return { path, type, version };
  },
});

type Input = z.output<typeof inputSchema>;

async function writeNew({ folder, frontmatter, body }: Input, context: OperationContext): Promise<string> {
  if (folder === undefined || body === undefined) throw missing(folder === undefined ? 'folder' : 'body');
  return nextHandoffFile(resolve(folder), withDefaults(frontmatter, context), body);
}

function revise(from: string, { folder, frontmatter, body }: Input, { now }: OperationContext): string {
  const changes = { created: formatTimestamp(now()), ...frontmatter } as FrontMatter;
  return reviseHandoffFile(resolve(from), { changes, body, dir: resolve(folder ?? dirname(from)) });
}

function missing(field: string): HandoffError {
  return new HandoffError('invalid_input', `The ${field} of the new file is missing.`, {
    details: { field },
    alternatives: [
      'Give a folder and a body: baton file next --dir FOLDER --type findings … BODY.md',
      'Or start from a file: baton file next --from FILE',
    ],
  });
}

function versionGiven(): HandoffError {
  return new HandoffError('invalid_input', 'The next version is given by the folder, not by the front matter.', {
    details: { field: 'version' },
    alternatives: ['Leave the version out.', 'Write a version of your own: baton file write'],
  });
}

export const fileRead = defineOperation({
  name: 'file.read',
  summary: 'Reads a handoff file: its fields, its body, and what had to be repaired.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    path: z.string().min(1),
    /** Whether any Markdown document is accepted, its front matter as it is. */
    any: z.boolean().default(false),
  }),
  output: async () =>
    z.strictObject({
      /** Absolute. */
      path: z.string(),
      /** null for a document that has none. */
      frontmatter: z.record(z.string(), z.unknown()).nullable(),
      body: z.string(),
      repairs: z.array(z.string()).optional(),
    }),
  errors: ['parse_error', 'invalid_input', 'too_large', 'file_not_found', 'unavailable'],
  run: async ({ path: given, any }, _context: OperationContext) => {
    const path = resolve(given);
    if (!any) return { path, ...(await parseHandoffFile<Record<string, unknown>>(path)) };
    const { fields, body } = parseDocument(readDocumentText(path), path);
    return { path, frontmatter: fields, body: body.toWellFormed() };
  },
});

export const fileList = defineOperation({
  name: 'file.list',
  summary: 'Lists the handoff files of a folder, by kind, the newest version first.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    folder: z.string().min(1),
    type: z.enum(handoffTypes).optional(),
  }),
  output: async () =>
    z.strictObject({
      /** Absolute. */
      folder: z.string(),
      files: z.array(
        z.strictObject({
          path: z.string(),
          type: z.enum(handoffTypes),
          version: z.string(),
          status: z.string().optional(),
          created: z.string().optional(),
          phase: z.string().optional(),
          agent: z.string().optional(),
          /** The first heading of the body. */
          title: z.string().optional(),
          /** Why the file cannot be read. */
          problem: z.string().optional(),
        }),
      ),
    }),
  errors: ['invalid_input', 'file_not_found', 'unavailable'],
  run: async ({ folder: given, type }, _context: OperationContext) => {
    const folder = resolve(given);
    const types = type === undefined ? handoffTypes : [type];
    return { folder, files: types.flatMap((each) => listHandoffFiles(folder, each)) };
  },
});

export const fileCheck = defineOperation({
  name: 'file.check',
  summary: 'Checks every Markdown file in some paths: front matter that cannot be read, handoff files that are wrong.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    /** Files, and folders with all files in them. */
    paths: z.array(z.string().min(1)).min(1),
  }),
  output: async () =>
    z.strictObject({
      documents: z.int(),
      /** How many of them are handoff files. */
      handoff_files: z.int(),
      findings: z.array(
        z.strictObject({
          path: z.string(),
          line: z.int().optional(),
          column: z.int().optional(),
          field: z.string().optional(),
          what: z.string(),
        }),
      ),
      /** What reading corrects by itself: no fault. */
      repairs: z.array(z.strictObject({ path: z.string(), what: z.string() })),
    }),
  errors: ['invalid_input', 'file_not_found', 'unavailable'],
  run: async ({ paths }, { signal }: OperationContext) =>
    checkHandoffFiles(
      paths.map((path) => resolve(path)),
      signal,
    ),
});

/** Fields with their defaults: author, time, and the number of tasks that a plan names. */
function withDefaults(fields: Fields, { actor, now }: OperationContext): Fields & BaseFrontmatter {
  const count = fields.type === 'plan' && Array.isArray(fields.task_ids) ? fields.task_ids.length : undefined;
  const defaults = { created: formatTimestamp(now()), agent: actor.name, tasks_created: count };
  const missing = Object.entries(defaults).filter(([name, value]) => value !== undefined && fields[name] === undefined);
  // Writing checks whether the fields are those that a file needs.
  return { ...fields, ...Object.fromEntries(missing) } as Fields & BaseFrontmatter;
}
