import { importsAgentsFile, removeBlock, writeBlock } from './marked-block.ts';
import { projectNotes } from './project-notes.ts';

/** A document for agents, as it is now. */
export interface AgentsDocument {
  path: string;
  /** Where its bytes lie: links followed. */
  target: string;
  /** Empty where it does not exist. */
  text: string;
}

/** What is to be done to one document. */
export interface DocumentPlan<T extends AgentsDocument> {
  document: T;
  /** Whether the block stands in this one. */
  holdsBlock: boolean;
  /** @throws HandoffError `invalid_structure` for torn markers. */
  register: (text: string) => string;
}

/** Where the block goes: where one document takes in the other, by an import or as a link, into AGENTS.md alone. */
export function planDocuments<T extends AgentsDocument>(claude: T, agents: T): DocumentPlan<T>[] {
  const withBlock = (document: T): DocumentPlan<T> => ({
    document,
    holdsBlock: true,
    register: (text) => writeBlock(text, document.path, projectNotes),
  });
  if (claude.target === agents.target) return [withBlock(agents)];
  const isImported = importsAgentsFile(claude.text);
  const withoutBlock = {
    document: claude,
    holdsBlock: false,
    register: (text: string) => removeBlock(text, claude.path),
  };
  return [isImported ? withoutBlock : withBlock(claude), withBlock(agents)];
}
