import { declare } from './declare.ts';

/** What the documents of plans guarantee beyond the text of source 4. */
export const planFiles = declare('design, documents of plans', 'plan-files', {
  'PLAN.lossless': 'A document of a plan that is read and reassembled is the same text, for any content.',
  'PLAN.mutated': 'No text makes reading or changing a plan fail except with an expected error.',
  'PLAN.hostile': 'A value from outside breaks no structure of a document, and can be named again as it was given.',
  'PLAN.encoding': 'A document that is not UTF-8 or too large is refused, and stays as it is.',
  'PLAN.line-ends': 'A document with CRLF, a byte order mark or no last line end keeps them.',
  'PLAN.transition': 'A step to the next phase that a message requests is taken only where the phase is complete.',
  'PLAN.reopen': 'A task of the current phase can be reopened; one of a phase before cannot.',
  'PLAN.files-created': 'Files that an update names become references, each once.',
  'PLAN.person': "No request removes, moves or ticks a line of a person's that it does not name.",
  'PLAN.repeat':
    'The same request to write a plan changes nothing the second time; tasks without an id are found by phase and name.',
  'PLAN.uncounted': 'Open boxes that progress does not count are reported by validate-plan, and no request ticks them.',
  'PLAN.by-hand':
    'A plan whose phases a person finished in the file continues; one that cannot continue names the remedy.',
  'PLAN.blocked': 'read-plan answers blocked for what the status line of a task or the row of a phase calls blocked.',
  'PLAN.cut': 'A message that lacks entries which it declares, or has some as comments, writes nothing.',
  'PLAN.bracketed': 'A text in brackets in the field of a list is read as that list, and the repair is reported.',
  'PLAN.example': 'A request that an operation does not take is answered with its keys and an example; so does --help.',
  'PLAN.near': 'An unknown plan, phase, task or item is answered with the most similar ones.',
  'PLAN.rewrite': 'Writing a plan again changes what is named: ticks stay, tasks and sections stay.',
  'PLAN.mend': 'A plan without its progress table gets one where its phases are named.',
  'PLAN.pages': 'A plan of thousands of tasks is read in bounded pages.',
  'PLAN.replace': 'A plan that is replaced is moved aside, and no part of it is lost.',
  'PLAN.root': 'The folder of plans is set by the project within the project, or by the user anywhere.',
  'PLAN.from-handoff': 'A claimed handoff becomes plan, configuration and references; a crash in between is recovered.',
  'PLAN.to-handoff': 'A phase that is completed can open the next handoff with its results, once.',
  'PLAN.race': 'Updates of one plan by many processes all succeed, and no reader sees a part of a document.',
  'PLAN.kill': 'A process that is killed while it writes leaves a whole document, and nobody waits for it.',
});
