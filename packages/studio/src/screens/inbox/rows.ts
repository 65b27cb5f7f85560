import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';
import type { Verb } from './verdicts.ts';

/** The inbox's copy of a handoff: only what its row shows, and what a step needs. */
export interface InboxRow {
  id: string;
  title: string;
  state: State;
  kind: string;
  from: string;
  to?: string | undefined;
  task_id?: string | undefined;
  scope?: string | undefined;
  created_at: string;
  decisions: number;
  files: number;
  risks: number;
  version: number;
  /** The hash that an approval binds to. */
  content_sha256: string;
  /** The holder and the end of the lease. */
  holder?: string | undefined;
  lease_until?: string | undefined;
  /** The holder's last sign of life, where it was loaded. */
  heard_at?: string | undefined;
  /** The holder's question. */
  question?: string | undefined;
  /** The failure of its last attempt. */
  failure?: string | undefined;
  /** The step that undoes the last one here. */
  back?: Verb | undefined;
  /** Why the last step here was refused. */
  refusal?: string | undefined;
}

/** The row of a handoff. */
export function toRow({ id, created_at, content, content_sha256, delivery }: Handoff): InboxRow {
  const { lease, waiting_on, failure, state } = delivery;
  return {
    id,
    title: content.title,
    state,
    kind: content.kind,
    from: content.source_agent,
    to: content.target_agent,
    task_id: content.task_id,
    scope: content.scope,
    created_at,
    decisions: content.decisions.length,
    files: content.files.length,
    risks: content.risks.length,
    version: delivery.version,
    content_sha256,
    holder: lease?.holder,
    lease_until: lease?.expires_at,
    question: state === 'waiting' ? waiting_on?.question : undefined,
    failure: failure?.reason,
  };
}
