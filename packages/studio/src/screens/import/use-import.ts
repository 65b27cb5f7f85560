import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call } from '../../server/call.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { type Reading, useOneReading } from './use-one-reading.ts';

/** Reads one conversation at a time, and goes to the draft that came of it. */
export function useImport(): Reading {
  return useOneReading(async (source, signal) => {
    const made = await call('handoff.import', source, { signal });
    announce(describeImport(made));
    const { id, delivery } = made.handoff;
    navigate(delivery.state === 'draft' ? `/review/${id}` : `/h/${id}`);
  });
}

/** What was read, and what came of it, so that nothing is silently missing. */
export function describeImport({ handoff, existing, reading, extraction }: OperationOutput<'handoff.import'>): string {
  const { decisions, files, risks } = handoff.content;
  const found = `${count(decisions, 'decision')}, ${count(files, 'file')}, ${count(risks, 'risk')}.`;
  const words = reading === undefined ? 'Read a handoff' : `Read ${reading.messages} messages`;
  const unread =
    reading === undefined || reading.unread_lines === 0 ? '' : ` ${reading.unread_lines} lines were not understood.`;
  const masked = Object.keys(reading?.masked ?? {}).length === 0 ? '' : ' Secrets were masked.';
  const note = extraction?.note === undefined ? '' : ` ${extraction.note}`;
  return `${words}: ${found}${existing ? ' It was there already.' : ''}${unread}${masked}${note}`;
}

function count(items: readonly unknown[], noun: string): string {
  return `${items.length} ${items.length === 1 ? noun : `${noun}s`}`;
}
