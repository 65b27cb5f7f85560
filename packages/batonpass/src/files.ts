/** Handoffs as versioned Markdown files with front matter. Each export is public API, pinned by a test. */
export { type MarkdownDocument, parseDocument } from './formats/markdown/document.ts';
export type {
  BaseFrontmatter,
  Confidence,
  FindingsFrontmatter,
  HandoffFile,
  HandoffStatus,
  HandoffType,
  PlanFrontmatter,
  ProblemFrontmatter,
} from './handoff-files/frontmatter.ts';
export { parseHandoffFile } from './handoff-files/read-handoff-file.ts';
export { formatTimestamp } from './handoff-files/timestamp.ts';
export { getNextVersion } from './handoff-files/versions.ts';
export { nextHandoffFile, writeHandoffFile } from './handoff-files/write-handoff-file.ts';
