import { type DragEvent, useEffect, useId, useState } from 'react';
import { takeHandedFile } from './handed-file.ts';

/** What the field is given. */
export interface PasteProps {
  isReading: boolean;
  onRead: (text: string) => void;
}

/** A field that takes a transcript by pasting, dropping or choosing a file. What could not be read stays in it. */
export function Paste({ isReading, onRead }: PasteProps) {
  const { text, setText, take } = useTranscript();
  const [isOver, setOver] = useState(false);
  const id = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const submit = () => {
    if (text.trim() !== '') onRead(text);
  };
  const isReady = text.trim() !== '' && !isReading;
  return (
    <form
      className={`flow-paste ${isOver ? 'flow-over' : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label className="flow-label" htmlFor={id}>
        Transcript
      </label>
      <textarea
        id={id}
        className="baton-field flow-transcript"
        dir="auto"
        rows={8}
        spellCheck={false}
        value={text}
        placeholder="Paste a transcript or a list of messages, or drop a file here."
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className="flow-buttons">
        <label className="baton-button flow-file">
          Choose a file
          <input
            type="file"
            className="baton-unseen"
            onChange={(event) => {
              void take(event.target.files?.[0]);
              event.target.value = '';
            }}
          />
        </label>
        <button type="submit" className="baton-button baton-primary" aria-disabled={!isReady}>
          Read it
        </button>
        <span className="baton-hint">
          <kbd>Ctrl+Enter</kbd>
        </span>
      </div>
    </form>
  );
}

/** The text of the field; a file that was dropped on another screen is in it from the beginning. */
function useTranscript() {
  const [text, setText] = useState('');
  const take = async (file: File | undefined) => {
    if (file !== undefined) setText(await file.text());
  };
  useEffect(() => {
    void takeHandedFile()?.text().then(setText);
  }, []);
  return { text, setText, take };
}
