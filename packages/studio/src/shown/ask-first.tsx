import { useLayoutEffect, useRef, useState } from 'react';

/** A step that needs a confirmation. */
export interface AskFirstProps {
  /** The label of the button, without its dots. */
  name: string;
  /** The accessible name where several buttons look alike. Default: the label. */
  label?: string;
  question: string;
  /** The label of the button that confirms. */
  yes: string;
  onYes: () => void;
}

/** A button that asks for confirmation. The focus starts on the harmless answer, and returns to the button. */
export function AskFirst({ name, label, question, yes, onYes }: AskFirstProps) {
  const [isAsked, setAsked] = useState(false);
  const no = useRef<HTMLButtonElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useLayoutEffect(() => {
    if (isAsked !== wasAsked.current) (isAsked ? no : button).current?.focus();
    wasAsked.current = isAsked;
  }, [isAsked]);
  if (!isAsked) {
    return (
      <button
        ref={button}
        type="button"
        className="baton-button baton-small"
        aria-label={label}
        onClick={() => setAsked(true)}
      >
        {name}…
      </button>
    );
  }
  const answer = (isYes: boolean) => {
    setAsked(false);
    if (isYes) onYes();
  };
  return (
    <fieldset
      className="studio-asked"
      aria-label={question}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        answer(false);
      }}
    >
      <span>{question}</span>
      <button type="button" className="baton-button baton-small" onClick={() => answer(true)}>
        {yes}
      </button>
      <button ref={no} type="button" className="baton-button baton-small" onClick={() => answer(false)}>
        Cancel
      </button>
    </fieldset>
  );
}
