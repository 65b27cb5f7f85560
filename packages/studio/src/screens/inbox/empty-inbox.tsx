import { navigate } from '../../shell/router.ts';
import { addressOf, hasSome, type Tab, tabs, type View } from './tabs.ts';
import type { TabCounts } from './use-counts.ts';

interface EmptyInboxProps {
  view: View;
  counts: TabCounts;
}

/** What a list without rows says: why, and where there is something. */
export function EmptyInbox({ view, counts }: EmptyInboxProps) {
  const { tab, typed } = view;
  if (typed !== '') return <NoMatch view={view} counts={counts} />;
  if (tab === undefined) return null;
  return (
    <div className="baton-empty">
      <p className="baton-empty-title">{tab.empty}</p>
      <p className="baton-hint">{tab.hint}</p>
      <Elsewhere view={view} counts={counts} />
      {tab.name === 'drafts' ? <a href="/import">Import a conversation</a> : null}
      {tab.name === 'open' ? (
        <p>
          From a terminal: <code>baton create --summary "What comes next"</code>
        </p>
      ) : null}
    </div>
  );
}

function NoMatch({ view, counts }: EmptyInboxProps) {
  const { tab, filter } = view;
  const { text, file, scope, ...others } = filter;
  const reasons = [
    ...(text === undefined ? [] : ['Words are looked for in titles and summaries, not in the content.']),
    ...(file === undefined ? [] : ['file: takes the beginning of a path, as the handoff names it.']),
    ...(scope === undefined ? [] : ['Handoffs without a scope do not answer scope:.']),
    ...(Object.keys(others).length === 0 ? [] : ['Names are compared whole, and capitals count.']),
  ];
  return (
    <div className="baton-empty">
      <p className="baton-empty-title">
        {tab === undefined ? 'No handoffs match' : `No handoffs match in “${tab.title}”`}
      </p>
      {reasons.map((reason) => (
        <p key={reason} className="baton-hint">
          {reason}
        </p>
      ))}
      <Elsewhere view={view} counts={counts} />
      <button type="button" className="baton-button" onClick={() => navigate(addressOf(tab ?? (tabs[0] as Tab), ''))}>
        Clear filters
      </button>
    </div>
  );
}

/** The other tabs in which the same filter finds something. */
function Elsewhere({ view: { tab, typed }, counts }: EmptyInboxProps) {
  const others = tabs.filter(({ name }) => name !== tab?.name && name !== 'needs' && hasSome(counts[name]));
  if (others.length === 0) return typed === '' ? null : <p className="baton-hint">No other tab has a match either.</p>;
  return (
    <p>
      {others.map((other, index) => (
        <span key={other.name}>
          {index === 0 ? 'There is: ' : ' · '}
          <a href={addressOf(other, typed)}>
            {counts[other.name]} in “{other.title}”
          </a>
        </span>
      ))}
    </p>
  );
}
