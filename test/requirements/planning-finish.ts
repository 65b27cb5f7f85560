import { declare } from './declare.ts';

/** How a planning ends: the plan on the disk, the next handoff, the review before it, and the commands for both. */
export const planningFinish = {
  ...declare('issue "Brainstorm to plan", completion', 'planning', {
    'STORE.create-acknowledges': 'Adding handoffs and acknowledging the one they come from is one transaction.',
    'LOCK.create-folder':
      'A folder with its files appears whole or not at all, and never after its creator lost the lock.',
    'FINISH.plan':
      'A planning ends with its plan on the disk, the next handoff added and its own handoff acknowledged.',
    'FINISH.next':
      'The next handoff has the original handoff’s content, what was decided since, and where the plan is.',
    'FINISH.one-plan': 'A handoff has one plan: a later attempt writes that one again, under any name that it has.',
    'FINISH.foreign-plan': 'A plan of another origin is never overwritten: the next free name is taken.',
    'FINISH.nothing-lost': 'A plan with another content is copied aside before it is overwritten.',
    'FINISH.lease': 'A caller that has lost the lease writes no document and adds no handoff.',
    'FINISH.kill': 'Killed at any moment, the same command completes it: one plan, one next handoff.',
    'FINISH.review': 'Where the project reviews everything, the next handoff is a draft.',
  }),
  ...declare('issue "Brainstorm to plan", without a model', 'planning', {
    'DRAFT.skeleton':
      'Decisions become acceptance criteria, files references, risks verification tasks; no model is asked.',
    'DRAFT.labelled': 'A skeleton is labelled as one in its plan and in the next handoff.',
    'DRAFT.dry-run': 'A dry run returns the documents that would be written, and changes nothing.',
    'DRAFT.again': 'The same command after its success gives the same answer again.',
    'DRAFT.held': 'A holder drafts with its token; a handoff that fails is released.',
    'DRAFT.oldest': 'Without an id the oldest handoff for the planning agent is planned.',
  }),
  ...declare('issue "Brainstorm to plan", command line', 'planning', {
    'REVIEW.shown': 'A review shows summary, decisions with quotes and confidence, the implied last, files and risks.',
    'REVIEW.changes': 'Edit, remove and add are edits of the version that was seen, each kept at once.',
    'REVIEW.undo': 'A change is undone and redone by further edits, to the same bytes.',
    'REVIEW.approve':
      'An approval binds content and text that were last shown; if none were shown, they are shown first.',
    'REVIEW.conflict': 'Another’s change is shown next to one’s own with a question, and is never overwritten.',
    'REVIEW.leave': 'Quit, the end of the input and Ctrl-C leave the draft as it is, and report that.',
    'REVIEW.piped': 'Words on standard input act as typed ones; the first refusal ends with its exit code.',
    'PLANCMD.progress': 'While a model plans, each step is reported on standard error: its number, tools and tokens.',
    'PLANCMD.end': 'A planning without a plan ends with 1 and says why; Ctrl-C stops it and releases the handoff.',
    'PLANCMD.runs':
      'The history of an agent can be shown later: each attempt with its steps, decisions, tokens and end.',
    'PLANCMD.draft':
      'A skeleton, and the documents of a dry run, are printed; the handoff that continues from it is named.',
    'PLANDOC.example': 'The example of the guide is built by Vite, and goes from a chat to a plan in a browser.',
    'PLANDOC.true': 'The guide to planning shows what its commands print, and programs that compile.',
    'REVIEW.neutral': 'A text from outside cannot steer the reviewer’s terminal.',
  }),
} as const;
