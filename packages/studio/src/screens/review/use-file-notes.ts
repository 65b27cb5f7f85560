import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { describeDrift, type FileDrift, hasDrifted } from '../../../../batonpass/src/core/drift.ts';
import { toProjectPath } from '../../../../batonpass/src/extraction/file-path.ts';
import type { FileNote } from '../../../../batonpass/src/react/file-note.ts';
import { call } from '../../server/call.ts';
import { useLoaded } from '../../server/use-live.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

/** What the disk says of a draft's files: asked at first, for other files, and when a person comes back to the page. */
export function useFileNotes({ sync }: SyncedDraft): ReadonlyMap<string, FileNote> {
  const { id } = useStore(sync.state, ({ handoff }) => handoff);
  // The server compares the files that it knows of.
  const files = useStore(sync.state, ({ handoff }) => handoff.content.files.map((file) => file.path).join('\n'));
  // Where nobody can look at the disk from here, the review says nothing of it.
  const { value, reload } = useLoaded((signal) => call('handoff.check', { id }, { signal }), files);
  useEffect(() => {
    const look = () => void (document.visibilityState === 'visible' && reload());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [reload]);
  return useMemo(() => new Map(value?.handoffs[0]?.files.map((drift) => [drift.id, noteOf(drift)])), [value]);
}

/** How many files somebody should look at, in words; null where none. */
export function describeFiles(notes: ReadonlyMap<string, FileNote>, ids: readonly string[]): string | null {
  const count = ids.filter((id) => notes.get(id)?.isWarning === true).length;
  if (count === 0) return null;
  return count === 1
    ? '1 file is not as it was named: see Files.'
    : `${count} files are not as they were named: see Files.`;
}

function noteOf(drift: FileDrift): FileNote {
  if (toProjectPath(drift.path) === undefined || drift.stands === 'outside') {
    return { text: 'outside the project', isWarning: true };
  }
  if (drift.stands === 'missing') return { text: 'does not exist', isWarning: true };
  if (drift.stands === 'here' || drift.verdict === 'unchanged') return { text: 'exists', isWarning: false };
  return { text: wordsOf(drift), isWarning: hasDrifted(drift) };
}

/** The words of its drift, without the path that stands above them. */
function wordsOf(drift: FileDrift): string {
  if (drift.verdict === 'renamed')
    return `moved to ${drift.renamed_to}${drift.is_edited === true ? ', and changed' : ''}`;
  const words = describeDrift({ ...drift, path: 'x' }, (path) => path).replace(/^x /, '');
  return words.replace(/^edited/, 'changed since');
}
