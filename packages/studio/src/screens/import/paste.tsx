import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { describeEmpty } from '../../server/send-transcript.ts';
import { takeHandedFile, useFileDrop } from './dropped-file.ts';
import type { Source } from './use-one-reading.ts';

/** Accepts a transcript: pasted into a field, or as a file. An input that could not be read stays. */
export function Paste({ isReading, onRead }: { isReading: boolean; onRead: (source: Source, what: string) => void }) {
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const choose = (chosen: File | undefined) => setFile(chosen ?? null);
  useEffect(() => {
    // A file from another screen is there from the start.
    const handed = takeHandedFile();
    if (handed !== undefined) setFile(handed);
  }, []);
  const { isOver, drop } = useFileDrop(choose);
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
      {...drop}
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
      <div className="studio-buttons">
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
        <Button label="Read it" type="submit" large look="primary" aria-disabled={!isReady || isReading} />
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

interface ChosenFileProps {
  file: File;
  /** Whether it is being read: then it cannot be removed. */
  isReading: boolean;
  onRemove: () => void;
}

/** A file that was chosen or dropped, by its name and size: its content is never loaded as text into the page. */
function ChosenFile({ file, isReading, onRemove }: ChosenFileProps) {
  return (
    <div className="flow-chosen">
      <p>
        <span className="flow-chosen-name" dir="auto">
          {showHidden(file.name)}
        </span>{' '}
        <span className="baton-hint">{describeSize(file.size)}</span>
      </p>
      <Button label="Remove it" aria-disabled={isReading} onClick={onRemove} />
      <p role="alert">{file.size === 0 ? describeEmpty(file) : ''}</p>
    </div>
  );
}

const units = ['bytes', 'kB', 'MB', 'GB'] as const;

/** A size in a suitable unit, as `104.9 MB`. */
export function describeSize(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const digits = power === 0 ? 0 : 1;
  const number = (bytes / 1_000 ** power).toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${number} ${power === 0 && bytes === 1 ? 'byte' : units[power]}`;
}
