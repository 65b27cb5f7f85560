import { describe, expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content, ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { withoutFaded } from '../../packages/batonpass/src/extraction/fading.ts';
import { verifies } from '../verifies.ts';

function content(input: ContentInput): Content {
  return completeContent(input, { source_agent: 'test', decision_source: 'ai-extracted' }).content;
}

const guess = content({
  decisions: ['Use Rust', { content: 'No Redis', source: 'user-pinned' }],
  files: [{ path: 'src/a.ts' }],
  risks: [{ description: 'It may fail.' }],
  tried: [{ what: 'npm test', outcome: 'exit code 1' }],
  next_steps: ['Write it'],
  open_questions: ['Which port?'],
  instructions: [{ content: 'Never push.' }],
  environment: [{ content: 'npm run build' }],
});

describe('what was received', () => {
  verifies(['CARRY.fading'], 'loses what two sessions handed on before, except what a person wants', () => {
    const left = withoutFaded(guess, [guess, guess]);
    expect(left.decisions.map((decision) => decision.content)).toEqual(['No Redis']);
    for (const name of ['files', 'risks', 'tried', 'next_steps', 'open_questions'] as const)
      expect(left[name]).toEqual([]);
    expect(left.instructions).toEqual(guess.instructions);
    expect(left.environment).toEqual(guess.environment);
  });

  verifies(['CARRY.fading'], 'keeps what fewer sessions handed on, and what was said again', () => {
    expect(withoutFaded(guess, [guess])).toEqual(guess);
    expect(withoutFaded(guess, [guess, content({ decisions: ['Use Go'] }), guess])).toEqual(guess);
  });
});
