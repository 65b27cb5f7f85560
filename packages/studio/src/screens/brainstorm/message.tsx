import type { UIMessage } from 'ai';
import { memo } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { normalize } from '../../../../batonpass/src/extraction/merge-extractions.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { textOf, toolsOf } from './messages.ts';
import { type Block, parseBlocks, parseInline } from './parse-markdown.ts';

/** The actions on a message. */
export interface MessageActs {
  pin: (message: UIMessage) => void;
  copy: (message: UIMessage) => void;
  quote: (message: UIMessage) => void;
  /** Makes it the message that keys act on. */
  choose: (id: string) => void;
}

interface MessageProps {
  message: UIMessage;
  /** Its number as in evidence: from 0. */
  number: number;
  /** The pinned texts, as `normalize` returns them. */
  pins: ReadonlySet<string>;
  /** Whether the Tab key stops at it. */
  isChosen: boolean;
  /** Whether it is still streaming. */
  isGrowing: boolean;
  acts: MessageActs;
}

const speakers = { user: 'You', assistant: 'Assistant', system: 'System' } as const;

/** A message in the list, with its row of actions: shown where it is pointed at, chosen, or touched. */
export const MessageView = memo(({ message, number, pins, isChosen, isGrowing, acts }: MessageProps) => {
  const { id, role } = message;
  const text = textOf(message);
  const isPinned = pins.has(normalize(text));
  const tools = toolsOf(message);
  const tabIndex = isChosen ? 0 : -1;
  return (
    <li className="brainstorm-item" data-role={role}>
      <article
        className="brainstorm-message"
        data-message={id}
        aria-label={`Message ${number}, ${speakers[role]}`}
        aria-busy={isGrowing}
        tabIndex={tabIndex}
        onFocus={() => acts.choose(id)}
      >
        <p className="brainstorm-who">
          <span>{speakers[role]}</span> <span className="brainstorm-number">{number}</span>
          {isPinned ? <span className="baton-label brainstorm-pinned">PINNED</span> : null}
        </p>
        <div className="brainstorm-words">
          <Markdown text={text} />
        </div>
        {tools.length === 0 ? null : <Tools tools={tools} />}
        {isGrowing ? null : <ActionRow {...{ message, number, isPinned, tabIndex, acts }} />}
      </article>
    </li>
  );
});

type ActionRowProps = Pick<MessageProps, 'message' | 'number' | 'acts'> & { isPinned: boolean; tabIndex: number };

function ActionRow({ message, number, isPinned, tabIndex, acts }: ActionRowProps) {
  const shared = {
    look: 'quiet',
    tabIndex,
    // Keeps the selection that is to be pinned or quoted.
    onMouseDown: (event: React.MouseEvent) => event.preventDefault(),
  } as const;
  return (
    <fieldset className="brainstorm-acts" aria-label={`Message ${number}`}>
      <Button {...shared} label="Pin" hotkey="P" aria-pressed={isPinned} onClick={() => acts.pin(message)} />
      <Button {...shared} label="Copy" hotkey="C" onClick={() => acts.copy(message)} />
      <Button {...shared} label="Quote" hotkey="R" onClick={() => acts.quote(message)} />
    </fieldset>
  );
}

function Tools({ tools }: { tools: readonly string[] }) {
  return (
    <details className="brainstorm-tools">
      <summary>{tools.length === 1 ? 'One tool' : `${tools.length} tools`}</summary>
      <ul>
        {tools.map((each, index) => (
          <li key={index}>
            <code>{showHidden(each)}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Markdown as plain, safe elements: no HTML, no images, and a link as its text and its target. */
const Markdown = memo(({ text }: { text: string }) => (
  <>
    {parseBlocks(showHidden(text)).map((block, index) => (
      <BlockView key={index} block={block} />
    ))}
  </>
));

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'rule') return <hr />;
  if (block.kind === 'list') return <ListView block={block} />;
  if (block.kind === 'code') {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable code must be reachable by keyboard.
      <pre tabIndex={0} dir="ltr">
        <code>{block.text}</code>
      </pre>
    );
  }
  const words = <Inline text={block.text} />;
  if (block.kind === 'heading') return <p className="brainstorm-heading">{words}</p>;
  return block.kind === 'quote' ? <blockquote>{words}</blockquote> : <p dir="auto">{words}</p>;
}

function ListView({ block }: { block: Extract<Block, { kind: 'list' }> }) {
  const entries = block.entries.map(({ text, depth }, index) => (
    <li key={index} className={depth > 0 ? 'brainstorm-deeper' : undefined} dir="auto">
      <Inline text={text} />
    </li>
  ));
  return block.start === null ? <ul>{entries}</ul> : <ol start={block.start}>{entries}</ol>;
}

function Inline({ text }: { text: string }) {
  return parseInline(text).map(({ kind, text: words }, index) => {
    const key = `${index}`;
    if (kind === 'code') return <code key={key}>{words}</code>;
    if (kind === 'strong') return <strong key={key}>{words}</strong>;
    if (kind === 'emphasis') return <em key={key}>{words}</em>;
    return words;
  });
}
