import { declare } from './declare.ts';

/** What `baton init` and the plugin promise. */
export const init = declare('DESIGN 7, registration with hosts', 'hosts', {
  'INIT.plan': 'Every line that will be written is shown before it is; a dry run writes nothing.',
  'INIT.ask': 'On a terminal a person is asked, and exactly what they saw is written; elsewhere nobody is.',
  'INIT.agents': 'On a terminal a person is offered once that agents write handoffs; only a yes turns it on.',
  'INIT.merge': 'Existing settings keep every byte that is not Baton’s: comments, order, layout, line ends, mark.',
  'INIT.idempotent': 'A second run finds nothing to do and changes no byte.',
  'INIT.older': 'An older registration of Baton’s is replaced, not doubled; other tools’ hooks stay before ours.',
  'INIT.docs':
    'The block in CLAUDE.md and AGENTS.md is the only thing rewritten there, and stands once where one imports the other.',
  'INIT.undo': 'Undoing brings the former bytes back, or removes what was made, folders too.',
  'INIT.undo-edited': 'Of a file that was edited since, only Baton’s entries are taken out.',
  'INIT.broken':
    'A file that cannot be read, parsed or written is named with its place, and nothing at all is written.',
  'INIT.rollback': 'Where a later write fails, what was written before is put back.',
  'INIT.links': 'A link is followed inside of the project or of the user’s own folders, and refused beyond.',
  'INIT.scope': 'Hooks go into the project’s, the local or the user’s settings, wherever the host looks for these.',
  'INIT.launcher': 'How hosts start Baton follows from how it is installed, and is said.',
  'INIT.installed': 'A packed and installed Baton registers itself, and what it registered starts.',
  'INIT.record': 'The record of what was written is for its owner alone.',
  'INIT.shared-file': 'Hooks and a server that share a file are one change; undoing one of them keeps the other.',
  'INIT.by-documents':
    'Cursor and VS Code, by their documents, get hooks and server in the files and forms that these name.',
  'INIT.codex': 'Codex’ hooks and its server are registered and undone as Claude Code’s are, where Codex is.',
  'INIT.host-plugin': 'A host that runs plugins gets a file of Baton’s own, which is replaced and taken away whole.',
  'INIT.plugin': 'The plugin registers what init would, and its skill names only what there is.',
  'DISK.whole': 'A file gets its whole new content or keeps its old one, with its permissions.',
});
