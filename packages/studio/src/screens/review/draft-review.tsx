import { HandoffReview } from 'batonpass/react';
import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { planAgentName } from '../../../../batonpass/src/brainstorm/planning/plan-agent-name.ts';
import type { Evidence } from '../../../../batonpass/src/core/evidence.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { ReviewProblem } from '../../../../batonpass/src/react/find-problems.ts';
import type { ReviewCommand } from '../../../../batonpass/src/react/review-commands.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { announceFailure, announcements } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import { preferences } from '../../shell/preferences.ts';
import { navigate } from '../../shell/router.ts';
import { ReadingProgress } from '../import/reading-progress.tsx';
import { Approval, type Shown } from './approval.tsx';
import { ClosedUnderReview } from './closed-draft.tsx';
import { Conflicts } from './conflicts.tsx';
import { type Found, useConversation } from './conversation.ts';
import type { SyncState } from './draft-sync.ts';
import { EvidenceDialog } from './evidence-dialog.tsx';
import { EvidencePane } from './evidence-pane.tsx';
import { SavedState } from './saved-state.tsx';
import { showText } from './show-text.ts';
import { useChangedAt } from './use-age.ts';
import { type ReviewedDraft, useDraftSync } from './use-draft-sync.ts';
import { type ExtractingAgain, useExtractAgain } from './use-extract-again.ts';
import { describeFiles, useFileNotes } from './use-file-notes.ts';

/** A draft under review, and before its approval the text that it becomes. */
export function DraftReview({ loaded }: { loaded: Handoff }) {
  const draft = useDraftSync(loaded);
  const state = useStore(draft.sync.state);
  const [shown, setShown] = useState<Shown | null>(null);
  const { handoff } = state;
  const show = async () => setShown(await showText(draft));
  if (shown === null) return <Reviewing draft={draft} state={state} onShow={show} />;
  return (
    <Approval
      shown={shown}
      isStale={handoff.content_sha256 !== shown.handoff.content_sha256}
      onBack={() => setShown(null)}
      onShowAgain={() => show().catch(() => setShown(null))}
      onApproved={() => {
        draft.sync.close();
        navigate(isForPlanner(handoff) ? `/run/${handoff.id}` : `/h/${handoff.id}`);
      }}
    />
  );
}

/** The lists of a draft, and all that is known beside them. */
function Reviewing({ draft, state, onShow }: { draft: ReviewedDraft; state: SyncState; onShow: () => Promise<void> }) {
  const { store, sync } = draft;
  const { handoff, phase } = state;
  const canUndo = useStore(announcements, ({ undos }) => undos.length > 0);
  const singleKeys = useStore(preferences, ({ hasSingleKeys }) => hasSingleKeys);
  const found = useConversation(handoff.content.origin);
  const again = useExtractAgain(draft, found);
  const changedAt = useChangedAt(draft);
  const fileNotes = useFileNotes(draft);
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  const [commands, setCommands] = useState<readonly ReviewCommand[]>([]);
  const showEvidence = useCallback((_subject: unknown, wanted: Evidence) => setEvidence(wanted), []);
  useKeys('Review', commands);
  return (
    <div className="flow-review">
      <header className="flow-head">
        <h1 className="flow-title" dir="auto">
          {showHidden(handoff.content.title)}
        </h1>
        <p className="flow-way">
          <a href={`/h/${handoff.id}`}>The handoff</a>
          {handoff.delivery.content_revision > 1 ? (
            <a href={`/h/${handoff.id}?tab=diff&against=edits`}>What was edited</a>
          ) : null}
        </p>
      </header>
      {phase === 'closed' ? (
        <ClosedUnderReview handoff={handoff} store={store} />
      ) : (
        <SavedState state={state} sync={sync} />
      )}
      <Conflicts store={store} sync={sync} />
      <div inert={phase === 'closed'}>
        <HandoffReview
          store={store}
          singleKeys={singleKeys}
          onBack={wayBack(found)}
          {...(isForPlanner(handoff) ? {} : { wayOn: toApproval })}
          onUndo={draft.undo}
          canUndo={canUndo}
          onStartPlanning={onShow}
          onExtractAgain={() => void again.begin()}
          isExtracting={again.isExtracting}
          extracting={<ExtractionProgress {...again} />}
          failure={again.failure}
          {...latest(changedAt, again.checkedAt)}
          problems={listProblems(
            state,
            describeFiles(
              fileNotes,
              handoff.content.files.map(({ id }) => id),
            ),
          )}
          fileNotes={fileNotes}
          onShowEvidence={showEvidence}
          onCommands={setCommands}
          renderInspector={(subject) => (
            <EvidencePane subject={subject} store={store} found={found} fileNotes={fileNotes} onShow={showEvidence} />
          )}
        />
      </div>
      {evidence === null ? null : (
        <EvidenceDialog evidence={evidence} found={found} store={store} onClose={() => setEvidence(null)} />
      )}
    </div>
  );
}

/** Whether the planner gets a draft: one that is for nobody yet becomes his. */
function isForPlanner({ content: { target_agent } }: Handoff): boolean {
  return target_agent === undefined || target_agent === planAgentName;
}

/** Whoever else gets a draft needs no decision in it. */
const toApproval = { label: 'Show what is approved', needsDecision: false };

/** How far a second extraction is, with its end. */
function ExtractionProgress({ isExtracting, progress, cancel }: ExtractingAgain) {
  const what = isExtracting ? 'Reading the conversation again…' : '';
  return <ReadingProgress what={what} progress={progress} hasKey={false} onCancel={cancel} />;
}

/** Back to the brainstorm that the draft was made of; without one to the list of those that there are. */
function wayBack(found: Found): () => void {
  if (found === null || found === 'looking') return () => navigate('/b');
  return () => {
    found.open().then(navigate, (error: unknown) => {
      announceFailure(describeProblem(error));
      navigate('/b');
    });
  };
}

/** When a draft changed, or was found to say what its conversation says, whichever was later. */
function latest(changedAt: string | undefined, checkedAt: string | undefined): { changedAt?: string } {
  const [last] = [changedAt ?? '', checkedAt ?? ''].sort((a, b) => (Date.parse(b) || 0) - (Date.parse(a) || 0));
  return last === undefined || last === '' ? {} : { changedAt: last };
}

/** What keeps a draft from being planned, or should be looked at before. */
function listProblems({ phase, conflicts }: SyncState, files: string | null): ReviewProblem[] {
  const count = conflicts.length;
  return [
    ...(phase === 'failed' ? [{ text: 'The draft is not saved: see above.', isBlocking: true }] : []),
    ...(count === 0
      ? []
      : [
          {
            text: `${count === 1 ? 'One choice' : `${count} choices`} between your words and theirs.`,
            isBlocking: true,
          },
        ]),
    ...(files === null ? [] : [{ text: files, isBlocking: false }]),
  ];
}
