import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { HandoffDraftStore } from '../draft/draft-store.ts';
import type { HandoffSnapshot } from '../draft/handoff-draft.ts';
import type { BrainstormMessage } from '../extraction/brainstorm-messages.ts';
import type { EvidencedResult, ExtractionResult } from '../extraction/extraction-result.ts';
import { freezeDraft } from './freeze-draft.ts';
import { describeFailure } from './use-announcements.ts';

/** The stage of a brainstorm before its plan: forward only, except from the review back to the brainstorm. */
export type BrainstormPhase = 'brainstorm' | 'review' | 'planning';

/** A failure as it is shown: what happened, and what was kept. */
export interface FlowFailure {
  message: string;
  kept: string;
}

/** The flow from a conversation to a plan, for a screen. */
export interface BrainstormFlow {
  phase: BrainstormPhase;
  isExtracting: boolean;
  failure: FlowFailure | null;
  /**
   * Extracts, and shows the review. While an extraction of the same messages runs it does nothing; one of other
   * messages replaces the running one. An empty conversation is not extracted: the review shows the present draft.
   */
  readyToPlan(): Promise<void>;
  /** Goes to the review without an extraction: with what was pinned, or kept after a failure. */
  review(): void;
  /** Aborts a running extraction and goes back to the brainstorm; does nothing once planning has begun. */
  back(): void;
  /** Freezes the draft, and goes to planning; does nothing while there are no decisions, or once planning has begun. */
  startPlanning(): Promise<void>;
}

/** The inputs of the flow. */
export interface BrainstormFlowInput<Message = BrainstormMessage> {
  store: HandoffDraftStore;
  messages: readonly Message[];
  /** Extracts, as `extractHandoff` does; a browser gives a function that asks a server. */
  extract: (messages: readonly Message[], signal: AbortSignal) => Promise<ExtractionResult | EvidencedResult>;
  /** Called with the snapshot and its SHA-256. An error is shown, and the review stays. */
  onStartPlanning: (snapshot: HandoffSnapshot, sha256: string) => void | Promise<void>;
}

interface FlowState {
  phase: BrainstormPhase;
  isExtracting: boolean;
  failure: FlowFailure | null;
}

/** A running extraction: what it reads, and how it is stopped. */
interface Run<Message> {
  messages: readonly Message[];
  controller: AbortController;
}

const beginning: FlowState = { phase: 'brainstorm', isExtracting: false, failure: null };

/**
 * The flow from a brainstorm to planning. Only one extraction runs; going back, leaving the page, another store or
 * another project aborts it, and a late answer is dropped.
 */
export function useBrainstormFlow<Message = BrainstormMessage>(input: BrainstormFlowInput<Message>): BrainstormFlow {
  const { store } = input;
  const [state, setState] = useState<FlowState>(beginning);
  const given = useRef(input);
  useLayoutEffect(() => {
    given.current = input;
  }, [input]);
  // The present state for event handlers, also between a change and the next rendering.
  const latest = useRef(state);
  const running = useRef<Run<Message> | null>(null);
  const change = useCallback((part: Partial<FlowState>) => {
    latest.current = { ...latest.current, ...part };
    setState(latest.current);
  }, []);
  const stop = useCallback(() => {
    running.current?.controller.abort();
    running.current = null;
  }, []);
  useEffect(() => {
    const { project } = store.getState();
    const unsubscribe = store.subscribe((now) => {
      if (now.project === project || running.current === null) return;
      stop();
      change({ isExtracting: false });
    });
    return () => {
      unsubscribe();
      stop();
      change({ isExtracting: false });
    };
  }, [store, stop, change]);
  const steps = useMemo(() => createSteps({ given, latest, running, change, stop }), [change, stop]);
  return { ...state, ...steps };
}

interface StepsInput<Message> {
  given: { readonly current: BrainstormFlowInput<Message> };
  latest: { readonly current: FlowState };
  running: { current: Run<Message> | null };
  change: (part: Partial<FlowState>) => void;
  stop: () => void;
}

type Steps = Pick<BrainstormFlow, 'readyToPlan' | 'review' | 'back' | 'startPlanning'>;

function createSteps<Message>({ given, latest, running, change, stop }: StepsInput<Message>): Steps {
  let isStarting = false;
  return {
    async readyToPlan() {
      const { store, messages, extract } = given.current;
      if (latest.current.phase === 'planning') return;
      if (running.current !== null && isSameList(running.current.messages, messages)) return;
      stop();
      if (messages.length === 0) return skipExtraction({ store, change });
      const run = { messages, controller: new AbortController() };
      running.current = run;
      change({ isExtracting: true, failure: null });
      try {
        const result = await extract(messages, run.controller.signal);
        if (running.current !== run) return;
        store.getState().mergeExtraction(result);
        change({ phase: 'review' });
      } catch (error) {
        // An aborted extraction fails for that reason, and no caller waits for it.
        if (running.current === run)
          change({ failure: { message: describeFailure(error), kept: describeKept(store) } });
      } finally {
        if (running.current === run) {
          running.current = null;
          change({ isExtracting: false });
        }
      }
    },
    review() {
      stop();
      const { phase } = latest.current;
      change({ isExtracting: false, failure: null, phase: phase === 'planning' ? phase : 'review' });
    },
    back() {
      stop();
      const { phase } = latest.current;
      change({ isExtracting: false, failure: null, phase: phase === 'planning' ? phase : 'brainstorm' });
    },
    async startPlanning() {
      const { store, onStartPlanning } = given.current;
      if (isStarting || latest.current.phase === 'planning' || store.getState().decisions.length === 0) return;
      isStarting = true;
      stop();
      try {
        const { snapshot, sha256 } = freezeDraft(store);
        await onStartPlanning(snapshot, sha256);
        change({ phase: 'planning', isExtracting: false, failure: null });
      } catch (error) {
        change({ isExtracting: false, failure: { message: describeFailure(error), kept: describeKept(store) } });
      } finally {
        isStarting = false;
      }
    },
  };
}

/** An empty conversation: the draft stays as it is, with its summary. */
function skipExtraction({ store, change }: { store: HandoffDraftStore; change: (part: Partial<FlowState>) => void }) {
  const { decisions, filesReferenced, risks } = store.getState();
  const isAny = decisions.length + filesReferenced.length + risks.length > 0;
  const failure = { message: 'There is no conversation to read yet.', kept: 'Say something first.' };
  change(isAny ? { phase: 'review', failure: null } : { failure });
}

/** Whether the messages are the same, also in another array. */
function isSameList<Message>(a: readonly Message[], b: readonly Message[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

function describeKept(store: HandoffDraftStore): string {
  const { decisions, filesReferenced, risks } = store.getState();
  const parts: [number, string][] = [
    [decisions.length, 'decision'],
    [filesReferenced.length, 'file'],
    [risks.length, 'risk'],
  ];
  const named = parts.flatMap(([count, noun]) => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]));
  return named.length === 0
    ? 'Nothing is lost: the conversation is unchanged. Try again.'
    : `Kept: ${named.join(', ')}. Try again, or continue with these.`;
}
