import { expect } from 'vitest';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { verifies } from '../verifies.ts';
import { dialogue } from './dialogue.ts';

verifies(['FIDELITY.final'], 'words behind the mark of an attachment are the person’s own', () => {
  for (const mark of [
    '[Image #1]',
    '[Image #1] [Image #2]',
    '[Pasted text #2 +12 lines]',
    '[Image: source: /a/b.png]',
  ]) {
    const { where_it_stands, title } = extractByRules(dialogue(`${mark} the header of the page is cut off`));
    expect(where_it_stands[0]?.content).toBe(`${mark} the header of the page is cut off`);
    expect(title).toBe('The header of the page is cut off');
  }
  for (const printed of ['[INFO] the server is listening on its port', '[2026-01-01] the server is listening'])
    expect(extractByRules(dialogue(printed)).where_it_stands[0]?.content).toBe(`[pasted 1 line: ${printed}]`);
});
