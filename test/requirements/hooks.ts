import type { Requirement } from './requirement.ts';

const of = (source: string, behaviour: string) => ({ source, behaviour, milestone: 'hosts' }) as const;

export const hooks = {
  'HOOK.save': of('DESIGN 2', 'A session is saved as one open handoff that follows what it comes to.'),
  'HOOK.nothing': of('field 3.1, 9', 'A session that said nothing saves nothing.'),
  'HOOK.carry-on': of(
    'field 3.1, 9',
    'A session that received a handoff hands on what it was given and nobody revoked.',
  ),
  'HOOK.lost': of('field 3.1, 8', 'A session whose host was killed is saved by the next one that starts.'),
  'HOOK.live': of('hosts 3', 'What another session that goes on has saved is never offered.'),
  'HOOK.interactive': of('DESIGN 2', 'A session that is not interactive never claims.'),
  'HOOK.compact': of('hosts 3', 'After a compaction a session gets its own save back, and nobody else’s.'),
  'HOOK.release': of('DESIGN 2', 'A session that ends without proof gives back what it was offered.'),
  'HOOK.limit': of(
    'hosts 3',
    'What a hook gives a session keeps the host’s limit; approved bytes are given whole or not.',
  ),
  'HOOK.output': of('hosts 3', 'A hook prints one JSON object with the event’s name, or nothing.'),
  'HOOK.harmless': of('hosts 3', 'A hook that fails prints nothing, ends with 0, and leaves word of it.'),
  'HOOK.quick': of('hosts 3', 'A save is noted at once and done in the background.'),
  'HOOK.killed': of('DESIGN 2', 'Whatever is killed at whatever step, the handoff stays available.'),
  'HOOK.log': of('DESIGN 2', 'The history tells that a session received a handoff, and by what proof.'),
  'HOOK.deferred': of(
    'hosts observed',
    'Where a host takes no text at an occasion, the session is given it at its next prompt.',
  ),
  'HOOK.plugin': of(
    'DESIGN 9',
    'A plugin within its host calls Baton’s hooks, and whatever goes wrong, the host goes on.',
  ),
  'HOOK.turn': of('DESIGN 9', 'Where a host takes a text with prompts alone, the first one starts the session.'),
  'HOOK.other-host': of('DESIGN 9', 'A hook that another host runs, which has hooks of its own there, does nothing.'),
  'HOOK.told': of(
    'hosts 4',
    'A host whose record does not show what the model got is told of a handoff, and its session takes it itself.',
  ),
  'HOOK.codex': of('DESIGN 9', 'Sessions of Codex save, are offered and are proved as those of Claude Code.'),
  'HOOK.notice': of(
    'DESIGN 9',
    'A person sees one line where a session was given something, was first saved, or was not.',
  ),
} as const satisfies Record<string, Requirement>;
