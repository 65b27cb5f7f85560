import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ChosenFile, describeSize } from './chosen-file.tsx';
import { takeHandedFile } from './handed-file.ts';
import type { Source } from './use-one-reading.ts';

/** The props of the field. */
export interface PasteProps {
  isReading: boolean;
  onRead: (source: Source, what: string) => void;
}

/** Accepts a transcript: pasted into a field, or as a file. An input that could not be read stays. */
export function Paste({ isReading, onRead }: PasteProps) {
  const { text, setText, file, choose, field } = useTranscript();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    choose(event.dataTransfer.files[0]);
  };
  const isReady = file === null ? text.trim() !== '' : file.size > 0;
  const submit = () => {
    if (!isReady) return;
    if (file === null) onRead({ text }, `${text.length.toLocaleString('en')} characters`);
    else onRead({ file }, `${file.name}, ${describeSize(file.size)}`);
  };
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
      {file === null ? (
        <PasteField text={text} field={field} onChange={setText} onSubmit={submit} />
      ) : (
        <ChosenFile
          file={file}
          isReading={isReading}
          onRemove={() => {
            if (isReading) return;
            flushSync(() => choose(undefined));
            field.current?.focus();
          }}
        />
      )}
      <div className="flow-buttons">
        <label className="baton-button flow-file">
          Choose a file
          <input
            type="file"
            className="baton-unseen"
            onChange={(event) => {
              if (event.target.files?.[0] !== undefined) choose(event.target.files[0]);
              event.target.value = '';
            }}
          />
        </label>
        <button type="submit" className="baton-button baton-primary" aria-disabled={!isReady || isReading}>
          Read it
        </button>
        <span className="baton-hint">
          <kbd>Ctrl+Enter</kbd>
        </span>
      </div>
    </form>
  );
}

interface PasteFieldProps {
  text: string;
  field: React.RefObject<HTMLTextAreaElement | null>;
  onChange: (text: string) => void;
  onSubmit: () => void;
}

function PasteField({ text, field, onChange, onSubmit }: PasteFieldProps) {
  const id = useId();
  return (
    <>
      <label className="flow-label" htmlFor={id}>
        Transcript
      </label>
      <textarea
        id={id}
        ref={field}
        className="baton-field flow-transcript"
        dir="auto"
        rows={8}
        spellCheck={false}
        value={text}
        placeholder="Paste a transcript or a list of messages, or drop a file here."
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSubmit();
        }}
      />
    </>
  );
}

/** The text of the field, or the file in its place; a file from another screen is there from the start. */
function useTranscript() {
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const choose = (chosen: File | undefined) => setFile(chosen ?? null);
  useEffect(() => {
    const handed = takeHandedFile();
    if (handed !== undefined) setFile(handed);
  }, []);
  return { text, setText, file, choose, field };
}
