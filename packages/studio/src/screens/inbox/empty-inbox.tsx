import { navigate } from '../../shell/router.ts';
import type { Tab } from './tabs.ts';

/** What a tab without rows says: what would stand there, and how it comes about. */
export function EmptyInbox({ tab, isFiltered }: { tab: Tab; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <div className="baton-empty">
        <p className="baton-empty-title">No handoffs match</p>
        <button type="button" className="baton-button" onClick={() => navigate(`/inbox?tab=${tab.name}`)}>
          Clear filters
        </button>
      </div>
    );
  }
  return (
    <div className="baton-empty">
      <p className="baton-empty-title">{tab.empty}</p>
      <p className="baton-hint">{tab.hint}</p>
      {tab.name === 'drafts' ? <a href="/import">Import a conversation</a> : null}
      {tab.name === 'open' ? (
        <p>
          From a terminal: <code>baton create “What comes next”</code>
        </p>
      ) : null}
    </div>
  );
}
