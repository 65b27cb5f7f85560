import type { Requirement } from './requirement.ts';

const of = (source: string, behaviour: string) => ({ source, behaviour, milestone: 'foundation' }) as const;

export const operations = {
  'OP.retry': of('DESIGN 2', 'A retry with its key gets the first answer, although the work tree changed meanwhile.'),
  'OP.wait': of('DESIGN 7', 'A waiting claim ends at once when there is an answer or a refusal, and never by a crash.'),
  'OP.project': of('reliability-security S5', 'Another project’s handoff is as absent as one that never existed.'),
  'OP.approval': of('DESIGN 6', 'An approval binds one content to exactly the bytes that are rendered from it.'),
  'OP.secrets': of('DESIGN 5', 'Secrets are masked before anything is stored, for every writer.'),
  'OP.something': of('field 3.1, 1', 'A handoff without content is refused.'),
  'OP.references': of('DESIGN 1', 'A handoff names another by its whole id, also when the caller named it by a part.'),
  'OP.provenance': of('DESIGN 1', 'An edit records who edited, and leaves the author of the work unchanged.'),
  'OP.own-marks': of('DESIGN 1', 'Only a person’s write says that a person pinned or edited an item.'),
  'OP.own-words': of(
    'DESIGN 5',
    'An agent hands over nothing as the person’s words, requests or repeated orders, nor as a place in a conversation.',
  ),
  'OP.import': of('DESIGN 2', 'A conversation that was imported is recognised at the next import.'),
  'OP.situation': of('DESIGN 6', 'The next receiver gets how often and why earlier ones failed.'),
  'OP.reopen-store': of('STYLE 5', 'A store that could not be opened is tried again at the next call.'),
} as const satisfies Record<string, Requirement>;
