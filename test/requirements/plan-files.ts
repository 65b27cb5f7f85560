import { declare } from './declare.ts';

/** What the documents of plans keep beyond the text of source 4. */
export const planFiles = declare('design, documents of plans', 'plan-files', {
  'PLAN.lossless': 'A document of a plan that is read and put together again is the same text, whatever it holds.',
  'PLAN.mutated': 'No text makes reading or changing a plan fail but by an expected error.',
  'PLAN.hostile': 'A value from outside breaks no structure of a document, and can be named again as it was given.',
  'PLAN.encoding': 'A document that is not UTF-8 or too large is refused, and stays as it is.',
  'PLAN.line-ends': 'A document with CRLF, a byte order mark or no last line end keeps them.',
  'PLAN.transition': 'A step to the next phase that a message asks for is taken only where the phase is complete.',
  'PLAN.reopen': 'A task of the current phase can be reopened; one of a phase before cannot.',
  'PLAN.files-created': 'Files that an update names become references, each once.',
  'PLAN.rewrite': 'Writing a plan again changes what is named: ticks stay, tasks and sections stay.',
  'PLAN.mend': 'A plan without its table gets one where its phases are named.',
  'PLAN.replace': 'A plan that is replaced is moved aside, and nothing of it is lost.',
  'PLAN.root': 'The folder of plans is set by the project within the project, or by the user anywhere.',
  'PLAN.from-handoff': 'A claimed handoff becomes plan, configuration and references; a crash between is made good.',
  'PLAN.to-handoff': 'A phase that is completed can open the next handoff with its results, once.',
  'PLAN.race': 'Many processes that update one plan all land, and no reader sees a part of a document.',
  'PLAN.kill': 'A process that is killed while it writes leaves a whole document, and nobody waits for it.',
});
