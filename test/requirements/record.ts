import type { Requirement } from './requirement.ts';

const milestone = 'foundation' as const;

export const record = {
  'RECORD.canonical': {
    source: 'DESIGN 1',
    behaviour:
      'Equal contents have equal canonical bytes (RFC 8785) and one hash; what JSON cannot represent is refused.',
    milestone,
  },
  'RECORD.complete': {
    source: 'DESIGN 1, table',
    behaviour: 'Kind, title, summary and item ids are derived where a writer leaves them out.',
    milestone,
  },
  'RECORD.input': {
    source: 'STYLE 5.3',
    behaviour: 'A wrong content is refused with the field and the reason; unknown fields are never dropped.',
    milestone,
  },
  'RECORD.hostile-keys': {
    source: 'reliability-security S13',
    behaviour: 'Prototype keys in a payload stay data.',
    milestone,
  },
  'RECORD.limits': {
    source: 'STYLE 3',
    behaviour: 'A content beyond its bounds is too_large, at any depth.',
    milestone,
  },
  'RECORD.scope': { source: 'systems S2', behaviour: 'Scopes match by segment, in both directions.', milestone },
  'RECORD.outcome': {
    source: 'source 2',
    behaviour: 'Results have one outcome: their common status, mixed, or completed for none.',
    milestone,
  },
  'RECORD.version-number': {
    source: 'systems S1',
    behaviour: 'Version numbers are ordered part by part as numbers.',
    milestone,
  },
} as const satisfies Record<string, Requirement>;
