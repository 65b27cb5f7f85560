import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { createDriftStages } from './drift-stage.ts';

const { create } = createDriftStages();

const attributes = [
  ['.text', 'text'],
  ['.raw', '-text'],
  ['.auto', 'text=auto'],
  ['.lf', 'eol=lf'],
  ['.crlf', 'eol=crlf'],
  ['.both', 'text=auto eol=crlf'],
  ['.old', 'crlf'],
  ['.older', '-crlf'],
  ['.input', 'crlf=input'],
  ['.bin', 'binary'],
  ['.none', ''],
] as const;

/** Small pieces on which git's guess of text and binary depends. */
const piece = fc.constantFrom(
  '\r\n',
  '\r\n',
  '\n',
  '\r',
  'word',
  '\0',
  '\u0001',
  '\u0007',
  'ü',
  '\u001a',
  '\u007f',
  ' ',
);
const contents = fc.array(fc.array(piece, { maxLength: 12 }), { minLength: 20, maxLength: 20 });

verifies(
  ['DRIFT.line-ends', 'DRIFT.facts', 'DRIFT.never-false'],
  'the id that is recorded is the one under which git then stores the file, or none is claimed',
  () => {
    for (const autocrlf of ['true', 'input', 'false', '']) {
      const stage = create();
      if (autocrlf !== '') stage.git('config', 'core.autocrlf', autocrlf);
      // Refused conversions would only be warned about, and are not what is looked at.
      stage.git('config', 'core.safecrlf', 'false');
      stage.commit({ '.gitattributes': attributes.map(([end, words]) => `*${end} ${words}\n`).join('') });
      fc.assert(
        fc.property(contents, (texts) => {
          const files = Object.fromEntries(
            texts.flatMap((pieces, index) => attributes.map(([end]) => [`${index}${end}`, pieces.join('')])),
          );
          stage.write(files);
          const measured = stage.refer(Object.keys(files)).filter(({ git }) => git?.dirty !== undefined);
          expect(measured.length).toBeGreaterThan(texts.length);
          stage.git('add', '--all');
          const stored = new Map(
            stage
              .git('ls-files', '--stage')
              .split('\n')
              .map((line) => [line.slice(line.indexOf('\t') + 1), line.split(' ')[1]] as const),
          );
          for (const { path, git } of measured) {
            expect(`${path} ${JSON.stringify(files[path])} ${git?.blob}`).toBe(
              `${path} ${JSON.stringify(files[path])} ${stored.get(path)}`,
            );
          }
          stage.git('rm', '--quiet', '-r', '--cached', '--force', '.');
          stage.git('reset', '--quiet');
        }),
        { numRuns: 5 },
      );
    }
  },
);
