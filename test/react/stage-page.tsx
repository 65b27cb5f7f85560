import { StrictMode, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  createDraftStore,
  draftStore,
  type HandoffDraftStore,
} from '../../packages/batonpass/src/draft/draft-store.ts';
import type { HandoffSnapshot } from '../../packages/batonpass/src/draft/handoff-draft.ts';
import type { EvidencedResult } from '../../packages/batonpass/src/extraction/extraction-result.ts';
import { buildPlanAgentSystemPrompt } from '../../packages/batonpass/src/planning/plan-prompt.ts';
import { HandoffReview } from '../../packages/batonpass/src/react/handoff-review.tsx';
import { PinButton } from '../../packages/batonpass/src/react/pin-button.tsx';
import { ReadyToPlan } from '../../packages/batonpass/src/react/ready-to-plan.tsx';
import { type BrainstormFlow, useBrainstormFlow } from '../../packages/batonpass/src/react/use-brainstorm-flow.ts';
import { sampleChat } from './sample-extraction.ts';

/** An extraction that the test answers. */
interface Extraction {
  messages: number;
  signal: AbortSignal;
  answer(result: EvidencedResult): void;
  fail(message: string): void;
}

/** What a test reads and does in addition to the screen. */
export interface Stage {
  store: HandoffDraftStore;
  extractions: Extraction[];
  handed: { snapshot: HandoffSnapshot; sha256: string }[];
  /** Makes the next start of planning fail. */
  refuse: string | null;
  /** The flow as the page has it, for what no button of the present screen does. */
  flow?: BrainstormFlow;
  leave(): void;
}

declare global {
  interface Window {
    stage: Stage;
  }
}

const settings = new URLSearchParams(location.search);
const later_ms = Number(settings.get('later') ?? 0);

/** An application with a scripted chat, as small as one that uses the components can be. */
function Application({ stage }: { stage: Stage }) {
  const [messages, setMessages] = useState(settings.get('silent') === null ? sampleChat : []);
  const flow = useBrainstormFlow({
    store: stage.store,
    messages,
    extract: (given, signal) => extract(stage, given.length, signal),
    onStartPlanning: (snapshot, sha256) => {
      if (stage.refuse !== null) throw new Error(stage.refuse);
      stage.handed.push({ snapshot, sha256 });
    },
  });
  stage.flow = flow;
  if (flow.phase === 'planning') return <Planning />;
  if (flow.phase === 'review') {
    return (
      <HandoffReview
        store={stage.store}
        onBack={flow.back}
        onStartPlanning={flow.startPlanning}
        onExtractAgain={() => void flow.readyToPlan()}
        failure={flow.failure}
        isExtracting={flow.isExtracting}
        singleKeys={settings.get('keys') !== 'off'}
        now={() => Date.now() + later_ms}
      />
    );
  }
  return (
    <div className="page-chat">
      {messages.map(({ role, content }) => (
        <article key={content} className="baton-message">
          <strong>{role === 'user' ? 'You' : 'Assistant'}</strong>
          <p>{content}</p>
          {role === 'assistant' ? <PinButton content={content} store={stage.store} /> : null}
        </article>
      ))}
      <button
        type="button"
        onClick={() => setMessages([...messages, { role: 'user', content: 'And one thing more.' }])}
      >
        Say more
      </button>
      <button type="button" onClick={flow.review}>
        Review
      </button>
      <ReadyToPlan flow={flow} store={stage.store} />
    </div>
  );
}

function Planning() {
  const { frozenPayload } = useMemo(() => window.stage.store.getState(), []);
  return (
    <section>
      <h2>Planning</h2>
      <pre>{buildPlanAgentSystemPrompt(frozenPayload)}</pre>
    </section>
  );
}

function extract(stage: Stage, messages: number, signal: AbortSignal): Promise<EvidencedResult> {
  return new Promise((resolve, reject) => {
    // It reacts to an abort, as a request does, unless the test is about an answer that still arrives.
    if (settings.get('deaf') === null) signal.addEventListener('abort', () => reject(signal.reason));
    stage.extractions.push({
      messages,
      signal,
      answer: resolve,
      fail: (message) => reject(new Error(message)),
    });
  });
}

/** The review on its own, with its defaults, where planning takes for ever to start. */
function Alone({ stage }: { stage: Stage }) {
  const onStartPlanning = (snapshot: HandoffSnapshot, sha256: string) => {
    stage.handed.push({ snapshot, sha256 });
    return new Promise<void>(() => {});
  };
  return <HandoffReview onBack={() => stage.leave()} onStartPlanning={onStartPlanning} />;
}

const root = createRoot(document.querySelector('#root') as HTMLElement);
const project = settings.get('project');
window.stage = {
  store: project === null ? draftStore : createDraftStore({ project }),
  extractions: [],
  handed: [],
  refuse: null,
  leave: () => root.unmount(),
};
root.render(
  <StrictMode>
    <main>
      <h1>Brainstorm</h1>
      {settings.get('alone') === null ? <Application stage={window.stage} /> : <Alone stage={window.stage} />}
    </main>
  </StrictMode>,
);
