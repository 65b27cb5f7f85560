import { declare } from './declare.ts';

/** What `baton init` and the plugin guarantee. */
export const init = declare('DESIGN 7, registration with hosts', 'hosts', {
  'INIT.plan': 'Every line that will be written is shown before it is; a dry run writes nothing.',
  'INIT.ask': 'On a terminal a person is asked, and exactly what they saw is written; elsewhere nobody is asked.',
  'INIT.agents': 'On a terminal a person gets one offer that agents write handoffs; only a yes turns it on.',
  'INIT.merge':
    'Existing settings keep every byte that is not Baton’s: comments, order, layout, line ends, byte order mark.',
  'INIT.idempotent': 'A second run finds nothing to do and changes no byte.',
  'INIT.older': 'An older registration of Baton’s is replaced, not doubled; other tools’ hooks stay before ours.',
  'INIT.docs':
    'The block in CLAUDE.md and AGENTS.md is the only thing rewritten there, and is written once where one imports the other.',
  'INIT.undo': 'Undoing restores the former bytes, or removes what was created, folders too.',
  'INIT.undo-edited': 'From a file that was edited since, only Baton’s entries are removed.',
  'INIT.broken':
    'A file that cannot be read, parsed or written is named with its place, and nothing at all is written.',
  'INIT.rollback': 'Where a later write fails, earlier writes are reverted.',
  'INIT.links':
    'A link is followed inside the project or the user’s own folders, and refused outside and into git’s own folder.',
  'INIT.scope': 'Hooks go into the project’s, the local or the user’s settings, where the host reads them.',
  'INIT.launcher': 'The way of installation decides how hosts start Baton, and is reported.',
  'INIT.not-brought': 'A program that the repository contains is no installation, and nothing registers it.',
  'INIT.installed': 'A packed and installed Baton registers itself, and what it registered starts.',
  'INIT.record': 'The record of what was written is readable by its owner alone.',
  'INIT.shared-file': 'Hooks and a server that share a file are one change; undoing one of them keeps the other.',
  'INIT.by-documents': 'Cursor and VS Code get hooks and server in the files and forms that their documentation names.',
  'INIT.codex': 'Where Codex is installed, its hooks and server are registered and undone as those of Claude Code are.',
  'INIT.host-plugin':
    'A host that runs plugins gets a file that belongs to Baton, which is replaced and removed whole.',
  'INIT.no-registry': 'Nothing that Baton writes or advises starts or installs it from a registry.',
  'INIT.plugin': 'The plugin registers what init registers, and its skill names only commands that exist.',
  'DISK.whole': 'A file gets its whole new content or keeps its old one, with its permissions.',
});
