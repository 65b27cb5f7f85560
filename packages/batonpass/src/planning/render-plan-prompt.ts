import type { Content } from '../core/content.ts';
import type { HandoffSnapshot } from '../draft/handoff-draft.ts';
import { contentToSnapshot, withoutEmptySummary } from '../draft/snapshot.ts';
import { neutralizeLine } from '../formats/neutralize.ts';
import { planClosing, planOpening } from '../formats/plan-frame.ts';
import type { PromptItem } from '../formats/prompt-lines.ts';
import { listPromptSections, type PromptSectionName } from '../formats/prompt-sections.ts';

/** What has a place of its own in source 5's form. */
const ownPlaces: ReadonlySet<PromptSectionName> = new Set(['summary', 'decisions', 'files', 'risks']);

/**
 * A content as the planning agent reads it in its instructions: the headings, line forms and closing sentence of the form,
 * whole. All other parts of the record (next steps, what was tried, open questions, results, body …) follow the
 * summary under headings of their own, each only where there is something. The bytes depend on the content alone: they
 * are what a reviewer approves and what is proved to have arrived.
 *
 * Each text is neutralized into one line, so that none of them begins a heading, a fence or a tag.
 */
export function renderPlanPrompt(content: Content): string {
  const further = listPromptSections(withoutEmptySummary(content), Number.POSITIVE_INFINITY)
    .filter(({ name }) => !ownPlaces.has(name))
    .map(({ heading, items }) => `### ${heading}\n${inOrder(items).map(lineOf).join('\n')}\n\n`);
  return composePlanPrompt(contentToSnapshot(content), further.join(''));
}

/**
 * The text of source 5, letter by letter, around neutralized lines.
 *
 * @param further - sections between the summary and the closing sentence, each with an empty line after it.
 */
export function composePlanPrompt(
  { decisions, filesReferenced, risks, brainstormSummary }: HandoffSnapshot,
  further = '',
): string {
  return `
${planOpening}${decisions.map(({ content }) => `- ${neutralizeLine(content)}`).join('\n')}

### Files
${filesReferenced.map(({ path, relevance, context }) => `- ${neutralizeLine(`${path} (${relevance}): ${context}`)}`).join('\n')}

### Risks
${risks.map(({ severity, description }) => `- ${neutralizeLine(`[${severity}] ${description}`)}`).join('\n')}

### Summary
${neutralizeLine(brainstormSummary)}

${further}${planClosing}
`;
}

/** Quoted sentences; items of any other list stay as they are. */
function inOrder(items: readonly PromptItem[]): PromptItem[] {
  return items.toSorted((left, right) => (left.place ?? 0) - (right.place ?? 0));
}

function lineOf({ mark, text, suffix, group }: PromptItem): string {
  const label = group === undefined ? '' : `${group} `;
  return `${mark}${label}${text}${suffix}`.trimEnd();
}
