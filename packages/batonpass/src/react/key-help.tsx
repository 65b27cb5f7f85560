import { keyCommands } from './review-commands.ts';
import { useReviewParts } from './review-context.ts';
import { isSingleKey } from './use-review-keys.ts';

/** The keys of the review, folded away: made of the list that the keyboard goes by. */
export function KeyHelp({ isSingle }: { isSingle: boolean }) {
  const { hasEvidence } = useReviewParts();
  const there = keyCommands.filter(({ keys }) => (isSingle || !isSingleKey(keys)) && (hasEvidence || keys !== 'v'));
  const lines = Map.groupBy(there, ({ does }) => does);
  return (
    <details className="baton-keys">
      <summary>Keys</summary>
      <dl>
        {[...lines].map(([does, all]) => (
          <div key={does}>
            <dt>
              <kbd>{all.map(({ keys }) => describeKeys(keys)).join('  ')}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const signs: Readonly<Record<string, string>> = { Mod: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };

function describeKeys(keys: string): string {
  return keys
    .split('+')
    .map((key) => signs[key] ?? (key.length === 1 ? key.toUpperCase() : key))
    .join('+');
}
