/** The operations of the protocol, as messages name them. */
export const messageOperations = [
  'create-directory',
  'write-config',
  'write-plan',
  'read-plan',
  'read-config',
  'get-references',
  'write-references',
  'update-progress',
  'validate-plan',
  'validate-config',
  'validate-references',
] as const;

export type MessageOperation = (typeof messageOperations)[number];

/** What a `handoff_id` begins with where the message has no `operation`: the operation's own name, or one of these. */
const prefixes: Readonly<Record<string, MessageOperation>> = {
  mkdir: 'create-directory',
  config: 'read-config',
  refs: 'get-references',
  'write-refs': 'write-references',
  progress: 'update-progress',
};

/** Whether a word names an operation of the protocol. */
export function isMessageOperation(word: unknown): word is MessageOperation {
  return messageOperations.some((operation) => operation === word);
}

/** Whether an operation writes: then a message that lacks something is refused. */
export function isWriting(operation: MessageOperation): boolean {
  return !/^(?:read|get|validate)-/.test(operation);
}

/** The operation that a `handoff_id` as `progress-001` names; `undefined` where it names none. */
export function operationOfHandoffId(handoff_id: string): MessageOperation | undefined {
  const prefix = prefixOf(handoff_id);
  if (isMessageOperation(prefix)) return prefix;
  return Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined;
}

/** The `handoff_id` of the answer to a request: its number becomes 002. */
export function answerHandoffId(handoff_id: string): string {
  return `${prefixOf(handoff_id)}-002`;
}

function prefixOf(handoff_id: string): string {
  return handoff_id.replace(/-\d+$/, '');
}
