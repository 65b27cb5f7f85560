import { HandoffReview } from 'batonpass/react';
import { Fragment, useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Content } from '../../../../batonpass/src/core/content.ts';
import { describeDrift, type FileDrift, hasDrifted } from '../../../../batonpass/src/core/drift.ts';
import type { Evidence } from '../../../../batonpass/src/core/evidence.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { planAgentName } from '../../../../batonpass/src/draft/plan-agent-name.ts';
import { toProjectPath } from '../../../../batonpass/src/extraction/file-path.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import type { FileNote } from '../../../../batonpass/src/react/file-note.ts';
import type { ReviewProblem } from '../../../../batonpass/src/react/find-problems.ts';
import type { WayOn } from '../../../../batonpass/src/react/handoff-review.tsx';
import type { ReviewCommand } from '../../../../batonpass/src/react/review-commands.ts';
import { call } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useLoaded } from '../../server/use-live.ts';
import { announce, announceFailure, announcements } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import { preferences } from '../../shell/preferences.ts';
import { navigate, useRoute } from '../../shell/router.ts';
import { count } from '../../shown/count.ts';
import { useMedia } from '../../shown/use-media.ts';
import { ReadingProgress } from '../import/reading-progress.tsx';
import { approveShown, planApproved, showText } from './approve-shown.ts';
import { ClosedUnderReview } from './closed-draft.tsx';
import { Conflicts } from './conflicts.tsx';
import { type FoundConversation, useConversation } from './conversation.ts';
import type { DraftSync, SyncState } from './draft-sync.ts';
import { EvidenceDialog } from './evidence-dialog.tsx';
import { EvidencePane } from './evidence-pane.tsx';
import { ToldPane, ToldScreen, toldOf } from './told-screen.tsx';
import { type ReviewedDraft, type SyncedDraft, useDraftSync } from './use-draft-sync.ts';
import { type ExtractingAgain, useExtractAgain } from './use-extract-again.ts';

/** A draft under review, or at `?step=told` the text for its receiver. */
export function DraftReview({ loaded }: { loaded: Handoff }) {
  const draft = useDraftSync(loaded);
  const state = useStore(draft.sync.state);
  const isTold = useRoute().query.get('step') === 'told';
  const { handoff } = state;
  const onApproved = async (plans: boolean) => {
    draft.sync.close();
    if (plans) await planApproved(handoff.id);
    else navigate(isForPlanner(handoff) ? `/run/${handoff.id}` : `/h/${handoff.id}`);
  };
  if (!isTold) return <Reviewing draft={draft} state={state} onApproved={onApproved} />;
  return (
    <ToldScreen
      draft={draft}
      isForPlanner={isForPlanner(handoff)}
      onBack={() => navigate(`/review/${handoff.id}`)}
      onApproved={onApproved}
    />
  );
}

/** The address of the text for a draft's receiver. */
const toldAddress = ({ id }: Handoff) => `/review/${id}?step=told`;

/** Approves the text next to the lists and has it planned; if the server renders another text, shows that first. */
async function approveAndPlan(draft: SyncedDraft, onApproved: ReviewingProps['onApproved']): Promise<void> {
  const told = toldOf(draft);
  const shown = await showText(draft);
  if (shown.rendered.text !== told) {
    announce('The draft changed: this is what will be told now.');
    return navigate(toldAddress(shown.handoff));
  }
  await approveShown(shown);
  await onApproved(true);
}

interface ReviewingProps {
  draft: ReviewedDraft;
  state: SyncState;
  onApproved: (plans: boolean) => Promise<void>;
}

/** The lists of a draft, and all details next to them. */
function Reviewing({ draft, state, onApproved }: ReviewingProps) {
  const { store, sync } = draft;
  const { handoff, phase } = state;
  const canUndo = useStore(announcements, ({ undos }) => undos.length > 0);
  const singleKeys = useStore(preferences, ({ hasSingleKeys }) => hasSingleKeys);
  const found = useConversation(handoff.content.origin);
  const again = useExtractAgain(draft, found);
  const changedAt = laterOf(useChangedAt(draft), again.checkedAt);
  const fileNotes = useFileNotes(draft);
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  // From this width on there is a pane next to the lists, as in `inspector.css`.
  const isNextToLists = useMedia('(min-width: 75rem)') && isForPlanner(handoff);
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
      <RefusedNote origin={handoff.content.origin} />
      <Conflicts store={store} sync={sync} />
      <div inert={phase === 'closed'}>
        <HandoffReview
          store={store}
          singleKeys={singleKeys}
          onBack={wayBack(found)}
          {...wayOnOf(handoff, isNextToLists)}
          onUndo={draft.undo}
          canUndo={canUndo}
          onStartPlanning={() => (isNextToLists ? approveAndPlan(draft, onApproved) : showTold(draft))}
          onExtractAgain={() => void again.begin()}
          isExtracting={again.isExtracting}
          extracting={<ExtractionProgress {...again} />}
          failure={again.failure}
          {...(changedAt === undefined ? {} : { changedAt })}
          problems={listProblems(state, fileNotes)}
          fileNotes={fileNotes}
          onShowEvidence={showEvidence}
          onCommands={setCommands}
          renderInspector={(subject) => (
            <>
              <EvidencePane subject={subject} store={store} found={found} fileNotes={fileNotes} onShow={showEvidence} />
              {isNextToLists ? <ToldPane draft={draft} address={toldAddress(handoff)} /> : null}
            </>
          )}
        />
      </div>
      {evidence === null ? null : (
        <EvidenceDialog evidence={evidence} found={found} store={store} onClose={() => setEvidence(null)} />
      )}
    </div>
  );
}

/** Whether the planner is the receiver: a draft without one is addressed to the planner. */
function isForPlanner({ content: { target_agent } }: Handoff): boolean {
  return target_agent === undefined || target_agent === planAgentName;
}

/** The next step of the review: the planner's text is approved where it is visible, else shown first. */
function wayOnOf(handoff: Handoff, isNextToLists: boolean): { wayOn?: WayOn } {
  // A draft for another receiver needs no decision.
  if (!isForPlanner(handoff)) return { wayOn: { label: 'Show what is approved', needsDecision: false } };
  return isNextToLists ? { wayOn: { label: 'Approve and plan', needsDecision: true } } : {};
}

/** Goes to the text once all is saved. @throws Error with a message for the user where it cannot be. */
async function showTold(draft: SyncedDraft): Promise<void> {
  const { handoff } = await showText(draft);
  navigate(toldAddress(handoff));
}

/** The progress of a second extraction, with a button to cancel. */
function ExtractionProgress({ isExtracting, progress, cancel }: ExtractingAgain) {
  const what = isExtracting ? 'Reading the conversation again…' : '';
  return <ReadingProgress what={what} progress={progress} hasKey={false} onCancel={cancel} />;
}

/** Back to the brainstorm that the draft was created from; without one to the list of brainstorms. */
function wayBack(found: FoundConversation): () => void {
  if (found === null || found === 'looking') return () => navigate('/b');
  return () => {
    found.open().then(navigate, (error: unknown) => {
      announceFailure(describeProblem(error));
      navigate('/b');
    });
  };
}

/** The later of two instants, as far as they are known. */
function laterOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Date.parse(one) > Date.parse(other) ? one : other;
}

/** What prevents planning, or should be checked before. */
function listProblems({ phase, conflicts, handoff }: SyncState, notes: ReadonlyMap<string, FileNote>): ReviewProblem[] {
  const ids = handoff.content.files.map(({ id }) => id);
  const files = describeFiles(notes, ids);
  const choices = conflicts.length === 1 ? 'One choice' : `${conflicts.length} choices`;
  return [
    ...(phase === 'failed' ? [{ text: 'The draft is not saved: see above.', isBlocking: true }] : []),
    ...(conflicts.length === 0 ? [] : [{ text: `${choices} between your words and theirs.`, isBlocking: true }]),
    ...(files === null ? [] : [{ text: files, isBlocking: false }]),
  ];
}

/** Extracted paths and quotes that were refused: counted, and available to read. */
function RefusedNote({ origin }: Pick<Content, 'origin'>) {
  const of = (wanted: string) => (origin?.refused ?? []).filter(({ kind }) => kind === wanted);
  const groups = [
    { noun: 'path', why: 'Leads out of the project, so no receiver is sent there:', refused: of('path') },
    { noun: 'quote', why: 'Nobody said it in the conversation, so nothing relies on it:', refused: of('quote') },
  ].filter(({ refused }) => refused.length > 0);
  if (groups.length === 0) return null;
  return (
    <details className="review-refused">
      <summary>Refused: {groups.map(({ noun, refused }) => count(refused.length, noun)).join(', ')}</summary>
      {groups.map(({ noun, why, refused }) => (
        <Fragment key={noun}>
          <p>{why}</p>
          <ul>
            {refused.map(({ content }) => (
              <li key={content} dir="auto">
                {showHidden(content)}
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
    </details>
  );
}

/** Whether the server has what the screen shows. A failure is announced at once; "Saved" is only shown. */
function SavedState({ state, sync }: { state: SyncState; sync: DraftSync }) {
  const { phase, reason, conflicts } = state;
  return (
    <div className="flow-saved" data-phase={phase}>
      <div role="alert">{phase === 'failed' ? <p className="flow-fault">Not saved: {reason}</p> : null}</div>
      {phase === 'failed' ? (
        <Button label="Save now" onClick={() => void sync.save()} />
      ) : (
        <p className="baton-hint">{wordsOf(state)}</p>
      )}
      {conflicts.length === 0 ? null : (
        <Button
          label={`${count(conflicts.length, 'choice')} to make`}
          onClick={() => document.querySelector<HTMLElement>('.flow-conflict button')?.focus()}
        />
      )}
    </div>
  );
}

/** Texts that wait for a choice, or came too late, are not saved. */
function wordsOf({ phase, conflicts }: SyncState): string {
  if (phase === 'saving') return 'Saving…';
  return phase === 'saved' && conflicts.length === 0 ? 'Saved' : '';
}

/** When a draft was last changed, by its history on the server or by a change here; absent before that is known. */
function useChangedAt({ store, sync }: SyncedDraft): string | undefined {
  const { id } = useStore(sync.state, ({ handoff }) => handoff);
  const version = useStore(sync.state, ({ handoff }) => handoff.delivery.version);
  const here = useStore(store, ({ changedAt }) => changedAt);
  // A draft of unknown age does not count as old.
  const { value } = useLoaded((signal) => call('handoff.events', { id, limit: 1 }, { signal }), String(version));
  return laterOf(here ?? undefined, value?.events.at(-1)?.at);
}

/** The state of a draft's files on the disk: loaded at first, for other files, and when the page is visible again. */
function useFileNotes({ sync }: SyncedDraft): ReadonlyMap<string, FileNote> {
  const { id } = useStore(sync.state, ({ handoff }) => handoff);
  // The server compares the files that it knows.
  const files = useStore(sync.state, ({ handoff }) => handoff.content.files.map((file) => file.path).join('\n'));
  // Where the disk cannot be read, the review shows nothing about it.
  const { value, reload } = useLoaded((signal) => call('handoff.check', { id }, { signal }), files);
  useEffect(() => {
    const look = () => void (document.visibilityState === 'visible' && reload());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [reload]);
  return useMemo(() => new Map(value?.handoffs[0]?.files.map((drift) => [drift.id, noteOf(drift)])), [value]);
}

/** How many files should be checked, as text; null where none. */
function describeFiles(notes: ReadonlyMap<string, FileNote>, ids: readonly string[]): string | null {
  const count = ids.filter((id) => notes.get(id)?.isWarning === true).length;
  if (count === 0) return null;
  return count === 1
    ? '1 file differs from its description: see Files.'
    : `${count} files differ from their descriptions: see Files.`;
}

function noteOf(drift: FileDrift): FileNote {
  if (toProjectPath(drift.path) === undefined || drift.stands === 'outside') {
    return { text: 'outside the project', isWarning: true };
  }
  if (drift.stands === 'missing') return { text: 'does not exist', isWarning: true };
  if (drift.stands === 'here' || drift.verdict === 'unchanged') return { text: 'exists', isWarning: false };
  return { text: driftWords(drift), isWarning: hasDrifted(drift) };
}

/** The description of its drift, without the path, which is above it. */
function driftWords(drift: FileDrift): string {
  if (drift.verdict === 'renamed')
    return `moved to ${drift.renamed_to}${drift.is_edited === true ? ', and changed' : ''}`;
  const words = describeDrift({ ...drift, path: 'x' }, (path) => path).replace(/^x /, '');
  return words.replace(/^edited/, 'changed since');
}
