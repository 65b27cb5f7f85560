import type { Requirement } from './requirement.ts';

const milestone = 'foundation' as const;

export const commandLine = {
  'CLI.catalogue': {
    source: 'DESIGN 3, STYLE 7.3',
    behaviour:
      'Every operation is available from library and command line with the same result and the same error code.',
    milestone,
  },
  'CLI.run': {
    source: 'DESIGN 7, 9',
    behaviour:
      'A host without a person gets a handoff through a run, which acknowledges by its transcript or releases.',
    milestone: 'hosts',
  },
  'CLI.exports': {
    source: 'STYLE 1.4',
    behaviour: 'Exports, operations, commands and error codes are pinned.',
    milestone,
  },
  'CLI.client': {
    source: 'issue 30',
    behaviour: 'Each operation of the catalogue is a method of the result of openBaton, with its own types.',
    milestone,
  },
  'CLI.entries': {
    source: 'issue 30',
    behaviour: 'The root exports at most 25 values; each source has its own entry point.',
    milestone,
  },
  'CLI.status': {
    source: 'DESIGN 7',
    behaviour: 'Without arguments it shows what is open here and what to do next.',
    milestone,
  },
  'CLI.way': {
    source: 'DESIGN 7',
    behaviour: 'A conversation is imported, edited, approved, claimed, acknowledged and logged with commands only.',
    milestone,
  },
  'CLI.json': {
    source: 'DESIGN 7',
    behaviour:
      '`--json` prints the operation’s answer on every command, a handoff always under `handoff`; results are on stdout, the rest on stderr.',
    milestone,
  },
  'CLI.terminal-token': {
    source: 'DESIGN 7',
    behaviour: 'In the terminal of a claim the following steps need no token; another terminal does not get it.',
    milestone,
  },
  'CLI.stdin': { source: 'DESIGN 7', behaviour: '`-` reads a content or a transcript from standard input.', milestone },
  'CLI.help': { source: 'STYLE 5.3', behaviour: 'Every command has a help page with examples.', milestone },
  'CLI.exit-codes': {
    source: 'STYLE 5.2',
    behaviour: 'Each error code has one exit code; 1 means that the answer is no.',
    milestone,
  },
  'CLI.errors': {
    source: 'STYLE 5.3',
    behaviour: 'An error says what happened, to what, and what to do next; nothing is changed.',
    milestone,
  },
  'CLI.own-options': {
    source: 'issue “Safe first”',
    behaviour: 'No option of a command has the name of one that every command takes.',
    milestone,
  },
  'CLI.colours': { source: 'DESIGN 7', behaviour: 'Colours appear only on a terminal.', milestone },
  'CLI.hostile-text': {
    source: 'reliability-security S10',
    behaviour: 'No control character from a handoff reaches the terminal raw.',
    milestone,
  },
  'CLI.wait': {
    source: 'DESIGN 7',
    behaviour: '`claim --wait` ends when another process creates a handoff, and when its time is over.',
    milestone,
  },
  'CLI.identity': {
    source: 'DESIGN 4',
    behaviour: 'A flag names the agent, else BATON_AGENT; else a person acts.',
    milestone,
  },
  'CLI.review': {
    source: 'DESIGN 2',
    behaviour: 'What a person imports starts as a draft, what an agent writes opens, as the project’s policy says.',
    milestone,
  },
  'CLI.configuration': {
    source: 'DESIGN 4',
    behaviour: 'baton.config.json, then BATON_ variables, then flags; a wrong setting is refused and named.',
    milestone,
  },
  'CLI.node-version': {
    source: 'DESIGN 8',
    behaviour: 'With an old Node the user sees what to do before anything is imported.',
    milestone,
  },
  'CLI.completion': {
    source: 'user expectation',
    behaviour: 'Shell completion is printed for bash, zsh and fish.',
    milestone,
  },
  'CLI.show': {
    source: 'user review: nobody approves blind',
    behaviour: '`show` shows everything that a receiver can get, and how the delivery went.',
    milestone,
  },
  'CLI.output-failure': {
    source: 'user review: a full disk',
    behaviour: 'An answer that cannot be written is `unavailable`, and a claim’s token is printed anyway.',
    milestone,
  },
  'CLI.back-off': {
    source: 'user review: open, yet not claimable',
    behaviour: 'A handoff that waits after a failure shows when it is offered again.',
    milestone,
  },
  'CLI.bounds': {
    source: 'user review: bounds in the user’s words',
    behaviour: 'A duration or number out of bounds is refused with its option’s name, in human units.',
    milestone,
  },
  'CLI.next-steps': {
    source: 'user review: what now',
    behaviour: 'Commands shown for copying work unchanged: right receiver, right actor, quoted.',
    milestone,
  },
  'CLI.narrow': {
    source: 'user review: narrow terminals',
    behaviour: 'Tables never exceed the width of the terminal, and cut no reason.',
    milestone,
  },
  'CLI.demo': {
    source: 'DESIGN 7',
    behaviour: 'The demo runs all steps with real processes and leaves nothing behind.',
    milestone,
  },
  'CLI.interrupt': {
    source: 'DESIGN 7',
    behaviour: 'Ctrl-C ends a long command at once and quietly, with 130 and without leftovers.',
    milestone,
  },
  'CLI.readme': { source: 'STYLE 8', behaviour: 'The README’s commands run, and print what it shows.', milestone },
  'PLACE.common-dir': {
    source: 'DESIGN 4',
    behaviour: 'The store survives `git clean -fdx` and `git stash -a`.',
    milestone,
  },
  'PLACE.worktrees': { source: 'DESIGN 4', behaviour: 'Two worktrees share one store and one project.', milestone },
  'PLACE.branch': {
    source: 'DESIGN 2',
    behaviour: 'The branch that is checked out is known without starting git.',
    milestone: 'hosts',
  },
  'PLACE.outside-git': {
    source: 'DESIGN 4',
    behaviour: 'Outside git the store is in the user’s state folder.',
    milestone,
  },
  'PLACE.project': {
    source: 'DESIGN 1',
    behaviour: 'The project is the remote without credentials, else the root commit, else the configured name.',
    milestone,
  },
  'PLACE.remote-host': {
    source: 'hostile repositories, identity',
    behaviour: 'A remote has the name of the host that git connects to, and no spelling takes another project’s.',
    milestone: 'hosts',
  },
  'PLACE.pinned': {
    source: 'DESIGN 1, decision 2026-11-21-project-is-pinned',
    behaviour: 'The project of a repository’s own store is named once; a later remote or commit hides nothing.',
    milestone,
  },
  'PLACE.hostile-repository': {
    source: 'reliability-security 5',
    behaviour:
      'Nothing that a repository’s configuration names is run, and no program in it under the name of a system’s.',
    milestone,
  },
} as const satisfies Record<string, Requirement>;
