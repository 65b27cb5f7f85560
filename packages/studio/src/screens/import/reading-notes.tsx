import type { Reading } from './use-one-reading.ts';

/** What is being read, with its end, and why it failed. */
export function ReadingNotes({ reading, failure, cancel }: Pick<Reading, 'reading' | 'failure' | 'cancel'>) {
  return (
    <>
      <div role="alert">{failure === '' ? null : <p className="flow-fault">{failure}</p>}</div>
      <div role="status">
        {reading === '' ? null : (
          <p className="flow-reading">
            Reading {reading}…{' '}
            <button type="button" className="baton-button baton-small" onClick={cancel}>
              Cancel
            </button>
          </p>
        )}
      </div>
    </>
  );
}
