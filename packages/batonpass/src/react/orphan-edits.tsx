import { useOpenEdits } from './review-context.ts';
import { parseKey, type Subject, toKey } from './subjects.ts';
import { TextEditor } from './text-editor.tsx';

/** The editors of entries that were removed elsewhere: their drafts stay until the user decides. */
export function OrphanEdits({ kind, ids, label }: { kind: Subject['kind']; ids: readonly string[]; label: string }) {
  const open = useOpenEdits();
  return [...open].map(([key, edit]) => {
    const subject = parseKey(key);
    if (subject === null || subject.kind !== kind || ids.includes(subject.id)) return null;
    return (
      <div key={key} className="baton-card" data-baton-item={toKey(subject)}>
        <div className="baton-body">
          <TextEditor subject={subject} edit={edit} stored={undefined} label={label} />
        </div>
      </div>
    );
  });
}
