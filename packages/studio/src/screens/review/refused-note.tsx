import type { Content } from '../../../../batonpass/src/core/content.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { count } from '../import/use-import.ts';

/** What the extraction named and was not believed: counted, and to be looked at. */
export function RefusedNote({ origin }: Pick<Content, 'origin'>) {
  const refused = origin?.refused ?? [];
  if (refused.length === 0) return null;
  const paths = refused.filter(({ kind }) => kind === 'path').map(({ content }) => content);
  const quotes = refused.filter(({ kind }) => kind === 'quote').map(({ content }) => content);
  return (
    <details className="review-refused">
      <summary>Refused: {describeRefused(paths.length, quotes.length)}</summary>
      <Refused why="Leads out of the project, so that no receiver is sent there:" texts={paths} />
      <Refused why="Nobody said it in the conversation, so that nothing rests on it:" texts={quotes} />
    </details>
  );
}

function describeRefused(paths: number, quotes: number): string {
  return [paths > 0 ? count(paths, 'path') : '', quotes > 0 ? count(quotes, 'quote') : ''].filter(Boolean).join(', ');
}

function Refused({ why, texts }: { why: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <p>{why}</p>
      <ul>
        {texts.map((text) => (
          <li key={text} dir="auto">
            {showHidden(text)}
          </li>
        ))}
      </ul>
    </>
  );
}
