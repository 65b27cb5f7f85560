import { navigate } from '../../shell/router.ts';
import { addressOf, tabs, type View } from './tabs.ts';

/** What a list without rows says: what would stand there, and how it comes about. */
export function EmptyInbox({ view: { tab, typed } }: { view: View }) {
  const [first] = tabs;
  const shown = tab ?? first;
  if (shown === undefined) return null;
  if (typed !== '') {
    return (
      <div className="baton-empty">
        <p className="baton-empty-title">No handoffs match</p>
        <button type="button" className="baton-button" onClick={() => navigate(addressOf(shown, ''))}>
          Clear filters
        </button>
      </div>
    );
  }
  return (
    <div className="baton-empty">
      <p className="baton-empty-title">{shown.empty}</p>
      <p className="baton-hint">{shown.hint}</p>
      {shown.name === 'drafts' ? <a href="/import">Import a conversation</a> : null}
      {shown.name === 'open' ? (
        <p>
          From a terminal: <code>baton create --summary "What comes next"</code>
        </p>
      ) : null}
    </div>
  );
}
