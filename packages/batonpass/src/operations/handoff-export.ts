import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { HandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { encodeContentAsFile, fileOfContent } from '../handoff-files/file-content.ts';
import { formatFileName, parseFileName } from '../handoff-files/file-name.ts';
import { placeNext, placeVersion } from '../handoff-files/write-handoff-file.ts';
import { importRecord } from '../handoff-store/import-record.ts';
import { RecordFiles } from '../handoff-store/record-files.ts';
import { toRecordText } from '../handoff-store/stored-record.ts';
import { leadsOut } from '../workspace/brought.ts';
import type { OperationContext } from './context.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';

/** A handoff as a file for other programs. */
export const handoffExport = defineOperation({
  name: 'handoff.export',
  summary: 'Writes a handoff as a versioned Markdown file or as a JSON record; imported again, it is the same handoff.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    id: referenceSchema,
    as: z.enum(['file', 'record']).default('file').describe('A handoff file of Markdown, or a record of JSON'),
    folder: z.string().min(1).default('.').describe('The folder to write to; created if it is missing'),
    version: z.string().min(1).optional().describe('Of the file; default: its previous one, else the next'),
  }),
  output: async () =>
    z.strictObject({
      id: z.string(),
      /** Absolute. */
      path: z.string(),
      type: z.string().optional(),
      version: z.string().optional(),
    }),
  errors: ['not_found', 'invalid_input', 'conflict', 'too_large', 'unavailable'],
  run: async ({ id, as, folder, version }, context: OperationContext) => {
    const handoff = await resolveHandoff(id, context);
    const to = as === 'record' ? resolve(folder, 'handoffs') : resolve(folder);
    const outside = leadsOut(context.workspace, to);
    if (outside !== undefined) throw linkedOut(to, outside);
    if (as === 'record') return { id: handoff.id, path: await exportAsRecord(handoff, to, context) };
    const path = exportAsFile(handoff, to, version);
    return { id: handoff.id, path, ...parseFileName(basename(path)) };
  },
});

/** With its line of the index. */
async function exportAsRecord(handoff: Handoff, folder: string, context: OperationContext): Promise<string> {
  const { id } = handoff;
  const store = await context.openStore();
  const events = await store.events({ handoff_id: id, limit: limits.batch_max });
  const files = new RecordFiles(folder);
  const became = importRecord(files, toRecordText({ handoff, events }).text);
  const path = join(files.folder, `${id}.json`);
  if (became === 'conflict') throw otherThere(id, path);
  return path;
}

function exportAsFile({ id, content, created_at }: Handoff, folder: string, version: string | undefined): string {
  if (content.payload_ref !== undefined) throw unfit(id, content.payload_ref.bytes);
  const { type, version: own } = fileOfContent(content);
  const named = version ?? own;
  const textOf = (each: string) => encodeContentAsFile(content, created_at, each);
  if (named === undefined) return placeNext(folder, type, textOf);
  return placeVersion(join(folder, formatFileName(type, named)), named, textOf(named));
}

function otherThere(id: string, path: string): HandoffError {
  return new HandoffError('conflict', `A record of handoff ${id} exists already, and has diverged: ${path}.`, {
    details: { id, path },
    alternatives: ['Write it to another folder: --to FOLDER', `Compare both: baton show ${id} --json`],
  });
}

/** A repository could take a session's content away by a link that it brings. */
function linkedOut(folder: string, place: string): HandoffError {
  return new HandoffError('invalid_input', `${folder} is a link of this project that leads out of it, to ${place}.`, {
    details: { folder, place },
    alternatives: ['Name the place itself, if it is meant: --to FOLDER', 'Write to another folder of the project.'],
  });
}

function unfit(id: string, bytes: number): HandoffError {
  return new HandoffError('too_large', `Handoff ${id} has a payload of ${bytes} bytes, too many for a file.`, {
    details: { id, bytes },
    alternatives: [`Write its payload separately: baton show ${id} --payload`, 'Copy the store: baton store copy'],
  });
}
