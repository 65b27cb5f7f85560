import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { HandoffReview, PinButton, ReadyToPlan, useBrainstormFlow, useHandoffStore } from 'batonpass/react';
import { useEffect, useState } from 'react';

const transport = new DefaultChatTransport({ api: '/chat' });

/** A chat that becomes a plan. `/chat`, `/extract`, `/plan` and `/planned` are routes of your own server, see below. */
export function BrainstormApp() {
  const { messages, sendMessage, status, error } = useChat({ transport });
  const flow = useBrainstormFlow({
    store: useHandoffStore,
    messages,
    extract: (read, signal) => post('/extract', read, signal),
    onStartPlanning: async (snapshot, sha256) => {
      const { id } = await post('/plan', { snapshot, snapshot_sha256: sha256 });
      useHandoffStore.getState().markHandedOn(id);
    },
  });
  if (flow.phase === 'planning') return <Planned />;
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
      {messages.map((message) => (
        <article className="baton-message" key={message.id}>
          <p>{textOf(message)}</p>
          {message.role === 'assistant' && <PinButton content={textOf(message)} />}
        </article>
      ))}
      {error !== undefined && <p role="alert">{error.message}</p>}
      <Composer isBusy={status !== 'ready' && status !== 'error'} onSend={(text) => void sendMessage({ text })} />
      <ReadyToPlan flow={flow} />
    </>
  );
}

function Composer({ isBusy, onSend }: { isBusy: boolean; onSend: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '' || isBusy) return;
        onSend(text);
        setText('');
      }}
    >
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Send</button>
    </form>
  );
}

/** Waits for the plan of what was handed on; the server continues when the browser leaves. */
function Planned() {
  const id = useHandoffStore((draft) => draft.handedOnId);
  const [words, setWords] = useState('Planning…');
  useEffect(() => {
    if (id !== null)
      post('/planned', { id }).then(
        (plan) => setWords(plan.text),
        (error) => setWords(String(error)),
      );
  }, [id]);
  return <p role="status">{words}</p>;
}

function textOf({ parts }: UIMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

async function post(path: string, body: unknown, signal?: AbortSignal) {
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
