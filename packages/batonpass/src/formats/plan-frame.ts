/**
 * The first and last words of source 5's plan prompt, letter by letter. No text within can hold one of these lines: each
 * is neutralized into a line that begins no heading, or stands behind a mark.
 */
export const planOpening = '## Handoff Context\n\n### Decisions\n';

/** What the prompt ends with; a line break follows. */
export const planClosing =
  'Use getHandoffContext for structured data. Use addDecision if you discover new decisions. Use completePlanning when done.';
