import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { describeEmpty } from '../../server/send-transcript.ts';

/** The props of a chosen file. */
export interface ChosenFileProps {
  file: File;
  /** Whether it is being read: then it cannot be removed. */
  isReading: boolean;
  onRemove: () => void;
}

/** A file that was chosen or dropped, by its name and size: its content is never loaded as text into the page. */
export function ChosenFile({ file, isReading, onRemove }: ChosenFileProps) {
  return (
    <div className="flow-chosen">
      <p>
        <span className="flow-chosen-name" dir="auto">
          {showHidden(file.name)}
        </span>{' '}
        <span className="baton-hint">{describeSize(file.size)}</span>
      </p>
      <button type="button" className="baton-button baton-small" aria-disabled={isReading} onClick={onRemove}>
        Remove it
      </button>
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
