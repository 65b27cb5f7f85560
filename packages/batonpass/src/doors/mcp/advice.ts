/** The MCP call for each command of the command line; `$1` is the command's argument. */
const calls: readonly (readonly [command: RegExp, call: string])[] = [
  [/baton list --state (\S+)/g, 'handoff_read {"action":"list","state":["$1"]}'],
  [/baton list\b/g, 'handoff_read {"action":"list"}'],
  [/baton status\b/g, 'handoff_read {"action":"status"}'],
  [/baton log (\S+)/g, 'handoff_read {"action":"log","id":"$1"}'],
  [/baton show (?:--json )?(\S+)/g, 'handoff_read {"action":"get","id":"$1"}'],
  [/baton render (\S+)/g, 'handoff_read {"action":"render","id":"$1"}'],
  [/baton check (\S+)/g, 'handoff_read {"action":"check","id":"$1"}'],
  [/baton plan runs (\S+)/g, 'handoff_read {"action":"runs","id":"$1"}'],
  [/baton claim (\S+) --wait\b/g, 'handoff_claim {"id":"$1","wait_ms":60000}'],
  [/baton claim ([^\s,-]+)/g, 'handoff_claim {"id":"$1"}'],
  [/baton claim\b/g, 'handoff_claim {}'],
  [/baton ack (\S+)/g, 'handoff_update {"action":"acknowledge","id":"$1","token":"…"}'],
  [/baton (renew|release) ([^\s,]+)/g, 'handoff_update {"action":"$1","id":"$2","token":"…"}'],
  [/baton fail (\S+) --reason "…"/g, 'handoff_update {"action":"fail","id":"$1","token":"…","reason":"…"}'],
  [/baton withdraw (\S+)/g, 'handoff_update {"action":"withdraw","id":"$1"}'],
  [/baton create --parent (\S+)/g, 'handoff_create {"content":{"summary":"…","parent_id":"$1"}}'],
  [/baton create --summary\b[^;.]*/g, 'handoff_create {"content":{"summary":"…"}}'],
  [/baton create\b/g, 'handoff_create'],
  [/baton plan answer\b/g, 'plan_write'],
];

const command = /\bbaton [a-z]|(?:^|\s)--?[a-z][a-z-]*\b|\bBATON_[A-Z_]+|\bnpm \w/;

/**
 * Advice that an agent can follow over MCP: calls of tools in place of commands. Steps that only the command line has are
 * for the user: the advice states so, without the command.
 */
export function adviseByTools(advice: string): string {
  const translated = withCalls(advice);
  if (!command.test(translated)) return translated;
  const [deed = ''] = translated.split(/:\s/);
  return command.test(deed) ? 'Ask your user: this is done at the command line.' : `Ask your user: ${deed}.`;
}

/** A sentence with calls in place of the commands that have one. */
export function withCalls(text: string): string {
  return calls.reduce((sentence, [pattern, call]) => sentence.replace(pattern, call), text);
}
