import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import type { FrontMatter } from '../../formats/markdown/front-matter-value.ts';
import { parseFileName } from '../../handoff-files/file-name.ts';
import { formatTimestamp } from '../../handoff-files/timestamp.ts';
import { nextHandoffFile, reviseHandoffFile } from '../../handoff-files/write-handoff-file.ts';
import type { OperationContext } from '../context.ts';
import { frontmatterSchema, withDefaults, writtenFileSchema } from './file-input.ts';

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
      'Or go on from a file: baton file next --from FILE',
    ],
  });
}

function versionGiven(): HandoffError {
  return new HandoffError('invalid_input', 'The next version is given by the folder, not by the front matter.', {
    details: { field: 'version' },
    alternatives: ['Leave the version out.', 'Write a version of your own: baton file write'],
  });
}
