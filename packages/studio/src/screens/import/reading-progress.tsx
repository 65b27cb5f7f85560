import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import type { ReadingStep } from '../../server/send-transcript.ts';
import { countKinds } from '../../shown/count.ts';
import type { Reading } from './use-one-reading.ts';

interface ReadingProgressProps {
  /** What is read, as text; empty where nothing is. */
  what: string;
  /** Absent before the first report: rules finish before any. */
  progress: ReadingStep | undefined;
  /** Whether Escape cancels as well. */
  hasKey: boolean;
  onCancel: () => void;
}

/**
 * The progress of a reading: as text, as a bar, and as elapsed time; with a button to cancel. The element is there also
 * while nothing is read, so that a change is read out.
 */
export function ReadingProgress({ what, progress, hasKey, onCancel }: ReadingProgressProps) {
  const isIdle = what === '';
  const pressed = useRef<Element | null>(null);
  useLayoutEffect(() => {
    // The cancel button disappears when it is pressed: the focus then returns to where the reading was started.
    if (!isIdle) pressed.current = document.activeElement;
    else if (document.activeElement === document.body) (pressed.current as HTMLElement | null)?.focus();
  }, [isIdle]);
  return (
    <div className="flow-reading" data-idle={isIdle}>
      <p className="flow-reading-words">
        <span role="status">{isIdle ? '' : `${what} ${describeRead(progress)}`}</span>
        {isIdle ? null : (
          // Otherwise each new number would be read out.
          <span className="flow-reading-time" aria-hidden="true">
            {describeSent(progress)}
            <Elapsed />
          </span>
        )}
      </p>
      {isIdle ? null : (
        <>
          <Bar progress={progress} />
          <Button label="Cancel" hotkey={hasKey ? 'Esc' : undefined} onClick={onCancel} />
        </>
      )}
    </div>
  );
}

function Bar({ progress }: { progress: ReadingStep | undefined }) {
  if (isSending(progress)) return <progress value={progress.sent} aria-label="Sent" />;
  if (progress === undefined || 'sent' in progress || progress.total === undefined) {
    return <progress aria-label="Reading" />;
  }
  return <progress value={progress.done} max={Math.max(1, progress.total)} aria-label="Messages read" />;
}

/** Whether a part of the file has yet to be sent. */
function isSending(progress: ReadingStep | undefined): progress is { sent: number } {
  return progress !== undefined && 'sent' in progress && progress.sent < 1;
}

function describeSent(progress: ReadingStep | undefined): string {
  return isSending(progress) ? `${Math.floor(progress.sent * 100)} % sent · ` : '';
}

/** What is done, what is left, and how much of each kind was found. */
function describeRead(progress: ReadingStep | undefined): string {
  if (progress === undefined || 'sent' in progress) return '';
  const { done, total = 0, found } = progress;
  const words = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} messages read`;
  const items = found === undefined ? [] : countKinds(found);
  return items.length === 0 ? `${words}.` : `${words}; ${items.join(', ')} so far.`;
}

/** A model can work on one part for minutes: the elapsed time is visible, and not read out. */
function Elapsed() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

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
