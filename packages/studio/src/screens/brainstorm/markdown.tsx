import { memo } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { type Block, parseBlocks, parseInline } from './parse-markdown.ts';

/** Markdown as plain, safe marks: no HTML, no images, and of a link its words and where it would lead. */
export const Markdown = memo(({ text }: { text: string }) => (
  <>
    {parseBlocks(showHidden(text)).map((block, index) => (
      <BlockView key={index} block={block} />
    ))}
  </>
));

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls must be reached by the keyboard.
        <pre tabIndex={0} dir="ltr">
          <code>{block.text}</code>
        </pre>
      );
    case 'rule':
      return <hr />;
    case 'heading':
      return (
        <p className="brainstorm-heading">
          <Inline text={block.text} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <Inline text={block.text} />
        </blockquote>
      );
    case 'list':
      return <ListView block={block} />;
    default:
      return (
        <p dir="auto">
          <Inline text={block.text} />
        </p>
      );
  }
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
