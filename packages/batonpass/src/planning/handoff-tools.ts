import type { Tool } from 'ai';
import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { draftStore, type HandoffDraftStore } from '../draft/draft-store.ts';
import type { HandoffSnapshot } from '../draft/handoff-draft.ts';

/** What `getHandoffContext` answers: the frozen snapshot, or that there is none. */
export type HandoffContextResult = HandoffSnapshot | { readonly error: 'No handoff context available' };

/** What `addDecision` answers. */
export interface AddDecisionResult {
  added: true;
}

/** What `completePlanning` answers. */
export interface CompletePlanningResult {
  complete: true;
  summary: string;
}

/** A tool of the AI SDK that can be called without it, too. */
export type HandoffTool<Input, Output> = Tool<Input, Output> & { execute: (input: Input) => Promise<Output> };

/** The three tools of the planning agent, for `tools` of any agent. */
export interface HandoffTools {
  getHandoffContext: HandoffTool<Record<string, never>, HandoffContextResult>;
  addDecision: HandoffTool<{ content: string }, AddDecisionResult>;
  completePlanning: HandoffTool<{ summary: string }, CompletePlanningResult>;
}

/** The least that the tools need of a store. */
export interface HandoffToolStore {
  /** What was frozen for the agent; null where nothing is. */
  getFrozen: () => HandoffSnapshot | null;
  /** Adds a decision that was made while planning. It never changes the frozen snapshot. */
  addDecision: (content: string) => void;
}

const getInput = z.object({});
const addInput = z.object({
  content: z.string().min(1).max(limits.entry_characters_max).describe('The decision statement'),
});
const completeInput = z.object({
  summary: z.string().min(1).max(limits.summary_characters_max).describe('Summary of the generated plan'),
});

/**
 * The tools over one store: what is frozen is read at each call, decisions go to the live draft alone. They hold nothing
 * themselves, and give away nothing of the store but the frozen snapshot.
 */
export function createHandoffTools(store: HandoffToolStore | HandoffDraftStore): HandoffTools {
  const { getFrozen, addDecision } = 'getState' in store ? overDraft(store) : store;
  return {
    getHandoffContext: {
      description: 'Get the full handoff context: decisions, files, risks, and summary',
      inputSchema: getInput,
      execute: async () => getFrozen() ?? { error: 'No handoff context available' },
    },
    addDecision: {
      description: 'Add a new decision discovered during planning',
      inputSchema: addInput,
      execute: async ({ content }) => {
        addDecision(content);
        return { added: true };
      },
    },
    completePlanning: {
      description: 'Signal that planning is complete',
      inputSchema: completeInput,
      execute: async ({ summary }) => ({ complete: true, summary }),
    },
  };
}

function overDraft(store: HandoffDraftStore): HandoffToolStore {
  return {
    getFrozen: () => store.getState().frozenPayload,
    addDecision: (content) => store.getState().addDecision(content, 'ai-extracted'),
  };
}

/** The same tools, ready-made: over the store that `useHandoffStore` binds. */
export const { getHandoffContext, addDecision, completePlanning }: HandoffTools = createHandoffTools(draftStore);
