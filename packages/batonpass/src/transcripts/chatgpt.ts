import type { Conversation } from '../core/conversation.ts';
import { readInstant } from './claude-code-rows.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { asObject, asText, type JsonObject } from './json-value.ts';
import { readOutcome } from './tool-calls.ts';
import { countUnread } from './unread.ts';

/** Content that belongs to the model or the host, not to the conversation. */
const silentContents: ReadonlySet<string> = new Set([
  'thoughts',
  'reasoning_recap',
  'user_editable_context',
  'model_editable_context',
  'tether_browsing_display',
  'system_error',
]);

/** Whether a value is a conversation of ChatGPT's export: a tree of messages under `mapping`. */
export function isChatGptConversation(value: unknown): boolean {
  return asObject(asObject(value)?.mapping) !== undefined;
}

/** Whether it has a message of the user, on any branch. */
export function hasChatGptPrompt({ mapping }: JsonObject): boolean {
  return Object.values(asObject(mapping) ?? {}).some((node) => {
    const message = asObject(asObject(node)?.message);
    return asText(asObject(message?.author)?.role) === 'user' && readContent(asObject(message?.content) ?? {}) !== '';
  });
}

/** A node of the tree, as far as it can be trusted. */
interface Node {
  id: string;
  parent: string | undefined;
  message: JsonObject | undefined;
}

/** Reads the branch that the user saw last; prompts that were edited, and answers that were regenerated, are left out. */
export async function readChatGptConversation(value: JsonObject): Promise<Conversation> {
  const conversation = new ConversationBuilder('chatgpt');
  conversation.session = asText(value.conversation_id) ?? asText(value.id);
  conversation.title = asText(value.title);
  const nodes = readNodes(asObject(value.mapping) ?? {}, conversation);
  for (const { message, id } of followBranch(nodes, asText(value.current_node))) {
    if (message !== undefined) readMessage(conversation, message, id);
  }
  return await conversation.finish();
}

/** The nodes by id; a lost link to the parent is taken from the parent's list of children. */
function readNodes(mapping: JsonObject, { unread }: ConversationBuilder): Map<string, Node> {
  const nodes = new Map<string, Node>();
  const parents = new Map<string, string>();
  for (const [id, value] of Object.entries(mapping)) {
    const node = asObject(value);
    if (node === undefined) {
      countUnread(unread, 'not a node of a conversation');
      continue;
    }
    nodes.set(id, { id, parent: asText(node.parent), message: asObject(node.message) });
    for (const child of Array.isArray(node.children) ? node.children : []) {
      if (typeof child === 'string') parents.set(child, id);
    }
  }
  for (const node of nodes.values()) {
    if (node.parent === undefined || !nodes.has(node.parent)) node.parent = parents.get(node.id);
  }
  return nodes;
}

/** From the current node up to its root, in the order of speech; a circle ends where it closes. */
function followBranch(nodes: ReadonlyMap<string, Node>, current: string | undefined): Node[] {
  const branch = new Set<Node>();
  let node = nodes.get(current ?? '') ?? findNewest(nodes);
  while (node !== undefined && !branch.has(node)) {
    branch.add(node);
    node = nodes.get(node.parent ?? '');
  }
  return [...branch].reverse();
}

/** Without a current node the newest message is it. */
function findNewest(nodes: ReadonlyMap<string, Node>): Node | undefined {
  let newest: Node | undefined;
  let newestAt = Number.NEGATIVE_INFINITY;
  for (const node of nodes.values()) {
    if (node.message === undefined) continue;
    const at = typeof node.message.create_time === 'number' ? node.message.create_time : newestAt;
    if (newest === undefined || at >= newestAt) {
      newest = node;
      newestAt = at;
    }
  }
  return newest;
}

function readMessage(conversation: ConversationBuilder, message: JsonObject, id: string): void {
  const role = asText(asObject(message.author)?.role);
  const content = asObject(message.content) ?? {};
  const type = asText(content.content_type) ?? 'text';
  if (silentContents.has(type) || asObject(message.metadata)?.is_visually_hidden_from_conversation === true) return;
  const text = readContent(content);
  const at = typeof message.create_time === 'number' ? readInstant(message.create_time * 1_000) : undefined;
  const recipient = asText(message.recipient) ?? 'all';
  if (role === 'tool') conversation.conclude('last', readOutcome(text, type === 'system_error'));
  else if (role === 'assistant' && recipient !== 'all') {
    conversation.use([{ name: recipient, effect: 'none' }], { id: 'last', at });
  } else if (role === 'user' || role === 'assistant' || role === 'system') {
    if (text !== '') conversation.say({ role, text, ...(at !== undefined && { at }) });
  } else countUnread(conversation.unread, `unknown role "${(role ?? id).slice(0, 40)}"`);
}

/** The words of a content; images and files have none. */
function readContent(content: JsonObject): string {
  const parts = Array.isArray(content.parts) ? content.parts : [content.text ?? content.result];
  const texts = parts.flatMap((part) => (typeof part === 'string' ? part : (asText(asObject(part)?.text) ?? [])));
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

/** When a conversation was last changed, in seconds; what has no time is older than all else. */
export function chatGptTimeOf(value: JsonObject): number {
  const times = [value.update_time, value.create_time].filter((time) => typeof time === 'number');
  return times[0] ?? Number.NEGATIVE_INFINITY;
}
