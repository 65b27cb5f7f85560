import { type KeyboardEvent, type RefObject, useState } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { ChatFacts } from '../../../../batonpass/src/operations/chat/describe-chat.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { attempt } from '../../shell/attempt.ts';

interface ComposerProps {
  /** Whether a model answers; undefined until that is known. */
  facts: ChatFacts | undefined;
  /** The name under which an unsent text is stored. */
  draftName: string;
  isAnswering: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: (text: string) => void;
  onStop: () => void;
  /** Goes to the next step; absent while there is no message. */
  onReady?: () => void;
}

/** The field for a message. An unsent text survives a reload. */
export function Composer({ facts, draftName, isAnswering, field, onSend, onStop, onReady }: ComposerProps) {
  const [text, change] = useKeptText(draftName);
  const isDumb = facts?.can_answer === false;
  const send = () => {
    if (text.trim() === '' || isAnswering) return;
    change('');
    onSend(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isMod = event.ctrlKey || event.metaKey;
    if (event.key === 'Escape' && isAnswering) onStop();
    else if (event.key === 'Enter' && isMod && event.shiftKey) onReady?.();
    else if (event.key === 'Enter' && isMod) send();
    else return;
    event.preventDefault();
  };
  return (
    <form
      className="brainstorm-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isDumb ? <NoModel facts={facts} isOpen={onReady === undefined} /> : null}
      <div className="brainstorm-write">
        <textarea
          ref={field}
          className="baton-field"
          aria-label={isDumb ? 'Note' : 'Message'}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          dir="auto"
          rows={2}
          value={text}
          placeholder={isDumb ? 'Add a note of your own' : 'What do you want to think through?'}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {isAnswering ? (
          <Button label="Stop" hotkey="Esc" large onClick={onStop} />
        ) : (
          <Button
            label={isDumb ? 'Add' : 'Send'}
            hotkey="Ctrl+Enter"
            type="submit"
            large
            aria-disabled={text.trim() === ''}
          />
        )}
      </div>
    </form>
  );
}

/** No model is available: why, and the one step that changes it. */
function NoModel({ facts, isOpen }: { facts: Extract<ChatFacts, { can_answer: false }>; isOpen: boolean }) {
  const [step] = facts.alternatives;
  return (
    <details className="baton-hint brainstorm-no-model" open={isOpen}>
      <summary>No model answers here.</summary>
      {step === undefined ? showHidden(facts.reason) : showHidden(step)} Everything else works without one: rules read
      the conversation.
    </details>
  );
}

/** A text in this browser's storage; without storage it still shows on this page. */
function useKeptText(name: string): [string, (text: string) => void] {
  const key = `baton-composer:${name}`;
  const [text, setText] = useState(() => attempt(() => localStorage.getItem(key)) ?? '');
  const change = (next: string) => {
    setText(next);
    attempt(() => (next === '' ? localStorage.removeItem(key) : localStorage.setItem(key, next)));
  };
  return [text, change];
}
