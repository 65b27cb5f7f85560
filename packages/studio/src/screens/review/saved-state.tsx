import type { DraftSync, SyncState } from './draft-sync.ts';

/** Whether the server has what the screen shows. A failure is said at once; that it is saved is only shown. */
export function SavedState({ state, sync }: { state: SyncState; sync: DraftSync }) {
  const { phase, reason, conflicts } = state;
  return (
    <div className="flow-saved" data-phase={phase}>
      <div role="alert">{phase === 'failed' ? <p className="flow-fault">Not saved: {reason}</p> : null}</div>
      {phase === 'failed' ? (
        <button type="button" className="baton-button baton-small" onClick={() => void sync.save()}>
          Save now
        </button>
      ) : (
        <p className="baton-hint">{wordsOf(state)}</p>
      )}
      {conflicts.length === 0 ? null : (
        <button type="button" className="baton-button baton-small" onClick={showFirstConflict}>
          {conflicts.length === 1 ? '1 choice to make' : `${conflicts.length} choices to make`}
        </button>
      )}
    </div>
  );
}

/** Words that wait for a choice, or came too late, are not saved. */
function wordsOf({ phase, conflicts }: SyncState): string {
  if (phase === 'saving') return 'Saving…';
  return phase === 'saved' && conflicts.length === 0 ? 'Saved' : '';
}

function showFirstConflict(): void {
  document.querySelector<HTMLElement>('.flow-conflict button')?.focus();
}
