import type { Message } from '../core/conversation.ts';

/** How a Markdown transcript marks the speaker; one file uses one style. */
export type HeadingStyle = 'emphasis' | 'bold' | 'heading' | 'plain';

/** A line that names the speaker of the text below it. */
export interface RoleHeading {
  style: HeadingStyle;
  role: Message['role'];
  /** Of a `heading` its number of `#`; else 0. */
  level: number;
  /** The name as it is there, in lower case. */
  name: string;
  /** ISO 8601, where the heading has a time with its zone. */
  at?: string;
  /** A message from or to a helper agent. */
  isSidechain: boolean;
  /** A text of the host itself in the agent's name, such as an error of the request to the model. */
  isHostsOwn: boolean;
  /** SpecStory exports what VS Code's agent says between its steps as its thoughts. */
  saysInThoughts: boolean;
  /** What follows on the same line. */
  rest: string;
}

const roles: ReadonlyMap<string, Message['role']> = new Map([
  ...['user', 'human', 'you', 'me', 'you said', 'prompt', 'user message', 'user prompt'].map(
    (name) => [name, 'user'] as const,
  ),
  ...[
    'assistant',
    'agent',
    'ai',
    'bot',
    'model',
    'assistant message',
    'ai assistant',
    'response',
    'claude',
    'claude code',
    'claude said',
    'chatgpt',
    'gpt',
    'chatgpt said',
    'codex',
    'codex cli',
    'copilot',
    'github copilot',
    'cursor',
    'gemini',
    'gemini cli',
    // An empty name continues the answer before it: the first exports of SpecStory mark tools in this way.
    '',
  ].map((name) => [name, 'assistant'] as const),
  ['system', 'system'],
]);

/** A line is no longer than this where it is a heading: patterns need not read more. */
const headingCharactersMax = 300;

const emphasis = /^_\*\*(?<label>[^*]{0,200})\*\*_$/;
const bold = /^\*\*(?<label>[^*]{1,200}?)(?<colon>:?)\*\*(?<after>:?)(?<rest>.{0,4000})$/;
const heading = /^(?<marks>#{1,6})[ \t]+(?<label>[^#]{1,200}?)[ \t]*#*$/;
const plain =
  /^(?<label>User|Human|Assistant|AI|Claude|ChatGPT|You said|ChatGPT said|Claude said):[ \t]*(?<rest>.{0,4000})$/;

/** The lines of a part as a text, without the rule that separates it from the next part. */
export function joinPart(lines: readonly string[]): string {
  return lines
    .join('\n')
    .trim()
    .replace(/(?:^|\n)---$/, '')
    .trim();
}

/** Reads a line as a role's heading, in any of the ways or only in those given; nothing where it is none. */
export function readRoleHeading(line: string, style?: HeadingStyle): RoleHeading | undefined {
  if (!/^\s*[_*#A-Z]/.test(line)) return undefined;
  const text = line.length > headingCharactersMax && style !== 'bold' && style !== 'plain' ? '' : line.trim();
  const first = text.charAt(0);
  if (first === '_' && (style === undefined || style === 'emphasis')) return fromEmphasis(text);
  if (first === '*' && (style === undefined || style === 'bold')) return fromBold(text);
  if (first === '#' && (style === undefined || style === 'heading')) return fromHeading(text);
  return style === undefined || style === 'plain' ? fromPlain(text) : undefined;
}

function fromEmphasis(text: string): RoleHeading | undefined {
  const label = emphasis.exec(text)?.groups?.label;
  return label === undefined ? undefined : fromLabel(label, { style: 'emphasis', level: 0, rest: '' });
}

function fromBold(text: string): RoleHeading | undefined {
  const { label = '', colon = '', after = '', rest = '' } = bold.exec(text)?.groups ?? {};
  // Words after a bold name belong to it only with a colon: `**User** is a table` is prose.
  if (label === '' || (rest.trim() !== '' && colon === '' && after === '')) return undefined;
  return fromLabel(label, { style: 'bold', level: 0, rest: rest.trim() });
}

function fromHeading(text: string): RoleHeading | undefined {
  const { marks = '', label = '' } = heading.exec(text)?.groups ?? {};
  const name = label.replace(/^[*_]+|[*_]+$/g, '');
  return name === '' ? undefined : fromLabel(name, { style: 'heading', level: marks.length, rest: '' });
}

function fromPlain(text: string): RoleHeading | undefined {
  const { label, rest = '' } = plain.exec(text)?.groups ?? {};
  return label === undefined ? undefined : fromLabel(label, { style: 'plain', level: 0, rest: rest.trim() });
}

/** `User: sam (2026-09-14 08:00Z)`, `🤖 Assistant - 08:00`, `3. user (2026-09-14T08:00:00Z)`, `Agent (mode y) (sidechain)`. */
function fromLabel(label: string, about: Pick<RoleHeading, 'style' | 'level' | 'rest'>): RoleHeading | undefined {
  const at = readZonedInstant(label);
  // A number without a time is that of a document's section.
  const named = at === undefined ? label : label.replace(/^\d{1,6}\. /, '');
  const bare = named.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ').replace(/^[^\p{L}\p{N}]+/u, '');
  const [name = ''] = bare.split(/[:—–|•·,]| - |\d/u);
  const spelt = name
    .trim()
    .replace(/[^\p{L}]+$/u, '')
    .toLowerCase();
  const role = roles.get(spelt);
  // Only SpecStory has headings without a name.
  if (role === undefined || (spelt === '' && (about.style !== 'emphasis' || label.trim() !== ''))) return undefined;
  return {
    ...about,
    role,
    name: spelt,
    ...(at !== undefined && { at }),
    isSidechain: /\(sidechain\)| - sidechain\b/.test(label),
    isHostsOwn: label.includes('<synthetic>'),
    saysInThoughts: label.includes('(copilot/'),
  };
}

/** A time with its zone; one without would mean another instant on each machine. */
function readZonedInstant(text: string): string | undefined {
  const found = /(\d{4}-\d{2}-\d{2})[ T_](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)[ ]?(Z|[+-]\d{2}:?\d{2})/.exec(text);
  const date = found === null ? Number.NaN : Date.parse(`${found[1]}T${found[2]}${found[3]}`);
  return Number.isNaN(date) ? undefined : new Date(date).toISOString();
}
