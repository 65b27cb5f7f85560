import { type DragEvent, useId, useState } from 'react';
import { useKeys } from '../../shell/keys.ts';
import '../flow.css';
import { SessionList } from './session-list.tsx';
import { type Importing, useImport } from './use-import.ts';

/** Makes a draft of a conversation: pasted, dropped, chosen as a file, or one that an agent held in this project. */
export default function Import() {
  const importing = useImport();
  const { reading, failure, cancel } = importing;
  const isReading = reading !== '';
  useKeys('Import', isReading ? [{ keys: 'Escape', does: 'stop reading', run: cancel }] : []);
  return (
    <section className="flow-screen" aria-labelledby="import-title">
      <h1 id="import-title" className="flow-title">
        Hand a conversation over
      </h1>
      <p className="baton-hint">
        Decisions, files and risks are taken out of it, each with where it was said. You review them before anybody gets
        them.
      </p>
      <div role="alert">{failure === '' ? null : <p className="flow-fault">{failure}</p>}</div>
      <div role="status">
        {isReading ? (
          <p className="flow-reading">
            Reading {reading}…{' '}
            <button type="button" className="baton-button baton-small" onClick={cancel}>
              Cancel
            </button>
          </p>
        ) : null}
      </div>
      <Paste importing={importing} />
      <SessionList isReading={isReading} onRead={(path, title) => void importing.read({ path }, title)} />
    </section>
  );
}

/** A field that takes a transcript by pasting, dropping or choosing a file. What could not be read stays in it. */
function Paste({ importing: { reading, read } }: { importing: Importing }) {
  const [text, setText] = useState('');
  const [isOver, setOver] = useState(false);
  const id = useId();
  const take = async (file: File | undefined) => {
    if (file !== undefined) setText(await file.text());
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const submit = () => {
    if (text.trim() !== '') void read({ text }, `${text.length.toLocaleString('en')} characters`);
  };
  const isReady = text.trim() !== '' && reading === '';
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
          <kbd>Ctrl</kbd>+<kbd>Enter</kbd>
        </span>
      </div>
    </form>
  );
}
