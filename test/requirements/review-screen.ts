import { declare } from './declare.ts';

/** What the components of the review screen do beyond source 5. */
export const reviewScreen = {
  ...declare('issue "Brainstorm to plan", components', 'planning', {
    'SCREEN.conflict':
      'A text that changed elsewhere during an edit is shown next to the draft, and the person chooses.',
    'SCREEN.removed-elsewhere': 'A draft of an entry that was removed elsewhere stays until the person decides.',
    'SCREEN.open-edits': 'An open edit is part of what "Start planning" freezes; one in conflict blocks planning.',
    'SCREEN.accept-reject':
      'A decision new from planning is accepted or rejected; once accepted it is an ordinary decision.',
    'SCREEN.wording': 'Summary, files and risks are edited in place, and their levels are set.',
    'SCREEN.order': 'Decisions are reordered by keys within their group.',
    'SCREEN.keys': 'Single keys act with the focus on the screen alone, never in a field, and can be switched off.',
    'SCREEN.hidden-characters': 'Hidden characters are visible in every text, and hostile markup is text.',
    'SCREEN.inline-code': 'Text between backticks is shown as code.',
    'SCREEN.host-theme': 'The components use the theme of their host: `data-theme`, on the host’s background.',
    'SCREEN.empty-conversation': 'An empty conversation is not extracted, and replaces no summary.',
    'SCREEN.accessible': 'No screen has a violation that axe finds, in either theme and at 320 pixels.',
    'SCREEN.focus-visible':
      'The focused element is not covered by the sticky footer, and at 320 pixels nothing is cut off.',
    'SCREEN.review-kept': 'After a failed extraction the review opens with what was kept.',
    'SCREEN.project': 'An answer and a draft for a project other than the open one are dropped.',
    'SCREEN.exports': 'The entry for React exports the components, the hook and the style sheets, and nothing else.',
    'SCREEN.start-once': 'While planning is being started, a further click or key does nothing.',
    'SCREEN.start-fails': 'Where planning cannot start the reason is shown, and the review stays.',
  }),
} as const;
