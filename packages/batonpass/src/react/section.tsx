import { type ReactNode, useId } from 'react';

/** The props of a list of the review. */
export interface SectionProps {
  /** The kind of its entries: its heading gets the focus when none is left. */
  kind: string;
  heading: string;
  /** Shown next to the heading: the parts of the list. */
  note?: string;
  tools?: ReactNode;
  children: ReactNode;
}

/** One list of the review under its heading. */
export function Section({ kind, heading, note = '', tools, children }: SectionProps) {
  const id = useId();
  return (
    <section className="baton-section" aria-labelledby={id}>
      <div className="baton-section-head">
        <h3 id={id} className="baton-heading" data-baton-heading={kind} tabIndex={-1}>
          {heading}
        </h3>
        {note === '' ? null : <span className="baton-hint">{note}</span>}
        {tools}
      </div>
      {children}
    </section>
  );
}

/** A list's heading with how many entries it has, and how many of them the filter shows where that is fewer. */
export function countShown(name: string, shown: readonly unknown[], all: readonly unknown[]): string {
  return `${name} (${shown.length === all.length ? all.length : `${shown.length} of ${all.length}`})`;
}
