import type { Requirement } from './requirement.ts';

const of = (source: string, behaviour: string) => ({ source, behaviour, milestone: 'foundation' }) as const;

export const operations = {
  'OP.retry': of(
    'DESIGN 2',
    'A retry with its key gets the first answer, whatever changed in the work tree meanwhile.',
  ),
  'OP.wait': of('DESIGN 7', 'A waiting claim ends at once when there is an answer or a refusal, and never by a crash.'),
  'OP.project': of('reliability-security S5', 'Another project’s handoff is as absent as one that never was.'),
  'OP.approval': of('DESIGN 6', 'An approval binds one content to exactly the bytes that are rendered from it.'),
  'OP.secrets': of('DESIGN 5', 'Secrets are masked before anything is stored, whoever wrote it.'),
  'OP.something': of('field 3.1, 1', 'A handoff says something, or is refused.'),
  'OP.references': of('DESIGN 1', 'A handoff names another by its whole id, however the caller named it.'),
  'OP.provenance': of('DESIGN 1', 'An edit says who edited, and never whose work it is.'),
  'OP.import': of('DESIGN 2', 'A conversation that was imported is known again.'),
  'OP.situation': of('DESIGN 6', 'The next receiver is told how often and why earlier ones failed.'),
  'OP.reopen-store': of('STYLE 5', 'A store that could not be opened is tried again at the next call.'),
} as const satisfies Record<string, Requirement>;
