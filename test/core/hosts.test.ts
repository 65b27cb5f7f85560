import { expect } from 'vitest';
import { hosts } from '../../packages/batonpass/src/core/hosts.ts';
import { verifies } from '../verifies.ts';

/** The facts of each host that are true, and for each event its moment and what is true of it. */
const facts = {
  'claude-code': {
    host: 'hook_entry.in_groups headless.is_certain',
    events: {
      SessionStart: 'start takes_context',
      UserPromptSubmit: 'prompt takes_context can_block',
      PreCompact: 'compaction can_block',
      Stop: 'save takes_context can_block',
      SubagentStop: 'save takes_context can_block',
      SessionEnd: 'end',
    },
  },
  codex: {
    host: 'hook_entry.in_groups has_trust',
    events: {
      SessionStart: 'start takes_context',
      UserPromptSubmit: 'prompt takes_context can_block',
      PreCompact: 'compaction',
      Stop: 'save can_block',
      SubagentStop: 'save can_block',
      SessionEnd: 'end',
    },
  },
  'gemini-cli': {
    host: 'folder.is_home hook_entry.in_groups hook_entry.ends_well answer.escapes_tags headless.is_certain',
    events: {
      BeforeAgent: 'start takes_context can_block comes_again',
      PreCompress: 'compaction',
      AfterAgent: 'save can_block',
      SessionEnd: 'end',
    },
  },
  'copilot-cli': {
    host: 'headless.has_prompt headless.is_certain',
    events: {
      UserPromptSubmit: 'start takes_context can_block comes_again',
      PreCompact: 'compaction',
      Stop: 'save can_block',
      SessionEnd: 'end',
    },
  },
  opencode: {
    host: 'server_entry.is_one_list headless.is_certain',
    events: {
      ChatMessage: 'start takes_context comes_again',
      Compacting: 'compaction',
      SessionIdle: 'save',
    },
  },
  cursor: {
    host: 'keeps_no_record headless.is_certain',
    events: {
      sessionStart: 'start takes_context',
      preCompact: 'compaction',
      stop: 'save can_block',
      sessionEnd: 'end',
    },
  },
  vscode: {
    host: 'hook_entry.in_groups keeps_no_record',
    events: {},
  },
};

/** The names of the members that are true, at any depth. */
function listTrue(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (member === true) return [path + name];
    return typeof member === 'object' && member !== null ? listTrue(member, `${path}${name}.`) : [];
  });
}

// A changed fact sends a host a text that it drops, or blocks what a person does: a change here needs a look at its documents.
verifies(['HOST.judges-output'], 'the facts about hosts are those of their documents', () => {
  const known = Object.entries(hosts).map(([name, { events, ...host }]) => {
    const shown = events.map(({ payload, event, moment, ...event_facts }) => {
      return [event, [moment, ...listTrue(event_facts)].join(' ')];
    });
    return [name, { host: listTrue(host).join(' '), events: Object.fromEntries(shown) }];
  });
  expect(Object.fromEntries(known)).toEqual(facts);
});
