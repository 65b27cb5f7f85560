import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../batonpass/src/react/button.tsx';

/** A step that needs a confirmation. */
interface AskFirstProps {
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
    return <Button label={`${name}…`} ref={button} aria-label={label} onClick={() => setAsked(true)} />;
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
      <Button label={yes} onClick={() => answer(true)} />
      <Button label="Cancel" ref={no} onClick={() => answer(false)} />
    </fieldset>
  );
}
