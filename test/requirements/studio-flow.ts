import { declare } from './declare.ts';

/** The studio's flow from a conversation to a plan: import, review, run. */
export const studioFlow = {
  ...declare('ui.md S2, the draft on the server', 'studio', {
    'FLOW.level': 'An edit of a draft sets the relevance of a file and the severity of a risk, and of nothing else.',
    'FLOW.order': 'An edit of a draft orders the items of a list: an item that it does not name keeps its position.',
    'FLOW.small-edits': 'A review sends changes of items; fields of the record that it does not show stay as they are.',
    'FLOW.one-edit': 'One edit is in flight at a time; later changes go with the next one.',
    'FLOW.undo-own': 'Undo reverts what was done here, and never what others did meanwhile.',
    'FLOW.merge': 'Others’ changes elsewhere in a draft are merged with the changes made here.',
    'FLOW.conflict': 'Where two changed the same text differently, both are shown, and the person chooses one.',
    'FLOW.unsent': 'Unsent words survive a reload, a lost answer, and a server that is down.',
    'FLOW.closed': 'A draft that somebody approved meanwhile is not changed any more, and the words stay on the page.',
    'FLOW.saved-state': 'The review says whether the draft is saved, and if not, why.',
  }),
  ...declare('ui.md S1, S2 and S5, screens', 'studio', {
    'FLOW.import': 'A pasted transcript becomes a draft whose review opens.',
    'FLOW.file': 'A chosen file is shown by its name and size, never as text; an empty one is refused at once.',
    'FLOW.large-file': 'A file of a hundred megabytes on one line is read, and the page stays responsive.',
    'FLOW.upload-progress': 'While a file is sent the screen shows the percentage, and the upload can be cancelled.',
    'FLOW.import-progress':
      'While a conversation is read the screen shows how much is read and what was found, can be stopped, and shows the result.',
    'FLOW.import-fails': 'A transcript that cannot be read is explained, and stays in its field.',
    'FLOW.one-press': 'The review approves and plans in one press the text shown next to it, and only that.',
    'FLOW.told-address': 'The text of an approved draft has an address: a reload and "Back" stay there.',
    'FLOW.refused': 'What the extraction refused is counted on the review and can be shown.',
    'FLOW.approved-bytes': 'What is shown before the approval is what the planner gets, byte for byte.',
    'FLOW.receiver': 'A draft for a receiver keeps that receiver when it is approved, also without a decision in it.',
    'FLOW.approval-stale': 'A text that changed after it was shown is not approved.',
    'FLOW.run-live': 'A run of the planning agent is shown while it is in progress, with its decisions.',
    'FLOW.run-stop': 'A run can be stopped, and the handoff is offered again.',
    'FLOW.run-again': 'A finished plan can be planned again.',
    'FLOW.skeleton': 'Where no model is configured the screen says that, and makes a skeleton.',
    'FLOW.keyboard': 'The whole flow from the transcript to the plan works by the keyboard alone.',
    'FLOW.accessible': 'No screen of the flow has a violation that axe finds, in either theme and at 320 pixels.',
  }),
} as const;
