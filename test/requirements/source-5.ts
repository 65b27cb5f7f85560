import { declare } from './declare.ts';

/** Source 5: from a brainstorm, through a review, to a planning agent. */
export const source5 = {
  ...declare('source 5, phase 1, extraction', 'extraction', {
    'BR.extract.abort': 'An extraction can be cancelled by an AbortController.',
    'BR.extract.rejects-absolute': 'Extraction rejects absolute paths and .. traversal.',
  }),
  ...declare('source 5, phase 1, store', 'planning', {
    'BR.store.empty': 'The store starts empty.',
    'BR.store.add-decision': 'addDecision adds a decision with the given source.',
    'BR.store.update-decision': 'updateDecision changes the content and sets the source user-edited.',
    'BR.store.remove': 'removeDecision, removeFileRef and removeRisk delete permanently.',
    'BR.store.merge': 'mergeExtraction appends extracted items and leaves pins unchanged.',
    'BR.store.freeze': 'freezeForPlanning creates a read-only snapshot.',
    'BR.store.persists': 'The store persists to localStorage through zustand.',
  }),
  ...declare('source 5, phase 2, review screen', 'studio', {
    'BR.screen.lists': 'The review screen shows decisions, files and risks in stacked lists.',
    'BR.screen.cards': 'A card shows content, source label, edit and remove.',
    'BR.screen.local-draft': 'An edit works on a local draft, so that a store update does not overwrite it.',
    'BR.screen.remove': 'Remove deletes from the store.',
    'BR.screen.start-planning': '"Start planning" freezes and then goes to planning.',
    'BR.screen.start-hidden': '"Start planning" is hidden while there are no decisions.',
    'BR.screen.back': '"Back to brainstorm" goes back.',
    'BR.screen.pin': 'An assistant message in the brainstorm has a pin.',
    'BR.screen.pin-count': 'The number of pins is next to "Ready to plan".',
    'BR.screen.ready-disabled': '"Ready to plan" is disabled during an extraction.',
    'BR.screen.back-aborts': 'Going back aborts a running extraction.',
    'BR.screen.keyboard': 'Tab goes through the cards, Enter saves an edit, Escape cancels it.',
  }),
  ...declare('source 5, phase 3, tools and agent', 'planning', {
    'BR.tool.context': 'getHandoffContext returns the frozen snapshot, not the live store.',
    'BR.tool.add-decision': 'addDecision adds to the live store.',
    'BR.tool.complete': 'completePlanning signals the end.',
    'BR.agent.prompt': 'The system prompt holds the handoff when the agent is built.',
    'BR.agent.stops': 'The agent ends after 20 steps or at completePlanning.',
    'BR.tool.explicit-types': 'Every tool returns an explicit type; nothing of the store leaks.',
  }),
  ...declare('source 5, success metrics', 'studio', {
    'BR.success.context': 'The user reaches the planning agent with the context of the brainstorm.',
    'BR.success.edits-reflected': "Edits on the review screen are in the planning agent's context.",
  }),
  ...declare('source 5, success metrics', 'planning', {
    'BR.success.references': "The planning agent's first output refers to the decisions and asks for none again.",
  }),
  ...declare('source 5, risks', 'planning', {
    'BR.risk.pins': 'Pins complement what an extraction missed.',
    'BR.risk.mutation': 'Changing the store while the agent runs does not change its context.',
  }),
  ...declare('source 5, held cases', 'extraction', {
    'BR.held.path-forms': 'Absolute and escaping paths of every platform are rejected, URL-encoded ones too.',
    'BR.held.path-dots': 'Two dots inside a name are no traversal: src/foo..bar.ts is kept.',
    'BR.held.confidence': 'The confidence that extraction gives is kept and shown; low ones are below, as implied.',
    'BR.held.more-than-fifty': 'More than fifty messages lose no earlier decision: windows are extracted and merged.',
    'BR.held.no-model-library':
      'Without the model library the package imports, and a model request says what to install.',
    'BR.held.abort-error': 'An aborted extraction rejects with AbortError and never falls back to rules.',
  }),
  ...declare('source 5, held cases', 'planning', {
    'BR.held.no-duplicates': 'A second extraction merges equal items; pins and user edits win.',
    'BR.held.frozen': 'A frozen snapshot is a deep-frozen, hashed copy that survives a reload.',
    'BR.held.new-from-planning': 'A decision added during planning goes to the live store and is shown as new.',
    'BR.held.prompt-safe': 'No decision text breaks the prompt: newlines, headings, fences and tags are neutralised.',
    'BR.held.prompt-form': "The system prompt has the source's headings, line forms, closing sentence and empty form.",
    'BR.held.tool-constants': "The tools are exported as constants and return exactly the source's objects.",
    'BR.held.synchronous-store':
      'useHandoffStore is synchronous, needs no server, and leaves frozenPayload out of persistence.',
    'BR.held.names': 'The names, the persist name handoff-storage and the devtools name HandoffStore stay.',
    'BR.held.per-project': 'State belongs to one project: switching never leaks.',
    'BR.held.forward-only': 'The flow is forward only by default.',
  }),
  ...declare('source 5, held cases', 'studio', {
    'BR.held.double-click': 'A double click starts one extraction.',
    'BR.held.late-answer': 'Back, leaving or a new extraction aborts the running one; a late answer is dropped.',
    'BR.held.failure-shown': 'A failed extraction is shown, with what was kept.',
    'BR.held.storage-failure': 'Full storage, unreadable or older stored state is reported and recovered from.',
    'BR.held.literals': 'Button texts, empty state and the labels PINNED and AI are those of the source.',
    'BR.held.start-hidden-why': 'While "Start planning" is hidden a text says why.',
    'BR.held.focus': 'After a deletion the focus goes to a sensible place.',
    'BR.held.live-region': 'Changes are announced in a live region.',
    'BR.held.undo': 'A deletion can be undone.',
    'BR.held.stale-banner': 'After 24 hours a banner says that the state is old.',
    'BR.held.flush': 'Edits are saved before the page unloads.',
  }),
} as const;
