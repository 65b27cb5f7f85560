import '../flow.css';
import { useKeys } from '../../shell/keys.ts';
import { importAndShow } from './make-draft.ts';
import { Paste } from './paste.tsx';
import { ReadingNotes } from './reading-progress.tsx';
import { SessionList } from './session-list.tsx';
import { useOneReading } from './use-one-reading.ts';

/** Creates a draft of a conversation: pasted, dropped, chosen as a file, or a session of an agent in this project. */
export default function Import() {
  const importing = useOneReading({ take: importAndShow, kept: 'Nothing of it was stored.' });
  const isReading = importing.reading !== '';
  useKeys('Import', isReading ? [{ keys: 'Escape', does: 'stop reading', run: importing.cancel }] : []);
  return (
    <section className="flow-screen" aria-labelledby="import-title">
      <h1 id="import-title" className="flow-title">
        Hand a conversation over
      </h1>
      <p className="baton-hint">
        Decisions, files and risks are extracted from it, each with its source. You review them before anybody gets
        them.
      </p>
      <ReadingNotes {...importing} />
      <Paste isReading={isReading} onRead={(source, what) => void importing.read(source, what)} />
      <SessionList isReading={isReading} onRead={(path, title) => void importing.read({ path }, title)} />
    </section>
  );
}
