import { declare } from './declare.ts';

/** What an untrusted repository must never do. */
export const trust = declare('issue “Safe first”, hostile repositories', 'hosts', {
  'TRUST.no-contact': 'An untrusted repository makes no hook, command or door contact a server, or send it a byte.',
  'TRUST.no-foreign': 'An untrusted repository shows and hands out no forged handoff and none of another project.',
  'TRUST.variables':
    'A variable of Baton that a project’s files for hosts set does not count, unless the file is the person’s own.',
  'TRUST.sessions':
    'A session that came with the repository is shown as such, is no newer than its file, and gives way to one’s own.',
  'TRUST.stricter': 'Untrusted settings take effect only where they allow less than the user’s own.',
  'TRUST.ask': 'Trust is given by a person who saw every value, for exactly these values, in the user’s own folder.',
  'TRUST.told': 'What is ignored is reported once on standard error, by doctor with the reason, and never by a hook.',
  'TRUST.unreadable': 'A settings file that cannot be read, or is not a regular file, is ignored and stops no command.',
  'TRUST.no-secrets': 'To a server that a repository’s file names, trusted or not, no password of the user’s is sent.',
  'TRUST.owner': 'A repository of another user opens nothing, unless git was told to trust it.',
  'TRUST.linked-out': 'A link that a repository brings leads no exported handoff out of it.',
  'TRUST.pointer': 'A .git that points to another project’s repository, which does not point back, opens nothing.',
  'TRUST.user': 'The user’s own file sets everything, for every project, below the environment and the options.',
});
