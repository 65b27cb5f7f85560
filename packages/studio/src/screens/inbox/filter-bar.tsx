import './filter.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { changeQuery } from '../../shell/router.ts';
import { stateWords } from '../../shown/state-mark.tsx';
import { type FilterWord, filter_characters_max, filterWords, splitLast, writeWord } from './filter-words.ts';
import { listSeen } from './seen-values.ts';
import type { View } from './tabs.ts';
import { SavedViews } from './views-menu.tsx';

/** The pause in typing before the list follows. */
const REST_MS = 200;

/** The filter of the list, as typed words with suggestions. */
export function FilterBar({ view: { typed, unknown } }: { view: View }) {
  const [text, setText] = useState(typed);
  const said = useRef(typed);
  useEffect(() => {
    // The address changed by other means, as by "Back".
    if (typed !== said.current) setText(typed);
    said.current = typed;
  }, [typed]);
  const apply = (wanted: string) => {
    said.current = wanted.trim();
    changeQuery({ q: wanted.trim() });
  };
  useEffect(() => {
    if (text.trim() === said.current) return;
    const timer = setTimeout(() => apply(text), REST_MS);
    return () => clearTimeout(timer);
  });
  const change = (next: string, isDone = false) => {
    setText(next);
    if (isDone) apply(next);
  };
  return (
    <search className="inbox-filter" aria-label="Filter">
      <FilterField text={text} onChange={change} />
      {text === '' ? null : <Button label="Clear filters" look="quiet" onClick={() => change('', true)} />}
      <SavedViews isFiltered={typed !== ''} />
      {unknown.length === 0 ? null : (
        <p className="inbox-unknown" role="status">
          {unknown.map(showHidden).join(' ')} means nothing here.
        </p>
      )}
    </search>
  );
}

function FilterField({ text, onChange }: { text: string; onChange: (text: string, isDone?: boolean) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const found = isOpen ? suggest(text) : [];
  const choose = ({ typed }: Suggestion) => {
    onChange(typed, !typed.endsWith(':'));
    setActive(-1);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const chosen = found[active];
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => (isOpen ? setActive(Math.min(active + 1, found.length - 1)) : setOpen(true)),
      ArrowUp: () => setActive(Math.max(active - 1, -1)),
      Enter: () => (chosen === undefined ? finish(event.currentTarget) : choose(chosen)),
      Escape: () => (found.length > 0 ? setOpen(false) : event.currentTarget.blur()),
    };
    const tab = event.key === 'Tab' && chosen !== undefined ? () => choose(chosen) : undefined;
    const act = tab ?? (Object.hasOwn(moves, event.key) ? moves[event.key] : undefined);
    if (act === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };
  const finish = (field: HTMLInputElement) => {
    onChange(field.value, true);
    setOpen(false);
    document.querySelector<HTMLElement>('.inbox-row[tabindex="0"]')?.focus();
  };
  return (
    <div className="inbox-filter-field">
      <label htmlFor="filter">Filter</label>
      <input
        id="filter"
        className="baton-field"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls="filter-suggestions"
        aria-autocomplete="list"
        aria-activedescendant={active === -1 ? undefined : `suggestion-${active}`}
        placeholder="state:dead from:brainstorm-7 file:src/ words"
        value={text}
        maxLength={filter_characters_max}
        autoComplete="off"
        spellCheck={false}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setOpen(true);
          setActive(-1);
          onChange(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <Suggestions found={found} active={active} onChoose={choose} />
    </div>
  );
}

interface SuggestionsProps {
  found: readonly Suggestion[];
  active: number;
  onChoose: (suggestion: Suggestion) => void;
}

/** The list below the field; the focus stays in the field. */
function Suggestions({ found, active, onChoose }: SuggestionsProps) {
  return (
    <div id="filter-suggestions" role="listbox" aria-label="Suggestions" className="inbox-suggestions">
      {found.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: The field has the keys.
        <div
          key={suggestion.shown}
          id={`suggestion-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
        >
          <code>{showHidden(suggestion.shown)}</code> <span>{suggestion.says}</span>
        </div>
      ))}
    </div>
  );
}

/** A suggestion. */
interface Suggestion {
  /** The whole text of the field when it is chosen. */
  typed: string;
  /** The part that it adds. */
  shown: string;
  says: string;
}

/** Suggestions that are shown: as many as fit without scrolling. */
const SHOWN_MAX = 8;

/** Suggests completions: names of fields, and after a colon values that rows had. */
function suggest(typed: string): Suggestion[] {
  const { before, last } = splitLast(typed);
  const [name = '', value] = last.split(/:(.*)/s, 2);
  if (value === undefined) {
    const words = filterWords.filter(({ word }) => word.startsWith(name.toLowerCase()));
    return words.map(({ word, says }) => ({ typed: `${before}${word}:`, shown: `${word}:`, says }));
  }
  const word = filterWords.find((each) => each.word === name)?.word;
  if (word === undefined) return [];
  const wanted = value.replaceAll('"', '').toLowerCase();
  return valuesOf(word)
    .filter((each) => each.toLowerCase().includes(wanted) && each !== value)
    .slice(0, SHOWN_MAX)
    .map((each) => ({ typed: `${before}${writeWord(word, each)} `, shown: writeWord(word, each), says: '' }));
}

function valuesOf(word: FilterWord): readonly string[] {
  return word === 'state' ? Object.keys(stateWords) : listSeen(word);
}
