import { HandoffReview, PinButton, ReadyToPlan, useBrainstormFlow, useHandoffStore } from 'batonpass/react';

interface Message {
  id: string;
  role: 'user' | 'assistant';
  content: string;
}

/** A chat that becomes a plan. `/extract` and `/plan` are routes of your own server, see below. */
export function BrainstormApp({ messages }: { messages: Message[] }) {
  const flow = useBrainstormFlow({
    store: useHandoffStore,
    messages,
    extract: async (read, signal) => {
      const answer = await fetch('/extract', { method: 'POST', body: JSON.stringify(read), signal });
      if (!answer.ok) throw new Error(`The extraction failed: ${await answer.text()}`);
      return answer.json();
    },
    onStartPlanning: async (snapshot, sha256) => {
      const body = JSON.stringify({ snapshot, snapshot_sha256: sha256 });
      const answer = await fetch('/plan', { method: 'POST', body });
      if (!answer.ok) throw new Error(`The planning could not begin: ${await answer.text()}`);
      useHandoffStore.getState().markHandedOn((await answer.json()).id);
    },
  });
  if (flow.phase === 'planning') return <p>Planning…</p>;
  if (flow.phase === 'review')
    return (
      <HandoffReview
        onBack={flow.back}
        onStartPlanning={flow.startPlanning}
        failure={flow.failure}
        isExtracting={flow.isExtracting}
      />
    );
  return (
    <>
      {messages.map(({ id, role, content }) => (
        <article className="baton-message" key={id}>
          {content}
          {role === 'assistant' && <PinButton content={content} />}
        </article>
      ))}
      <ReadyToPlan flow={flow} />
    </>
  );
}
