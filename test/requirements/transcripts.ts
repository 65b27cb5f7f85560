import { declare } from './declare.ts';

/** How transcripts of every kind are read, found, and masked. */
export const transcripts = {
  ...declare('extraction, transcripts', 'extraction', {
    'READ.subagents':
      'What subagents of a Claude Code session did follows the call that started them, marked and each file once.',
    'READ.order': 'Rows that were written out of order come after their parents, and repeated rows come once.',
    'READ.codex': 'Codex rollouts give texts, calls with files and exit codes, without mirrors and scaffolding.',
    'READ.claude-export':
      "What Claude Code's /export writes gives messages, calls, tasks, answers and plans; what tools printed is nobody's words.",
    'READ.background': 'A command in the background has no known end before a later result names its exit code.',
    'READ.copilot':
      'Sessions of Copilot CLI give texts, calls with files, exit codes and tasks; of subagents what they did.',
    'READ.opencode': 'Sessions of OpenCode are read out of its database, and from its exports.',
    'READ.codex-old': 'Rollouts of older versions, and those that only have events, are read too.',
    'READ.gemini':
      'Chat files of Gemini CLI give texts, calls with files and exit codes, and answers; rewound messages are left out.',
    'READ.markdown': 'Markdown with a heading for each speaker is read in each of its spellings.',
    'READ.specstory':
      'Exports of SpecStory give tool calls, times and the session; thoughts and subagents are left out.',
    'READ.aider':
      "aider's history gives its last run that somebody spoke in, with the run that it goes on with, and the edited files.",
    'READ.cursor': 'Exports and transcripts of Cursor are read in each of their forms.',
    'READ.chatgpt':
      "ChatGPT's export gives the branch that the user saw last, of the newest or the named conversation.",
    'READ.rows': 'Messages that are one on a line are read as messages.',
    'READ.choice':
      'Of several conversations in one file the named one is read; a wrong name is refused with the list of the others.',
    'READ.hostile':
      'Prototype keys, giant lines, deep nesting, NUL, wrong types and cuts give messages or a typed error.',
    'READ.bounded': 'A transcript of any size is read within bounded memory and linear time.',
    'READ.found': 'Sessions of every host are found for the project that they belong to, the newest first.',
    'READ.newest': 'An import of the last session takes the newest session of all hosts.',
    'READ.repository':
      'Sessions that a team keeps in git are listed and read from its objects, by their own names alone.',
  }),
  ...declare('extraction, secrets', 'extraction', {
    'SECRET.recall': 'Of planted secrets of every kind at least 95 of 100 are masked, and counted by kind.',
    'SECRET.spoken':
      'No password that people, commands, files or broken lines spell reaches database, log, text or error.',
    'SECRET.next': 'A masked token takes nothing of the next setting with it: its name stays, and its value is masked.',
    'SECRET.field':
      'What a field names a secret is masked in payloads and extra fields, and tokens in names that are stored.',
    'SECRET.asked': 'A bare secret that answers a question for one is masked, in every transcript and in answers.',
    'SECRET.code': 'Of 1,000 ordinary lines of code in several languages at most three are masked.',
    'SECRET.ordinary': 'Code, hashes, identifiers, images and paths are never masked.',
    'SECRET.scanner': 'What the scanner knows is masked in texts, commands and outcomes of every format.',
    'SECRET.sieve': 'A text in which the scanner finds something always passes the filter before it.',
    'SECRET.late': 'The scanner is not loaded for a transcript without suspicious text.',
  }),
} as const;
