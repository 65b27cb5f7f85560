/**
 * The first and last lines of source 5's plan prompt, exactly. No text within can contain one of these lines: each
 * is neutralized into a line that begins no heading, or follows a mark.
 */
export const planOpening = '## Handoff Context\n\n### Decisions\n';

/** What the prompt ends with; a line break follows. */
export const planClosing =
  'Use getHandoffContext for structured data. Use addDecision if you discover new decisions. Use completePlanning when done.';
