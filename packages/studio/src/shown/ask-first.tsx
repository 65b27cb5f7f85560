import { useLayoutEffect, useRef, useState } from 'react';

/** A step that is asked about before it is taken. */
export interface AskFirstProps {
  /** What the button says, without its dots. */
  name: string;
  /** What the button is called where several look alike. Default: its name. */
  label?: string;
  question: string;
  /** What the button that takes the step says. */
  yes: string;
  onYes: () => void;
}

/** A button that asks first. The question begins at the harmless answer; after it the focus is on the button again. */
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
