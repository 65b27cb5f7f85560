import { ReadingProgress } from './reading-progress.tsx';
import type { Reading } from './use-one-reading.ts';

/** What is being read, its progress, a button to cancel, and why it failed. */
export function ReadingNotes({ reading, progress, failure, cancel }: Omit<Reading, 'read'>) {
  return (
    <>
      <div role="alert">{failure === '' ? null : <p className="flow-fault">{failure}</p>}</div>
      <ReadingProgress
        what={reading === '' ? '' : `Reading ${reading}…`}
        progress={progress}
        hasKey
        onCancel={cancel}
      />
    </>
  );
}
