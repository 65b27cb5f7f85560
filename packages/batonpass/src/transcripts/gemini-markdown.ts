import type { Conversation } from '../core/conversation.ts';
import { MarkdownFence } from '../formats/markdown-fence.ts';
import { removeBlocks } from './claude-code-text.ts';
import { GeminiReader } from './gemini-cli.ts';
import { asObject, asText, type JsonObject, parseLine } from './json-value.ts';
import { joinPart } from './role-headings.ts';
import type { ReadLine, TranscriptReader } from './transcript-reader.ts';
import { countUnread } from './unread.ts';

/** Above a part; older versions write the sign first, and the sign may lack its joiner. */
const heading = /^(?:## USER 🧑\u200D?💻|🧑\u200D?💻 ## USER|(?<model>## MODEL ✨|✨ ## MODEL))\s*$/u;

/** Whether a line is a heading of what Gemini CLI's `/chat share` writes. */
export function opensGeminiMarkdown(line: string): boolean {
  return heading.test(line);
}

/** Around the files that a prompt names: one of them may be such a Markdown, with headings of its own. */
const quoted = { opens: '--- Content from referenced files ---', ends: '--- End of content ---' } as const;

/**
 * Takes the lines of the Markdown that Gemini CLI's `/chat share` writes. Each part becomes rows of a chat file, so that
 * both are read alike. A result belongs to the call of the same name and place: calls seldom have an id there.
 */
export class GeminiMarkdownReader implements TranscriptReader {
  private readonly rows = new GeminiReader();
  private readonly fence = new MarkdownFence();
  private role: 'user' | 'model' | undefined;
  private lines: string[] = [];
  /** The last line that was not blank. */
  private before = '';
  /** How many lists of referenced files are open, one within another; undefined after one without an end. */
  private depth: number | undefined = 0;
  /** The person's last prompt, until the agent answers: the host repeats it where no answer came. */
  private asked = '';
  /** The calls of the agent's last part with calls, by their name, and how many of them have a result. */
  private readonly waiting = new Map<string, { calls: JsonObject[]; answered: number }>();
  private rowCount = 0;

  addLine(line: ReadLine): void {
    const { text } = line;
    if (text === undefined) {
      this.rows.addLine(line);
      return;
    }
    const isWithin = this.isQuoted(text) || (this.fence.isOpen && this.before !== '---');
    const begun = isWithin ? null : heading.exec(text);
    if (begun !== null) {
      this.endPart();
      this.role = begun.groups?.model === undefined ? 'user' : 'model';
    } else if (this.role !== undefined) {
      this.fence.read(text);
      this.lines.push(text);
    } else if (text.trim() !== '') countUnread(this.rows.unread, 'text before the first speaker');
    if (text.trim() !== '') this.before = text.trim();
  }

  async finish(): Promise<Conversation> {
    if (this.depth !== undefined && this.depth > 0) {
      // Without an end of the list, the headings below it are those of parts.
      this.depth = undefined;
      this.fence.reset();
      for (const text of this.lines.splice(0)) this.addLine({ text, ended: true });
    }
    this.endPart();
    return await this.rows.finish();
  }

  private isQuoted(line: string): boolean {
    if (this.role !== 'user' || this.depth === undefined) return false;
    if (line === quoted.opens) this.depth += 1;
    else if (line.startsWith(quoted.ends)) this.depth = Math.max(0, this.depth - 1);
    return this.depth > 0;
  }

  private endPart(): void {
    const text = joinPart(this.lines);
    this.lines = [];
    this.fence.reset();
    if (this.role === 'model') this.readAnswer(text);
    else if (this.role === 'user') this.readPrompt(text);
  }

  private readAnswer(text: string): void {
    this.asked = '';
    const parts = splitPart(text, 'Command');
    if (parts.length > 1) this.waiting.clear();
    for (const part of parts) {
      if ('json' in part) this.call(part.json);
      else {
        const content = withoutThoughts(part.text).trim();
        if (!acknowledgement.test(content)) this.addRow({ type: 'gemini', content });
      }
    }
  }

  /** What the person typed or the host says, or what tools gave: below that the host adds the files that they read. */
  private readPrompt(text: string): void {
    const [first, ...rest] = splitPart(text, 'Response');
    if (first !== undefined && 'text' in first) this.say(first.text);
    for (const part of rest) if ('json' in part) this.conclude(part.json);
  }

  private say(given: string): void {
    const text = removeBlocks(given, 'system-reminder')
      .replace(/<hook_context>[^<]*<\/hook_context>\s*$/, '')
      .trim()
      .replace(/^```(?:xml)?\n(<state_snapshot>[\s\S]*)\n```$/, '$1');
    if (text === '' || text === this.asked) return;
    this.asked = text;
    // The host's first message and the summary of a compression are the model's view in a chat file, too.
    this.rows.readRow({ $set: { messages: [{ id: `view ${this.rowCount}`, type: 'user', content: text }] } });
    this.addRow({ type: 'user', content: text.split('\n').map((line) => ({ text: line })), displayContent: text });
  }

  private call(json: string): void {
    const block = this.readBlock(json);
    if (block === undefined) return;
    const call = { id: `call ${this.rowCount}`, name: block.name, args: block.args };
    const waiting = this.waiting.get(block.name) ?? { calls: [], answered: 0 };
    waiting.calls.push(call);
    this.waiting.set(block.name, waiting);
    this.addRow({ type: 'gemini', toolCalls: [call] });
  }

  private conclude(json: string): void {
    const block = this.readBlock(json);
    const waiting = this.waiting.get(block?.name ?? '');
    if (block === undefined || waiting === undefined) return;
    const call = waiting.calls[waiting.answered];
    waiting.answered += 1;
    if (call === undefined) return;
    this.addRow({ type: 'gemini', toolCalls: [{ ...call, result: [{ functionResponse: block }] }] });
    const failure = asText(asObject(block.response)?.error) ?? '';
    if (failure.startsWith('[Operation Cancelled]')) this.addRow({ type: 'info', content: 'Request cancelled.' });
  }

  /** The object in a block; of one that is cut its name alone. */
  private readBlock(json: string): (JsonObject & { name: string }) | undefined {
    const block = asObject(parseLine(json));
    if (block === undefined) countUnread(this.rows.unread, 'block of a tool is not JSON');
    const name = asText(block?.name) ?? /^ {2}"name": "(?<name>[^"\n]{1,100})"/m.exec(json.slice(0, 500))?.groups?.name;
    return name === undefined ? undefined : { ...block, name };
  }

  private addRow(row: JsonObject): void {
    this.rowCount += 1;
    this.rows.readRow({ ...row, id: `row ${this.rowCount}` });
  }
}

/** What the host writes in the model's name, below its own first message and below the summary of a compression. */
const acknowledgement = /^Got it\. Thanks for the (?:additional )?context!$/;

const blockStarts = {
  Command: /\*\*Tool Command\*\*:\n{1,2}```json(?=\n|$)/g,
  Response: /\*\*Tool Response\*\*:\n{1,2}```json(?=\n|$)/g,
} as const;

/** A part's texts and blocks in order, the first a text; within a block no line begins with a fence, as JSON has no line feed in a text. */
function splitPart(text: string, label: keyof typeof blockStarts): ({ text: string } | { json: string })[] {
  const parts: ({ text: string } | { json: string })[] = [];
  let from = 0;
  for (const opened of text.matchAll(blockStarts[label])) {
    const start = opened.index + opened[0].length;
    const end = text.indexOf('\n```', start);
    parts.push({ text: text.slice(from, opened.index) }, { json: text.slice(start, end === -1 ? undefined : end) });
    from = end === -1 ? text.length : end + '\n```'.length;
  }
  return [...parts, { text: text.slice(from) }];
}

/** How the first thought of an answer begins: its title, and what the model does. */
const thought = /^\s*\*\*\p{Lu}[\p{L}'-]{1,40}ing [^*\n]{1,100}\*\* (?:I'm|I am|I've|I have|My) /u;
/** Where a further thought begins, right behind the one before. */
const furtherThought = /(?<=[.!?)`"])\*\*[^*\n]{2,100}\*\* /g;
/** Where the answer begins, right behind the last thought. */
const answerStart = /(?<=[\p{Ll}\p{N}`)"][.!?])(?=[\p{Lu}\p{Lo}])/u;

/** An answer without the thoughts that newer versions write before it on its first line. */
function withoutThoughts(text: string): string {
  const first = thought.exec(text);
  if (first === null) return text;
  const lineEnd = text.indexOf('\n', first[0].length);
  const line = text.slice(0, lineEnd === -1 ? undefined : lineEnd);
  const from = [...line.matchAll(furtherThought)].at(-1)?.index ?? 0;
  const start = line.slice(from).search(answerStart);
  return text.slice(start === -1 ? line.length : from + start);
}
