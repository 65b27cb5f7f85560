import { useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { type DraftParts, entriesOf, isSame, listNames, partsIn, partsOf, textOf } from './draft-parts.ts';
import { openShelf } from './unsent-words.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

const words = {
  draft: 'is a draft',
  open: 'is approved and open',
  claimed: 'is approved, and somebody works on it',
  waiting: 'is approved, and waits for an answer',
  acknowledged: 'is done',
  dead: 'was given up',
  withdrawn: 'was withdrawn',
  expired: 'has expired',
} as const;

/** A draft that was closed during its review. */
export function ClosedUnderReview({ handoff, store }: { handoff: Handoff; store: SyncedDraft['store'] }) {
  const lost = findUnsaved({ mine: partsIn(store.getState()), server: partsOf(handoff.content) });
  return (
    <div role="alert">
      <Closed heading="This draft can no longer be changed" handoff={handoff} lost={lost} />
    </div>
  );
}

/** A handoff that was not a draft when its review was opened; unsaved texts are shown again. */
export function ClosedDraft({ handoff }: { handoff: Handoff }) {
  const [shelf] = useState(() => openShelf(() => localStorage, handoff.id, ''));
  const [left, setLeft] = useState(() => shelf.find());
  const server = partsOf(handoff.content);
  const lost = left.flatMap(({ base, mine }) => findUnsaved({ base, mine, server }));
  const forget = () => {
    shelf.settle();
    setLeft([]);
  };
  return (
    <Closed heading="There is nothing to review" handoff={handoff} lost={lost}>
      <Button label="Discard them" onClick={forget} />
    </Closed>
  );
}

interface ClosedProps {
  heading: string;
  handoff: Handoff;
  /** Texts that this browser has and the handoff does not. */
  lost: readonly string[];
  /** The actions on them. */
  children?: React.ReactNode;
}

/** The present state of a handoff, and the texts of this browser that it does not have. */
function Closed({ heading, handoff, lost, children }: ClosedProps) {
  const { id, content, delivery } = handoff;
  return (
    <div className="flow-closed">
      <p className="baton-empty-title">{heading}</p>
      <p>
        “{showHidden(content.title)}” {words[delivery.state]}. See the <a href={`/run/${id}`}>plan run</a> or the{' '}
        <a href={`/h/${id}`}>handoff</a>.
      </p>
      {lost.length === 0 ? null : (
        <>
          <p>Your changes came too late. They are kept here:</p>
          <ul>
            {[...new Set(lost)].map((text) => (
              <li key={text} dir="auto">
                {showHidden(text)}
              </li>
            ))}
          </ul>
          {children}
        </>
      )}
    </div>
  );
}

/** The texts that were written here and are not in the server's draft. */
function findUnsaved({ base, mine, server }: { base?: DraftParts; mine: DraftParts; server: DraftParts }): string[] {
  const texts = listNames.flatMap((list) => {
    const known = [...entriesOf(server, list), ...(base === undefined ? [] : entriesOf(base, list))];
    return entriesOf(mine, list)
      .filter((entry) => !known.some((other) => isSame(other, entry)))
      .map((entry) => textOf(list, entry));
  });
  const isNew = ![server, base].some((parts) => parts?.brainstormSummary === mine.brainstormSummary);
  return isNew ? [mine.brainstormSummary, ...texts] : texts;
}
