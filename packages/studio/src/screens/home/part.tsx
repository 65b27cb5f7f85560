import { type ReactNode, useId, useRef } from 'react';
import { useFocusInList } from '../../shown/kept-focus.ts';

interface PartProps {
  title: string;
  count: number;
  /** What an empty part says. */
  none: string;
  /** The class of each line: the focus stays among them. */
  line: string;
  /** The address of the lines that are not shown, and the words of the link; absent where all are shown. */
  rest: readonly [string, string] | false;
  children: ReactNode;
}

/** One list of the home screen under its heading, with how many there are. */
export function Part({ title, count, none, line, rest, children }: PartProps) {
  const root = useRef<HTMLElement>(null);
  const id = useId();
  useFocusInList(root, `.${line}`);
  return (
    <section ref={root} className="home-part" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title} {count === 0 ? null : <span className="home-count">{count.toLocaleString('en')}</span>}
      </h2>
      {count === 0 ? <p className="baton-hint">{none}</p> : null}
      <ul className="baton-list">{children}</ul>
      {rest === false ? null : (
        <p>
          <a href={rest[0]}>{rest[1]}</a>
        </p>
      )}
    </section>
  );
}
