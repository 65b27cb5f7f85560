import { showHidden } from '../core/hidden-characters.ts';

/** A text with its hidden characters shown, and text between backticks on one line set as code. */
export function InlineText({ text }: { text: string }) {
  const parts = showHidden(text).split(/`([^`\n]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
