import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';

/** What the inbox keeps of a handoff: as little as its row shows. */
export interface Row {
  id: string;
  title: string;
  state: State;
  kind: string;
  from: string;
  to?: string;
  task_id?: string;
  created_at: string;
  decisions: number;
  files: number;
  risks: number;
  version: number;
  /** Who holds it, and until when. */
  holder?: string;
  lease_until?: string;
  /** What its holder asks. */
  question?: string;
  /** How its last attempt failed. */
  failure?: string;
}

/** The row of a handoff. */
export function toRow({ id, created_at, content, delivery }: Handoff): Row {
  const { lease, waiting_on, failure, state } = delivery;
  return {
    id,
    title: content.title,
    state,
    kind: content.kind,
    from: content.source_agent,
    ...(content.target_agent === undefined ? {} : { to: content.target_agent }),
    ...(content.task_id === undefined ? {} : { task_id: content.task_id }),
    created_at,
    decisions: content.decisions.length,
    files: content.files.length,
    risks: content.risks.length,
    version: delivery.version,
    ...(lease === undefined ? {} : { holder: lease.holder }),
    ...(lease?.expires_at === undefined ? {} : { lease_until: lease.expires_at }),
    ...(state === 'waiting' && waiting_on !== undefined ? { question: waiting_on.question } : {}),
    ...(failure === undefined ? {} : { failure: failure.reason }),
  };
}
