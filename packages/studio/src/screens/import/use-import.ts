import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { makeDraft } from './make-draft.ts';
import { type Reading, useOneReading } from './use-one-reading.ts';

/** Reads one conversation at a time, and goes to its draft. */
export function useImport(): Reading {
  return useOneReading({ take: importAndShow, kept: 'Nothing of it was stored.' });
}

/** Creates a draft of a conversation and goes to it. @throws as `makeDraft`. */
export async function importAndShow(...[input, following]: Parameters<typeof makeDraft>): Promise<void> {
  const made = await makeDraft(input, following);
  announce(describeImport(made));
  const { id, delivery } = made.handoff;
  navigate(delivery.state === 'draft' ? `/review/${id}` : `/h/${id}`);
}

/** What was read, and the result, so that nothing is missing silently. */
export function describeImport({ handoff, existing, reading, extraction }: OperationOutput<'handoff.import'>): string {
  const { decisions, files, risks } = handoff.content;
  const found = `${count(decisions.length, 'decision')}, ${count(files.length, 'file')}, ${count(risks.length, 'risk')}.`;
  const words = reading === undefined ? 'Read a handoff' : `Read ${count(reading.messages, 'message')}`;
  const unread = describeUnread(reading?.unread_lines ?? 0);
  const masked = Object.keys(reading?.masked ?? {}).length === 0 ? '' : ' Secrets were masked.';
  const note = extraction?.note === undefined ? '' : ` ${extraction.note}`;
  return `${words}: ${found}${existing ? ' It existed already.' : ''}${unread}${masked}${note}`;
}

/** Unreadable lines of a transcript, as a sentence after another; empty where there are none. */
export function describeUnread(lines: number): string {
  return lines === 0 ? '' : ` ${count(lines, 'line')} ${lines === 1 ? 'was' : 'were'} not understood.`;
}

/** A count with its noun, as `1 file` and `1,200 files`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : `${noun}s`}`;
}
