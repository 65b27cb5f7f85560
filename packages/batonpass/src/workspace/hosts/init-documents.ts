import { defaultHost, type HostName, hosts } from '../../core/hosts.ts';
import { importsAgentsFile, removeBlock, writeBlock } from './marked-block.ts';
import { projectNotes } from './project-notes.ts';

/** A document for agents, as it is now. */
export interface AgentsDocument {
  path: string;
  /** Its real path: links followed. */
  target: string;
  /** Empty where it does not exist. */
  text: string;
}

/** What is to be done to one document. */
export interface DocumentPlan<T extends AgentsDocument> {
  document: T;
  /** Whether the block is in this document. */
  holdsBlock: boolean;
  /** @throws HandoffError `invalid_structure` for torn markers. */
  register: (text: string) => string;
}

/** The document that every host but a few reads. */
const commonDocument = 'AGENTS.md';

/** The documents that name Baton to agents where these hosts are used, the one that most hosts read last. */
export function documentsOf(named: readonly HostName[]): string[] {
  const own = [defaultHost, ...named].flatMap((host) => hosts[host].document ?? []);
  return [...new Set(own), commonDocument];
}

/**
 * Where the block goes: a document that includes AGENTS.md, by an import or as a link, needs none of its own.
 *
 * @param documents - as `documentsOf` names them.
 */
export function planDocuments<T extends AgentsDocument>(documents: readonly T[]): DocumentPlan<T>[] {
  const agents = documents.at(-1);
  const others = documents.slice(0, -1).filter(({ target }) => target !== agents?.target);
  const withBlock = (document: T): DocumentPlan<T> => ({
    document,
    holdsBlock: true,
    register: (text) => writeBlock(text, document.path, projectNotes),
  });
  const withoutBlock = (document: T): DocumentPlan<T> => ({
    document,
    holdsBlock: false,
    register: (text) => removeBlock(text, document.path),
  });
  return [
    ...others.map((document) => (importsAgentsFile(document.text) ? withoutBlock(document) : withBlock(document))),
    ...(agents === undefined ? [] : [withBlock(agents)]),
  ];
}
