import { declare } from './declare.ts';

/** How a planning ends: the plan on the disk, the next handoff, the review before it, and the commands for both. */
export const planningFinish = {
  ...declare('issue "Brainstorm to plan", completion', 'planning', {
    'STORE.create-acknowledges': 'Adding handoffs and acknowledging the one they come from is one transaction.',
    'LOCK.create-folder':
      'A folder with its files appears whole or not at all, and never after its maker was taken over.',
    'FINISH.plan': 'A planning ends with its plan on the disk, the next handoff added and its own acknowledged.',
    'FINISH.next': 'The next handoff carries what was handed over, what was decided since, and where the plan lies.',
    'FINISH.one-plan': 'A handoff has one plan: a later attempt writes that one again, under whatever name it has.',
    'FINISH.foreign-plan': 'A plan of another origin is never written over: the next free name is taken.',
    'FINISH.nothing-lost': 'A plan that says something else is copied aside before it is written again.',
    'FINISH.lease': 'Who has lost the lease writes no document and adds no handoff.',
    'FINISH.kill': 'Killed at any moment, the same command completes it: one plan, one next handoff.',
    'FINISH.review': 'Where the project reviews everything, the next handoff is a draft.',
  }),
  ...declare('issue "Brainstorm to plan", without a model', 'planning', {
    'DRAFT.skeleton':
      'Decisions become acceptance criteria, files references, risks verification tasks; no model is asked.',
    'DRAFT.labelled': 'A skeleton is called one in its plan and in the next handoff.',
    'DRAFT.dry-run': 'A dry run answers the documents that would be written, and changes nothing.',
    'DRAFT.again': 'The same command after its success answers the same once more.',
    'DRAFT.held': 'A holder drafts with its token; what fails is given back.',
    'DRAFT.oldest': 'Without an id the oldest handoff for the planning agent is planned.',
  }),
  ...declare('issue "Brainstorm to plan", command line', 'planning', {
    'REVIEW.shown': 'A review shows summary, decisions with quotes and confidence, the implied last, files and risks.',
    'REVIEW.changes': 'Edit, remove and add are edits of the version that was seen, each kept at once.',
    'REVIEW.undo': 'A change is taken back and made again by further edits, to the same bytes.',
    'REVIEW.approve': 'An approval binds content and text that were last shown; without that they are shown first.',
    'REVIEW.conflict': "Another's change is shown beside one's own and asked about, never written over.",
    'REVIEW.leave': 'Quit, the end of the input and Ctrl-C leave the draft as it is, and say so.',
    'REVIEW.piped': 'Words on standard input do as typed ones; the first refusal ends with its exit code.',
    'PLANCMD.progress': 'While a model plans, each step is told on standard error: its number, tools and tokens.',
    'PLANCMD.end': 'A planning without a plan ends with 1 and says why; Ctrl-C stops it and gives the handoff back.',
    'PLANCMD.runs': 'What an agent did is told later: each attempt with its steps, decisions, tokens and end.',
    'PLANCMD.draft': 'A skeleton, and the documents of a dry run, are printed; what goes on from it is named.',
    'PLANDOC.example': 'The example of the guide is built by Vite, and goes from a chat to a plan in a browser.',
    'PLANDOC.true': 'The guide to planning shows what its commands print, and programs that compile.',
    'REVIEW.neutral': 'A text from outside cannot steer the reviewer’s terminal.',
  }),
} as const;
