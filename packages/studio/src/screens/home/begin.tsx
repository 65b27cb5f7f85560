import { type DragEvent, useRef, useState } from 'react';
import { navigate } from '../../shell/router.ts';
import { handFile } from '../import/handed-file.ts';

/** What an empty store shows: three ways to begin. */
export function Begin() {
  const [isOver, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const take = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    handFile(chosen);
    navigate('/import');
  };
  const drag = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files[0]);
    },
  };
  return (
    <section className="home" aria-labelledby="begin-title" {...drag}>
      <h1 id="begin-title" className="studio-title">
        Hand over the first piece of work
      </h1>
      <p className="baton-hint">
        A handoff keeps what was decided, what was tried and what comes next, for the agent that goes on.
      </p>
      <ul className="baton-list home-ways">
        <li className={isOver ? 'home-over' : ''}>
          <h2>Import a transcript</h2>
          <p>Drop a file of Claude Code, Codex, SpecStory or a list of messages anywhere on this page.</p>
          <button type="button" className="baton-button baton-primary" onClick={() => file.current?.click()}>
            Choose a file
          </button>
          <input
            ref={file}
            type="file"
            hidden
            aria-label="Transcript"
            onChange={(event) => take(event.target.files?.[0])}
          />
        </li>
        <li>
          <h2>Find sessions</h2>
          <p>Choose a conversation that an agent held in this project on this machine.</p>
          <button type="button" className="baton-button" onClick={() => navigate('/import')}>
            Find sessions
          </button>
        </li>
        <li>
          <h2>Brainstorm</h2>
          <p>Think with a model, pin what is decided, and plan from it.</p>
          <button type="button" className="baton-button" onClick={() => navigate('/b')}>
            Start a brainstorm
          </button>
        </li>
      </ul>
    </section>
  );
}
