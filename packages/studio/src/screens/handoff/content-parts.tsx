import type { ReactNode } from 'react';
import type { Evidence } from '../../../../batonpass/src/core/evidence.ts';
import { InlineText } from '../../../../batonpass/src/react/inline-text.tsx';

/** A text as somebody wrote it, its inline code set as such. */
export function Said({ text }: { text: string }) {
  return (
    <span className="handoff-said" dir="auto">
      <InlineText text={text} />
    </span>
  );
}

/** Where something was said, in its own words. */
export function Quote({ evidence }: { evidence: Evidence | undefined }) {
  if (evidence === undefined) return null;
  return (
    <blockquote className="handoff-quote">
      <span className="baton-place">Message {evidence.message}</span>{' '}
      <q>
        <Said text={evidence.quote} />
      </q>
    </blockquote>
  );
}

interface ListProps<Entry> {
  title: string;
  entries: readonly Entry[];
  toKey: (entry: Entry, index: number) => string;
  children: (entry: Entry) => ReactNode;
}

/** A part that is a list; without entries it is left out. */
export function List<Entry>({ title, entries, toKey, children }: ListProps<Entry>) {
  if (entries.length === 0) return null;
  return (
    <Part title={`${title} ${entries.length}`}>
      <ul className="handoff-list">
        {entries.map((entry, index) => (
          <li key={toKey(entry, index)}>{children(entry)}</li>
        ))}
      </ul>
    </Part>
  );
}

/** A part of a content, by its title. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="handoff-part">
      <h2 className="baton-heading">{title}</h2>
      {children}
    </section>
  );
}
