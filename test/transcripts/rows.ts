/** Builds Claude Code rows for tests: only the fields that a test is about need to be given. */
export interface RowFields {
  uuid?: string;
  parent?: string | null;
  [field: string]: unknown;
}

let count = 0;

function row(type: string, content: unknown, { uuid, parent, message, ...fields }: RowFields): string {
  count += 1;
  const role = type === 'user' ? 'user' : 'assistant';
  return JSON.stringify({
    type,
    uuid: uuid ?? `row-${count}`,
    parentUuid: parent ?? null,
    isSidechain: false,
    sessionId: 'session-1',
    cwd: '/home/sam/projects/tidepool',
    gitBranch: 'main',
    timestamp: '2026-09-14T08:00:00.000Z',
    message: { role, content, ...(message as object | undefined) },
    ...fields,
  });
}

export const userRow = (content: unknown, fields: RowFields = {}) => row('user', content, fields);

export const assistantRow = (content: unknown, fields: RowFields & { id?: string } = {}) => {
  const { id, ...others } = fields;
  return row('assistant', content, { ...others, message: { id: id ?? `answer-${count}`, model: 'a-model' } });
};

export const toolUse = (id: string, name: string, input: Record<string, unknown>) => ({
  type: 'tool_use',
  id,
  name,
  input,
});

export const toolResult = (id: string, content: unknown, is_error = false) => [
  { type: 'tool_result', tool_use_id: id, content, is_error },
];

export const textBlock = (text: string) => ({ type: 'text', text });
