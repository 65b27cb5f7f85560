import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';
import type { Verb } from './verdicts.ts';

/** What the inbox keeps of a handoff: as little as its row shows, and what a step with it needs. */
export interface InboxRow {
  id: string;
  title: string;
  state: State;
  kind: string;
  from: string;
  to?: string;
  task_id?: string;
  scope?: string;
  created_at: string;
  decisions: number;
  files: number;
  risks: number;
  version: number;
  /** What an approval binds to. */
  content_sha256: string;
  /** Who holds it, and until when. */
  holder?: string;
  lease_until?: string;
  /** When its holder was last heard of, where that was asked for. */
  heard_at?: string;
  /** What its holder asks. */
  question?: string;
  /** How its last attempt failed. */
  failure?: string;
  /** The step that takes back what was done with it here. */
  back?: Verb;
  /** Why the last step that was asked for here was refused. */
  refusal?: string;
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
    ...(content.target_agent === undefined ? {} : { to: content.target_agent }),
    ...(content.task_id === undefined ? {} : { task_id: content.task_id }),
    ...(content.scope === undefined ? {} : { scope: content.scope }),
    created_at,
    decisions: content.decisions.length,
    files: content.files.length,
    risks: content.risks.length,
    version: delivery.version,
    content_sha256,
    ...(lease === undefined ? {} : { holder: lease.holder }),
    ...(lease?.expires_at === undefined ? {} : { lease_until: lease.expires_at }),
    ...(state === 'waiting' && waiting_on !== undefined ? { question: waiting_on.question } : {}),
    ...(failure === undefined ? {} : { failure: failure.reason }),
  };
}
