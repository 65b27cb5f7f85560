import { useEffect, useState } from 'react';
import type { Content } from '../../../../batonpass/src/core/content.ts';
import type { OperationInput, OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call, createKey, once } from '../../server/call.ts';
import type { TranscriptInput } from '../../server/send-transcript.ts';
import {
  type Brainstorm,
  findBrainstorm,
  findProject,
  keepBrainstorm,
  listBrainstorms,
  placeOf,
} from '../brainstorm/chat-shelf.ts';
import { isShown, textOf, titleOf, toMessages, toolsOf, toTranscript } from '../brainstorm/messages.ts';

/** One message of a conversation, at the index that evidence refers to. */
export interface SaidMessage {
  role: string;
  text: string;
  /** Its tool calls, as text. */
  tools: readonly string[];
}

/** The conversation that a draft was created from, as far as this browser or the server's machine still has it. */
export interface Conversation {
  /** Loads it; the same messages each time. */
  read: () => Promise<readonly SaidMessage[]>;
  /** The server's input for another extraction. */
  source: Pick<OperationInput<'handoff.import'>, 'text' | 'path'> & TranscriptInput;
  /** Returns the address of the brainstorm that shows all of it; a transcript becomes a brainstorm. */
  open: () => Promise<string>;
}

/** The result of the search for a conversation: null where it no longer exists. */
export type FoundConversation = Conversation | null | 'looking';

/** The most sessions that are searched for one. */
const SESSIONS_MAX = 500;

/** Finds the conversation that a content comes from. */
export function useConversation(origin: Content['origin']): FoundConversation {
  const [found, setFound] = useState<FoundConversation>('looking');
  const { session } = origin ?? {};
  useEffect(() => {
    let isWanted = true;
    const settle = (conversation: Conversation | null) => isWanted && setFound(conversation);
    // A failed search counts as not found; the quotes are available all the same.
    findConversation(session).then(settle, () => settle(null));
    return () => {
      isWanted = false;
    };
  }, [session]);
  return found;
}

async function findConversation(session: string | undefined): Promise<Conversation | null> {
  if (session === undefined) return null;
  const project = await findProject();
  const brainstorm = await findKept(project, session).catch(() => null);
  if (brainstorm !== null) return ofBrainstorm(brainstorm);
  const { sessions } = await call('conversation.list', { limit: SESSIONS_MAX });
  const path = sessions.find((each) => each.session === session)?.path;
  return path === undefined ? null : ofTranscript({ project, session, path });
}

async function findKept(project: string, session: string): Promise<Brainstorm | null> {
  const known = await findBrainstorm(project, session);
  if (known !== null) return known;
  const head = (await listBrainstorms(project)).find((each) => each.session === session);
  return head === undefined ? null : findBrainstorm(project, head.id);
}

function ofBrainstorm({ id, session, messages, source }: Brainstorm): Conversation {
  const isWhole = source !== undefined && source.messages === messages.length;
  const said = messages
    .filter(isShown)
    .map((message) => ({ role: message.role, text: textOf(message), tools: toolsOf(message) }));
  return {
    open: () => Promise.resolve(addressOf(id)),
    source: isWhole ? placeOf(source) : { text: toTranscript(session, messages) },
    read: () => Promise.resolve(said),
  };
}

type ReadConversation = OperationOutput<'conversation.read'>;

function ofTranscript({ project, session, path }: { project: string; session: string; path: string }): Conversation {
  const load = once(() => call('conversation.read', { path }));
  return {
    source: { path },
    read: once(async () => toSaid(await load())),
    async open() {
      const id = /^[\w-]{1,200}$/.test(session) ? session : createKey();
      const messages = toMessages(await load());
      const source = { path, messages: messages.length };
      const changed_at = new Date().toISOString();
      const title = titleOf(messages);
      await keepBrainstorm({ id, project, session, title, changed_at, messages, is_owed: false, source });
      return addressOf(id);
    },
  };
}

const addressOf = (id: string) => `/b/${id}`;

function toSaid({ messages }: ReadConversation): readonly SaidMessage[] {
  return messages.map(({ role, text, tools }) => ({
    role,
    text,
    tools: tools.map((tool) => `${tool.name} ${tool.path ?? tool.command ?? ''}`.trim()),
  }));
}
