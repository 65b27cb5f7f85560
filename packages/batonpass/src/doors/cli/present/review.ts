import type { Content } from '../../../core/content.ts';
import type { Handoff } from '../../../core/handoff.ts';
import { isImplied } from '../../../core/implied.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import { presentHandoff } from './handoff-detail.ts';
import { type View, visible } from './view.ts';

/** A draft for its reviewer: as `show` prints it, with how sure each decision is, the implied ones last. */
export function presentDraft(draft: Handoff, view: View): string {
  const decisions = draft.content.decisions
    .map((decision) => ({ ...decision, content: `${decision.content}${confidenceOf(decision)}` }))
    .toSorted((a, b) => Number(isImplied(a)) - Number(isImplied(b)));
  return presentHandoff({ ...draft, content: { ...draft.content, decisions } }, view, { words: true });
}

function confidenceOf({ confidence }: Content['decisions'][number]): string {
  return confidence === undefined ? '' : ` [confidence ${confidence}]`;
}

/** The lines below the text for a receiver: how much of its budget it uses, and what had to be cut. */
export function presentRoom({ tokens, budget, cut, sha256 }: OperationOutput<'handoff.render'>, view: View): string {
  const left = Object.entries(cut).map(([name, count]) => `${count} of ${name}`);
  const cuts = left.length === 0 ? 'nothing was cut' : `cut: ${left.join(', ')}`;
  return view.style('gray', `${tokens} tokens of ${budget}; ${visible(cuts)}. SHA-256 ${sha256}`);
}

/** The words of an item that `edit` would change; undefined for an unknown id. */
export function itemText(content: Content, id: string): string | undefined {
  const { decisions, files, risks, next_steps, open_questions, tried } = content;
  const placed = (letter: string, texts: readonly string[]) =>
    texts.map((text, index) => ({ id: `${letter}${index + 1}`, text }));
  const items = [
    ...decisions.map((item) => ({ id: item.id, text: item.content })),
    ...files.map((item) => ({ id: item.id, text: item.context })),
    ...risks.map((item) => ({ id: item.id, text: item.description })),
    ...placed('n', next_steps),
    ...placed('q', open_questions),
    ...placed(
      't',
      tried.map(({ outcome }) => outcome),
    ),
  ];
  return items.find((item) => item.id === id)?.text;
}
