import { type KeyLine, otherKeyLines, singleKeyLines } from './use-review-keys.ts';

/** The keys of the review, folded away: made of the lists that stand beside the commands. */
export function KeyHelp({ isSingle }: { isSingle: boolean }) {
  const lines: readonly KeyLine[] = isSingle ? [...singleKeyLines, ...otherKeyLines] : otherKeyLines;
  return (
    <details className="baton-keys">
      <summary>Keys</summary>
      <dl>
        {lines.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
