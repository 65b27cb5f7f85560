import type { Handoff } from '../../core/handoff.ts';
import { neutralizeLine } from '../../formats/neutralize.ts';
import { describeAge } from '../../formats/situation.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';

/** How many last characters of an id are enough for a command. */
const short_characters = 8;

/** What a session was given, for its person: from whom, how old, how much, and where to read it. */
export function describeTakeover({ id, content, created_at }: Handoff, now_ms: number): string {
  const { decisions, files, next_steps, source_agent } = content;
  const parts = [
    counted(decisions.length, 'decision'),
    counted(files.length, 'file'),
    counted(next_steps.length, 'next step'),
  ].filter((part) => part !== '');
  const much = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  const from = `${neutralizeLine(source_agent)}, ${describeAge(Date.parse(created_at), now_ms)}`;
  return `Baton: this session continues from ${shortened(id)} (${from})${much}. Look: baton show ${shortened(id)}`;
}

/** Leaves the person of a session a line about its save: the first one, and the first after a failure. */
export function noteSaved(session: string, handoff_id: string, context: OperationContext): void {
  const sessions = hostSessionsOf(context);
  const before = sessions.readNotice(session);
  if (before?.kind === 'saved') return;
  const text = `Baton: this session is saved as ${shortened(handoff_id)}, and again as it goes on. Look: baton show ${shortened(handoff_id)}`;
  sessions.writeNotice(session, { kind: 'saved', text, shown: false });
}

/** Leaves a line about a save that failed; one failure is reported once. */
export function noteFailed(session: string, error: unknown, context: OperationContext): void {
  const sessions = hostSessionsOf(context);
  const reason = neutralizeLine(error instanceof Error ? error.message : String(error));
  const text = `Baton: session ${session.slice(0, short_characters)} is not saved: ${sentence(reason)} See: baton doctor`;
  if (sessions.readNotice(session)?.text === text) return;
  sessions.writeNotice(session, { kind: 'failed', text, shown: false });
}

/** The line that waits for a session's person, returned once; empty where none waits. */
export function takeNotice(session: string, context: OperationContext): string {
  const sessions = hostSessionsOf(context);
  const notice = sessions.readNotice(session);
  if (notice === undefined || notice.shown) return '';
  sessions.writeNotice(session, { ...notice, shown: true });
  return notice.text;
}

/** The failures of all sessions here that nobody was shown, returned once; for the person who starts the next session. */
export function takeFailures(context: OperationContext): string {
  const failed = hostSessionsOf(context)
    .listNotices()
    .filter(({ notice }) => notice.kind === 'failed' && !notice.shown);
  return failed.map(({ session }) => takeNotice(session, context)).join(' ');
}

/** A text that ends as a sentence does. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function shortened(id: string): string {
  return id.slice(-short_characters);
}

function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;
}
