import { useStore } from 'zustand';
import { call } from '../../server/call.ts';
import { useLoaded } from '../../server/use-live.ts';
import type { SyncedDraft } from './use-draft-sync.ts';

/** When a draft changed last, by its history on the server or by what was changed here; absent before that is known. */
export function useChangedAt({ store, sync }: SyncedDraft): string | undefined {
  const { id } = useStore(sync.state, ({ handoff }) => handoff);
  const version = useStore(sync.state, ({ handoff }) => handoff.delivery.version);
  const here = useStore(store, ({ changedAt }) => changedAt);
  // Whose age nobody knows is not said to be old.
  const { value } = useLoaded((signal) => call('handoff.events', { id, limit: 1 }, { signal }), String(version));
  const there = value?.events.at(-1)?.at;
  if (there === undefined || here === null) return there ?? here ?? undefined;
  return Date.parse(here) > Date.parse(there) ? here : there;
}
