import { basename, dirname } from 'node:path';
import { parseInput } from '../core/input.ts';
import { changeFrontMatter } from '../formats/markdown/change-front-matter.ts';
import { placeOfMatter } from '../formats/markdown/document.ts';
import type { FrontMatter } from '../formats/markdown/front-matter-value.ts';
import { joinDocument } from '../formats/markdown/split-document.ts';
import { assertHandoffType } from './file-name.ts';
import { writtenSchemas } from './frontmatter.ts';
import { parseHandoffDocument, readDocumentText } from './read-handoff-file.ts';
import { assertBody, placeNext } from './write-handoff-file.ts';

/** What becomes of a handoff file in its next version. */
export interface Revision {
  /** The fields that change; the version is given by the folder. */
  changes: FrontMatter;
  /** Default: the body as it is. */
  body?: string;
  /** Default: the folder of the file. */
  dir?: string;
}

/**
 * Writes the next version of a handoff file. Only the lines of the fields that change differ from it, and of those that
 * reading had to repair: comments, order, unknown fields and the body stay, byte for byte. The file itself stays too.
 *
 * @returns the absolute path of the new file.
 * @throws as `parseHandoffFile` and `nextHandoffFile`; HandoffError `invalid_structure` where a field cannot be changed
 * alone.
 */
export function reviseHandoffFile(path: string, { changes, body, dir = dirname(path) }: Revision): string {
  const { frontmatter, parts } = parseHandoffDocument(readDocumentText(path), path);
  const fields = { ...frontmatter, ...changes };
  const type = assertHandoffType(fields.type);
  const place = placeOfMatter(parts, basename(path));
  return placeNext(dir, type, (version) => {
    const wanted = { ...fields, version };
    parseInput(writtenSchemas[type], wanted, `front matter of ${type}`);
    const matter = changeFrontMatter(parts.matter, wanted, place);
    return joinDocument({ ...parts, matter, body: body === undefined ? parts.body : assertBody(body) });
  });
}
