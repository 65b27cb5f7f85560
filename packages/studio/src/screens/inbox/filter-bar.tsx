import { useEffect, useRef, useState } from 'react';
import { changeQuery } from '../../shell/router.ts';
import { filterFields, type InboxFilter } from './tabs.ts';

/** How long typing rests before the list follows it. */
const REST_MS = 250;

/** What narrows the list: each field is one of the operation's own, matched whole. */
export function FilterBar({ filter }: { filter: InboxFilter }) {
  const isSet = Object.keys(filter).length > 0;
  const clear = () => changeQuery(Object.fromEntries(filterFields.map(({ name }) => [name, ''])));
  return (
    <search className="inbox-filters" aria-label="Filter">
      {filterFields.map(({ name, title }) => (
        <FilterField key={name} name={name} title={title} value={filter[name] ?? ''} />
      ))}
      {isSet ? (
        <button type="button" className="baton-button baton-small baton-quiet" onClick={clear}>
          Clear filters
        </button>
      ) : null}
    </search>
  );
}

function FilterField({ name, title, value }: { name: string; title: string; value: string }) {
  const [text, setText] = useState(value);
  const said = useRef(value);
  useEffect(() => {
    // The address changed by other means, as by "Back".
    if (value !== said.current) setText(value);
    said.current = value;
  }, [value]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === said.current) return;
    const timer = setTimeout(() => {
      said.current = wanted;
      changeQuery({ [name]: wanted });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [text, name]);
  return (
    <label className="inbox-filter">
      <span>{title}</span>
      <input
        id={`filter-${name}`}
        className="baton-field"
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </label>
  );
}
