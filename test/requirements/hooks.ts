import type { Requirement } from './requirement.ts';

const of = (source: string, behaviour: string) => ({ source, behaviour, milestone: 'hosts' }) as const;

export const hooks = {
  'HOOK.save': of('DESIGN 2', 'A session is saved as one open handoff that follows its progress.'),
  'HOOK.nothing': of('field 3.1, 9', 'A session that said nothing saves nothing.'),
  'HOOK.carry-on': of(
    'field 3.1, 9',
    'A session that received a handoff hands on what it received and nobody revoked.',
  ),
  'HOOK.lost': of('field 3.1, 8', 'A session whose host was killed is saved by the next one that starts.'),
  'HOOK.live': of('hosts 3', 'What a running session has saved is never offered to another.'),
  'HOOK.interactive': of('DESIGN 2', 'A session that is not interactive never claims.'),
  'HOOK.compact': of('hosts 3', 'After a compaction a session gets its own save back, and nobody else’s.'),
  'HOOK.release': of('DESIGN 2', 'A session that ends without proof releases what it was offered.'),
  'HOOK.limit': of(
    'hosts 3',
    'The text of a hook respects the host’s limit; approved bytes are given completely or not at all.',
  ),
  'HOOK.output': of('hosts 3', 'A hook prints one JSON object with the event’s name, or nothing.'),
  'HOOK.harmless': of('hosts 3', 'A hook that fails prints nothing, exits with 0, and logs the failure.'),
  'HOOK.quick': of('hosts 3', 'A save is noted at once and done in the background.'),
  'HOOK.killed': of('DESIGN 2', 'If any process is killed at any step, the handoff stays available.'),
  'HOOK.log': of('DESIGN 2', 'The history records that a session received a handoff, and by what proof.'),
  'HOOK.deferred': of('hosts observed', 'If a host takes no text at an event, the session gets it at its next prompt.'),
  'HOOK.plugin': of(
    'DESIGN 9',
    'A plugin within its host calls Baton’s hooks, and the host continues after any failure.',
  ),
  'HOOK.turn': of('DESIGN 9', 'If a host takes a text only with prompts, the first one starts the session.'),
  'HOOK.other-host': of('DESIGN 9', 'A hook that another host runs, which has hooks of its own there, does nothing.'),
  'HOOK.told': of(
    'hosts 4',
    'A host whose record does not show what the model got is notified of a handoff, and its session claims it itself.',
  ),
  'HOOK.codex': of('DESIGN 9', 'Sessions of Codex are saved, offered and proved like those of Claude Code.'),
  'HOOK.notice': of(
    'DESIGN 9',
    'A person sees one line when a session got a handoff, was first saved, or could not be saved.',
  ),
} as const satisfies Record<string, Requirement>;
