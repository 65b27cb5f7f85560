/**
 * The text about Baton in a project's CLAUDE.md and AGENTS.md: facts for an agent, in the block that `init` writes. They
 * name no launcher that only one machine has, so that everybody's `init` writes the same lines.
 */
export const projectNotes: readonly string[] = [
  '## Handoffs',
  '',
  'Work passes between sessions and agents of this project with Baton: decisions, files, risks, dead ends, next steps.',
  'Where its hooks are registered, sessions are saved and the newest handoff is offered automatically.',
  '',
  '- Hand over: the MCP tool `handoff_create`, or `baton create --summary "…" --decision "…" --next "…" --file PATH`.',
  '- Take over: the MCP tool `handoff_claim`, or `baton claim`. One receiver gets it, for a limited time, with a token.',
  '- Acknowledge once you have taken it over: `handoff_update` with the action `acknowledge`, or `baton ack ID --token TOKEN`.',
  '- What is open here: the MCP tool `handoff_read`, or `baton`.',
];
