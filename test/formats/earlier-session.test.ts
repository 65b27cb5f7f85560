import { describe, expect } from 'vitest';
import { renderContent } from '../../packages/batonpass/src/formats/prompt.ts';
import { verifies } from '../verifies.ts';
import { sampleContent } from './sample-content.ts';

describe('what was carried on', () => {
  const evidence = { message: 0, quote: 'q' };
  const there = { ...evidence, transcript: 'another' };
  const items = {
    decisions: [
      { content: 'here', source: 'ai-extracted' as const, confidence: 1, evidence },
      { content: 'own', source: 'ai-extracted' as const, evidence: { ...evidence, transcript: 'this' } },
      { content: 'there', source: 'ai-extracted' as const, confidence: 1, evidence: there },
      { content: 'hardly', source: 'ai-extracted' as const, confidence: 0.5, evidence: there },
    ],
    files: [{ path: 'a.ts', evidence: there }],
    risks: [{ description: 'grave', evidence: there }],
  };

  verifies(['CARRY.evidence'], 'names an earlier session instead of a message of this conversation', () => {
    const lines = (session: string | undefined) =>
      renderContent(sampleContent({ ...items, origin: { session } }), 4_000).text.match(/^- .*$/gm);
    const rest = [
      '- there [earlier session]',
      '- hardly [implied, earlier session]',
      '- [medium] grave [earlier session]',
      '- a.ts (medium) [earlier session]',
    ];
    expect(lines('this')).toEqual(['- here [0]', '- own [0]', ...rest]);
    expect(lines(undefined)).toEqual(['- here [0]', '- own [earlier session]', ...rest]);
  });

  verifies(['CARRY.order'], 'comes after the results of the session that saved it by itself, pinned or not', () => {
    const decisions = [
      { content: 'new', source: 'ai-extracted' as const },
      { content: 'new, hardly', source: 'ai-extracted' as const, confidence: 0.5 },
      { content: 'old', source: 'user-pinned' as const },
    ];
    const lines = (trigger: string | undefined) =>
      renderContent(sampleContent({ decisions, origin: { trigger } }), 4_000).text.match(/^- \w+/gm);
    expect(lines('Stop')).toEqual(['- new', '- old', '- new']);
    expect(lines(undefined)).toEqual(['- old', '- new', '- new']);
  });
});
