import { declare } from './declare.ts';

/** What the service of source 3 guarantees beyond its document. */
export const queueService = {
  ...declare('issue, hand-off service', 'queue', {
    'SERVICE.places':
      'A path, sqlite:PATH, :memory: and an open database are accepted; anything else is refused with the next step.',
    'SERVICE.borrowed':
      "A caller's database may have any settings and stays open; closed or in a transaction it is refused, and works again after.",
    'SERVICE.opening':
      'The first call opens the store; a failure is reported to that call, and the next call tries again.',
    'SERVICE.bad-input': 'Payloads that JSON does not preserve, too large payloads and invalid names are refused.',
    'SERVICE.names': 'Hostile task ids are ordinary names; white space around a name is ignored.',
    'SERVICE.damaged-payload': 'A handoff whose payload is damaged is not consumed; the error says what to do.',
    'SERVICE.dropped-rows': 'After foreign SQL has dropped rows, every call still works.',
    'SERVICE.other-doors': 'A handoff created through another door has its content, under the same rules.',
    'SERVICE.subscribe':
      'A subscription claims one handoff per round, is woken without polling, and loses nothing when it is cancelled.',
    'SERVICE.log':
      'Each call logs one JSON line, from a level on, never a payload; a log that fails does not fail the call.',
    'SERVICE.late': 'Neither pino nor SQLite is loaded before a call needs it.',
    'SERVICE.foreign-index': "The source's own statements use an index on the task.",
  }),
  ...declare('issue, databases of source 3', 'queue', {
    'SERVICE.takeover.any-door': 'A database of source 3 is recognised and taken over by any door that opens it.',
    'SERVICE.takeover.nothing-lost': 'Its own table stays, under another name, and every value can be found there.',
    'SERVICE.takeover.odd-rows':
      'Rows without id, task, origin or time, and payloads that are not JSON, are taken over.',
    'SERVICE.takeover.whole': 'A takeover that is interrupted leaves the old table whole.',
    'SERVICE.takeover.alike': 'A database that only looks similar is refused and not written to.',
  }),
} as const;
