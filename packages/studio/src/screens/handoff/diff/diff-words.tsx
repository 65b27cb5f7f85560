import { Fragment, type ReactNode } from 'react';
import { showHidden } from '../../../../../batonpass/src/core/hidden-characters.ts';
import { diffLines, diffWords } from './line-diff.ts';

interface DiffLineProps {
  kind: keyof typeof signs;
  /** Its element. Default: an entry of a list. */
  as?: 'li' | 'p';
  children: ReactNode;
}

/** A line of a comparison with its kind as a sign and a word: colour is never the only distinction. */
export function DiffLine({ kind, as: Line = 'li', children }: DiffLineProps) {
  return (
    <Line className="diff-line" data-kind={kind}>
      <span className="diff-kind">
        <span aria-hidden="true">{signs[kind]}</span>
        {kind === 'same' ? null : <span className="diff-kind-word"> {kind}</span>}
      </span>
      {children}
    </Line>
  );
}

const signs = { same: ' ', added: '+', removed: '−', changed: '±' } as const;

/** A text that was added or removed as a whole: its line shows which. */
export function WholeWords({ kind, words }: { kind: 'added' | 'removed'; words: string }) {
  const text = showHidden(words);
  return <span className="diff-words">{kind === 'added' ? <ins>{text}</ins> : <del>{text}</del>}</span>;
}

/** A reworded sentence: removed and added words are marked within it, for screen readers by words. */
export function ChangedWords({ before, after }: { before: string; after: string }) {
  const parts = diffWords(before, after);
  return (
    <span className="diff-words">
      {parts.map(({ kind, text }, place) => {
        if (kind === 'same') return <span key={place}>{showHidden(shorten(text, place, parts.length))}</span>;
        const words = text.trimEnd();
        // A mark ends with its word: the space between two words is not marked.
        const space = text.slice(words.length) || (parts[place + 1]?.kind === 'added' ? ' ' : '');
        const [lead, end] = kind === 'added' ? ['added: ', ' end of added. '] : ['removed: ', ' end of removed. '];
        const Mark = kind === 'added' ? 'ins' : 'del';
        return (
          <Fragment key={place}>
            <Mark>
              <span className="baton-unseen">{lead}</span>
              {showHidden(words)}
              <span className="baton-unseen">{end}</span>
            </Mark>
            {space}
          </Fragment>
        );
      })}
    </span>
  );
}

/** How many unchanged characters are shown on either side of a change; the rest of a long text is left out. */
const AROUND = 160;

/** An unchanged text, without the part far from any change. */
function shorten(text: string, place: number, count: number): string {
  const behind = place === 0 ? '' : `${text.slice(0, AROUND)} `;
  const before = place === count - 1 ? '' : ` ${text.slice(-AROUND)}`;
  return behind.length + before.length >= text.length ? text : `${behind}…${before}`;
}

/** A text of several lines, line by line. */
export function ChangedLines({ before, after }: { before: string; after: string }) {
  return (
    <ol className="diff-lines">
      {diffLines(before, after).flatMap((part, place) =>
        part.text.split('\n').map((line, index) => (
          <DiffLine key={`${place}/${index}`} kind={part.kind}>
            {part.kind === 'same' ? (
              <span className="diff-words">{showHidden(line)}</span>
            ) : (
              <WholeWords kind={part.kind} words={line} />
            )}
          </DiffLine>
        )),
      )}
    </ol>
  );
}
