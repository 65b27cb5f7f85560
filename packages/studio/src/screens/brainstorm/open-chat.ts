import { Chat, type UIMessage } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createDraftStore, type HandoffDraftStore } from '../../../../batonpass/src/draft/draft-store.ts';
import { ask } from '../../server/call.ts';
import { type Brainstorm, findBrainstorm, keepBrainstorm } from './chat-shelf.ts';
import { titleOf } from './messages.ts';

/** A brainstorm that is open in this page: its answer continues while another screen is shown. */
export interface OpenChat {
  brainstorm: Brainstorm;
  chat: Chat<UIMessage>;
  /** Its pins, as decisions of a draft in the browser's storage. */
  pins: HandoffDraftStore;
  /** Why it could not be stored, as a message for the user; empty where nothing failed. */
  fault: StoreApi<{ fault: string }>;
  /** Stores its present state, after a delay or at once. */
  keep: (when: 'soon' | 'now') => void;
}

/** The longest time that streamed text is not stored. */
const KEEP_MS = 300;

const chats = new Map<string, OpenChat>();

/** Opens a brainstorm from this page or this browser; null where neither has it. */
export async function openChat(project: string, id: string): Promise<OpenChat | null> {
  const known = chats.get(`${project}/${id}`);
  if (known !== undefined) return known;
  const brainstorm = await findBrainstorm(project, id);
  return brainstorm === null ? null : beginChat(brainstorm);
}

/** Opens a brainstorm that is new to this page. */
export function beginChat(brainstorm: Brainstorm): OpenChat {
  const { project, id, messages } = brainstorm;
  const fault = createStore(() => ({ fault: '' }));
  const transport = new DefaultChatTransport<UIMessage>({
    api: '/api/chat',
    fetch: (path, init) => ask(String(path), init),
  });
  const chat = new Chat<UIMessage>({ id, messages, transport, onFinish: () => opened.keep('now') });
  const pins = createDraftStore({ project: pinsProject(project, id) });
  const opened: OpenChat = { brainstorm, chat, pins, fault, keep: createKeeper(() => opened) };
  chats.set(`${project}/${id}`, opened);
  return opened;
}

/** Removes a brainstorm from this page; an answer in progress stops. */
export function closeChat(project: string, id: string): void {
  void chats.get(`${project}/${id}`)?.chat.stop();
  chats.delete(`${project}/${id}`);
}

/** The name under which the pins of a brainstorm are stored. */
export const pinsProject = (project: string, id: string): string => `brainstorm:${project}/${id}`;

/** Writes at once, or once for all changes within the delay. */
function createKeeper(current: () => OpenChat): OpenChat['keep'] {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const { brainstorm, chat, fault } = current();
    brainstorm.messages = chat.messages;
    brainstorm.is_owed = chat.status !== 'ready';
    brainstorm.title = titleOf(chat.messages);
    brainstorm.changed_at = new Date().toISOString();
    keepBrainstorm({ ...brainstorm }).then(
      () => fault.setState({ fault: '' }),
      (error: unknown) => fault.setState({ fault: describeFault(error) }),
    );
  };
  return (when) => {
    if (when === 'now') write();
    else timer ??= setTimeout(write, KEEP_MS);
  };
}

function describeFault(error: unknown): string {
  const isFull = error instanceof Error && error.name === 'QuotaExceededError';
  const why = isFull ? 'its storage is full' : error instanceof Error ? error.message : String(error);
  return `This browser does not keep the brainstorm: ${why}. It stays on this page; hand it over, or delete an older one.`;
}
