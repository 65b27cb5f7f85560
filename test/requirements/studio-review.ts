import { declare } from './declare.ts';

/** What the review of a draft in the studio guarantees beyond the components, and what no text can do to any screen. */
export const studioReview = {
  ...declare('ui.md S2 and keyboard map', 'studio', {
    'REVIEW.select': 'Entries are selected by keys or by their checkboxes, and removed together as one step.',
    'REVIEW.merge': 'Selected decisions become one, with the evidence of all; undo restores them.',
    'REVIEW.doubts': 'Decisions that say the same or contradict each other are flagged in place, and counted below.',
    'REVIEW.pin': 'A decision is pinned and unpinned by a key, and the server stores it.',
    'REVIEW.filter': 'The entries are filtered by words, and an empty filter shows all again.',
    'REVIEW.palette': 'The keys of the review are in the studio’s help and palette, and work from there.',
    'REVIEW.evidence':
      'The focused entry shows its quote in its message and what it replaced; a key opens the conversation around it.',
    'REVIEW.extract-again': 'A draft that is older than a day shows that, and re-reads its conversation, edits kept.',
    'REVIEW.files': 'Files are shown as existing, changed, moved, missing, or outside the project.',
    'REVIEW.back': 'Escape leads back to the brainstorm that the draft was made from.',
    'REVIEW.accessible':
      'With a selection, a filter, an inspector and a dialog axe finds nothing, targets are large enough, and the footer covers no focus.',
    'REVIEW.two-browsers':
      'Two browsers on one draft see each other’s changes, are shown both texts, and lose nothing.',
    'REVIEW.killed-server':
      'A server that is killed in mid-edit loses no word: the page continues with the next server.',
    'REVIEW.many': 'A review of 500 entries shows a key press at once.',
  }),
  ...declare('issue 10, hostile texts', 'studio', {
    'HOSTILE.screens':
      'Five hundred hostile texts in every field are text on every screen: no dialog, no script, no request elsewhere.',
    'HOSTILE.hidden': 'Hidden characters are visible on every screen.',
  }),
} as const;
