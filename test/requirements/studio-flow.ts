import { declare } from './declare.ts';

/** The studio's way from a conversation to a plan: import, review, run. */
export const studioFlow = {
  ...declare('ui.md S2, the draft on the server', 'studio', {
    'FLOW.level': 'An edit of a draft sets how much a file matters and how bad a risk is, and of nothing else.',
    'FLOW.order': 'An edit of a draft puts items of a list in order: what it does not name keeps its place.',
    'FLOW.small-edits': 'A review sends changes of items; fields of the record that it does not show stay as they are.',
    'FLOW.one-edit': 'One edit is under way at a time; what comes meanwhile goes with the next one.',
    'FLOW.undo-own': 'Undo takes back what was done here, and never what others did meanwhile.',
    'FLOW.merge': 'What others changed elsewhere in a draft is put together with what was changed here.',
    'FLOW.conflict': 'What two changed differently is shown twice, and a person keeps his words or takes theirs.',
    'FLOW.unsent': 'Words that the server has not outlive a reload, a lost answer, and a server that is away.',
    'FLOW.closed': 'A draft that somebody approved meanwhile is not changed any more, and the words stay on the page.',
    'FLOW.saved-state': 'The review says whether the draft is saved, and if not, why.',
  }),
  ...declare('ui.md S1, S2 and S5, screens', 'studio', {
    'FLOW.import': 'A pasted transcript becomes a draft that opens for its review.',
    'FLOW.file': 'A chosen file is shown by its name and size, never as text; an empty one is refused at once.',
    'FLOW.large-file': 'A file of a hundred megabytes on one line is read, and the page answers all the while.',
    'FLOW.upload-progress': 'While a file is sent the screen says how many per cent are, and it can be cancelled.',
    'FLOW.import-progress':
      'While a conversation is read the screen says what is read of all and what was found, can be stopped, and says the result.',
    'FLOW.import-fails': 'A transcript that cannot be read is explained, and stays in its field.',
    'FLOW.one-press': 'The review approves and plans in one press what stands beside it, and only that.',
    'FLOW.told-address': 'The text that a draft becomes has an address: a reload and "Back" stay where they are.',
    'FLOW.refused': 'What the extraction refused is counted on the review and can be looked at.',
    'FLOW.approved-bytes': 'What is shown before the approval is what the planner gets, byte for byte.',
    'FLOW.receiver': 'A draft that is for somebody stays for him when it is approved, also without a decision in it.',
    'FLOW.approval-stale': 'A text that changed after it was shown is not approved.',
    'FLOW.run-live': 'A run of the planning agent is shown while it goes on, with what it decides.',
    'FLOW.run-stop': 'A run can be stopped, and the handoff is offered again.',
    'FLOW.run-again': 'A finished plan can be planned once more.',
    'FLOW.skeleton': 'Where no model is configured the screen says so, and makes a skeleton.',
    'FLOW.keyboard': 'The whole way from the transcript to the plan is gone by the keyboard alone.',
    'FLOW.accessible': 'No screen of the way has a violation that axe finds, in either theme and at 320 pixels.',
  }),
} as const;
