import { limits } from '../../../../batonpass/src/core/limits.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { createKey } from '../../server/call.ts';
import { type Following, sendTranscript } from '../../server/send-transcript.ts';
import { announce } from '../../shell/announcements.ts';
import { navigate } from '../../shell/router.ts';
import { describeSize } from '../import/chosen-file.tsx';
import { handFile } from '../import/handed-file.ts';
import { count, describeUnread } from '../import/use-import.ts';
import { type Reading, type Source, useOneReading } from '../import/use-one-reading.ts';
import type { Brainstorm } from './chat-shelf.ts';
import { findProject } from './find-project.ts';
import { toMessages } from './messages.ts';
import { beginChat, openChat } from './open-chat.ts';

/** Reads one transcript at a time, and shows it as a brainstorm of its own. */
export function useReading(): Reading {
  return useOneReading({ take: readAndShow, kept: 'Nothing was kept of it.' });
}

async function readAndShow(source: Source, following: Following): Promise<void> {
  if (source.file !== undefined && source.file.size > limits.request_bytes_max) return importInstead(source.file);
  const [project, answer] = await Promise.all([findProject(), sendTranscript('conversation.read', source, following)]);
  const found = (await answer.json()) as OperationOutput<'conversation.read'>;
  const id = await show(project, found, source);
  announce(describeReading(found));
  navigate(`/b/${id}`);
}

/** A page cannot show a conversation of any size, and the server makes a draft of it all the same. */
function importInstead(file: File): void {
  handFile(file);
  announce(`${file.name} has ${describeSize(file.size)}: too much to be shown. Make a draft of it here.`);
  navigate('/import');
}

/** A session that was read before and grew since is shown anew, its pins kept; what was said here behind it stays. */
async function show(project: string, found: OperationOutput<'conversation.read'>, source: Source): Promise<string> {
  const { session } = found.reading;
  const id = session !== undefined && /^[\w-]{1,200}$/.test(session) ? session : createKey();
  const read = toMessages(found);
  const known = session === undefined ? null : await openChat(project, id).catch(() => null);
  const brainstorm: Brainstorm = {
    id,
    project,
    session: session ?? id,
    title: '',
    changed_at: '',
    messages: read,
    is_owed: false,
    ...(session === undefined ? {} : { source: { ...source, messages: read.length } }),
  };
  if (known === null) beginChat(brainstorm).keep('now');
  else {
    const own = known.chat.messages.slice(known.brainstorm.source?.messages ?? 0);
    known.chat.messages = [...read, ...own];
    known.brainstorm.source = brainstorm.source;
    known.keep('now');
  }
  return id;
}

function describeReading({ reading }: OperationOutput<'conversation.read'>): string {
  const { messages, unread_lines, masked } = reading;
  const secrets = Object.keys(masked).length === 0 ? '' : ' Secrets were masked.';
  return `Read ${count(messages, 'message')}.${describeUnread(unread_lines)}${secrets}`;
}
