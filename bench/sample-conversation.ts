import type { Conversation, Message } from '../packages/batonpass/src/core/conversation.ts';

/** Conversations of any length, made of the kinds of sentences that people and agents write; each one is another. */

const nouns =
  'account adapter archive batch booking broker bucket budget cache calendar catalogue channel client cluster column command component counter cursor dashboard deadline digest document endpoint event export feature filter folder gateway grant handler header importer index invoice job journal key label layout ledger limit listener locale lock mailbox manifest member menu migration mirror module monitor notice operator order outbox page parser password payment permission pipeline plan policy pool preview profile project proxy queue quota receipt record region registry relay release report request resolver retry role route rule sandbox schedule schema scope search section sensor server session setting shard sheet signal snapshot socket station stream summary table tenant ticket timer token topic tracker trigger tunnel upload user vault vendor version view wallet watcher webhook widget worker zone'.split(
    ' ',
  );
const verbs =
  'add archive batch cache check clear collect compare compress count create delete drop enable export filter format group hide import index keep limit list load lock log merge move pause print prune queue read rename replace reset resume retry send share show skip sort split store stream sync tag trim update validate watch write'.split(
    ' ',
  );
const folders = ['src', 'app', 'packages/core', 'services/api', 'test', 'docs'];

/** Numbers that look random and are the same each time: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A project has some hundred files, of which most are named again and again. */
const fileNouns = 12;

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

interface Words {
  noun: () => string;
  verb: () => string;
  file: () => string;
  number: (most: number) => number;
}

function createWords(random: () => number): Words {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  // Two of five are names of code: "invoiceQueue".
  const noun = () => (random() < 0.6 ? pick(nouns) : `${pick(nouns)}${capitalize(pick(nouns))}`);
  const part = () => pick(nouns.slice(0, fileNouns));
  return {
    noun,
    verb: () => pick(verbs),
    file: () => `${pick(folders)}/${part()}/${part()}.ts`,
    number: (most) => 1 + Math.floor(random() * most),
  };
}

const asked: readonly ((words: Words) => string)[] = [
  ({ verb, noun }) => `Can you ${verb()} the ${noun()} when the ${noun()} changes? It takes too long right now.`,
  ({ noun, number }) => `Let's keep the ${noun()} in the ${noun()} and set the limit to ${number(900)} per ${noun()}.`,
  ({ noun }) => `Hm, I looked at the ${noun()} yesterday and the ${noun()} still shows the old ${noun()}. Why is that?`,
  ({ noun, file }) => `The ${noun()} should use the ${noun()} instead of the ${noun()}, see ${file()}.`,
  ({ noun }) => `Not now, the ${noun()} can wait until the ${noun()} is done.`,
  () => 'Yes, go ahead.',
  () => 'run the tests and show me what fails',
];

const told: readonly ((words: Words) => string)[] = [
  ({ verb, noun, file }) =>
    `I'll ${verb()} the ${noun()} first. Let me read \`${file()}\` and see how the ${noun()} works.`,
  ({ noun, file }) =>
    `The ${noun()} comes from \`${file()}\`, which builds a ${noun()} for each ${noun()} and passes it to the ${noun()}. That explains why the ${noun()} is read twice.`,
  ({ noun, number }) =>
    `All ${number(400)} tests pass now. The ${noun()} took ${number(90)} ms before and ${number(9)} ms after the change.`,
  ({ noun, file }) =>
    `## What changed\n\n- \`${file()}\`: the ${noun()} is built once\n- \`${file()}\`: new ${noun()} for the ${noun()}\n- **One ${noun()} per ${noun()}** rather than one for all, so that a ${noun()} can be dropped alone`,
  ({ noun }) =>
    `One thing I noticed: the ${noun()} could fail when the ${noun()} is empty, and I couldn't test that without a real ${noun()}.`,
  ({ noun }) =>
    `\`\`\`ts\nexport function read${noun()}(${noun()}: string): ${noun()} | undefined {\n  const ${noun()} = table.get(${noun()});\n  return ${noun()} === undefined ? undefined : { ...${noun()}, seen: true };\n}\n\`\`\``,
  ({ noun }) =>
    `There are two ways:\n\n1. **Move the ${noun()}** into the ${noun()}, which keeps the ${noun()} small.\n2. **Leave it** and add a ${noun()} in front.\n\nI'd recommend the first. Want me to do that?`,
  ({ noun }) =>
    `The ${noun()} and the ${noun()} are read together, and the ${noun()} is written once a minute. When somebody opens the ${noun()}, the ${noun()} asks for the last ${noun()} and shows it beside the ${noun()}.`,
];

/** Messages of user and assistant alternately, the user first, until they have about this many characters of text; generated on demand. */
export function* createMessages(characters: number, seed = 1): Generator<Message> {
  const random = createRandom(seed);
  const words = createWords(random);
  const say = (kinds: typeof asked) => kinds[Math.floor(random() * kinds.length)]?.(words) ?? '';
  let made = 0;
  for (let index = 0; made < characters; index += 1) {
    const isUser = index % 2 === 0;
    const parts = isUser ? [say(asked)] : Array.from({ length: 4 + words.number(8) }, () => say(told));
    const text = parts.join('\n\n');
    made += text.length;
    yield { index, role: isUser ? 'user' : 'assistant', text, tool_calls: [] };
  }
}

/** A conversation of about this many characters. */
export function createConversation(characters: number): Conversation {
  return { ...emptyConversation, messages: [...createMessages(characters)] };
}

/** A conversation of so many messages. */
export function createShortConversation(messages: number): Conversation {
  const all: Message[] = [];
  for (const message of createMessages(Number.POSITIVE_INFINITY)) {
    if (all.push(message) === messages) break;
  }
  return { ...emptyConversation, messages: all };
}

const emptyConversation: Conversation = {
  host: 'messages',
  messages: [],
  unread: { lines: 0, reasons: {} },
  masked: {},
};
