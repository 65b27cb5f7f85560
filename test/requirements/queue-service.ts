import { declare } from './declare.ts';

/** What the service of source 3 promises beyond its document. */
export const queueService = {
  ...declare('issue, hand-off service', 'queue', {
    'SERVICE.places':
      'A path, sqlite:PATH, :memory: and an open database are accepted; anything else is refused with the next step.',
    'SERVICE.borrowed':
      "A caller's database may have any settings and stays open; closed or in a transaction it is refused, and goes on after.",
    'SERVICE.opening': 'The first call opens; what fails then is told to that call, and the next one tries again.',
    'SERVICE.bad-input':
      'What JSON would not bring back equal, too large payloads and names that are none are refused.',
    'SERVICE.names': 'Hostile task ids are names like others; white space around a name does not count.',
    'SERVICE.damaged-payload': 'A handoff whose payload is damaged is not consumed; the error says what to do.',
    'SERVICE.dropped-rows': 'After rows were dropped by foreign SQL everything goes on.',
    'SERVICE.other-doors': 'A handoff of another door comes with its content, under the same rules.',
    'SERVICE.subscribe':
      'A subscription claims one handoff a turn, is woken without polling, and loses nothing when left.',
    'SERVICE.log': 'One JSON line a call, from a level on, never a payload; a log that fails does not fail the call.',
    'SERVICE.late': 'Neither pino nor SQLite is loaded before a call needs it.',
    'SERVICE.foreign-index': "The source's own statements use an index on the task.",
  }),
  ...declare('issue, databases of source 3', 'queue', {
    'SERVICE.takeover.any-door': 'A database of source 3 is recognised and taken over by whichever door opens it.',
    'SERVICE.takeover.nothing-lost': 'Its own table stays, under another name, and every value can be found again.',
    'SERVICE.takeover.odd-rows':
      'Rows without id, task, origin or time, and payloads that are no JSON, are taken over.',
    'SERVICE.takeover.whole': 'A takeover that breaks off leaves the old table whole.',
    'SERVICE.takeover.alike': 'A database that only looks alike is refused and not written to.',
  }),
} as const;
