import type { Json } from './canonical-json.ts';
import type { CompletedContent } from './complete-content.ts';
import type { Offer } from './delivery.ts';
import type { State } from './state.ts';

/** What can happen to a handoff after its creation. `docs/lifecycle.md` is generated from this table. */
export const transitions = {
  edit: { from: ['draft'], to: ['draft'], by: 'reviewer', event: 'handoff-edited' },
  approve: { from: ['draft'], to: ['open'], by: 'reviewer', event: 'handoff-approved' },
  claim: { from: ['open'], to: ['claimed'], by: 'one receiver', event: 'handoff-claimed' },
  renew: { from: ['claimed'], to: ['claimed'], by: 'holder', event: 'handoff-renewed' },
  report: { from: ['claimed'], to: ['claimed'], by: 'holder', event: 'handoff-reported' },
  acknowledge: {
    from: ['claimed', 'open'],
    to: ['acknowledged'],
    by: 'holder, receiver',
    event: 'handoff-acknowledged',
  },
  inject: {
    from: ['claimed', 'open'],
    to: ['acknowledged'],
    by: "proof in the receiver's transcript",
    event: 'handoff-injected',
  },
  release: {
    from: ['claimed', 'waiting', 'open'],
    to: ['open'],
    by: 'holder, person, hook',
    event: 'handoff-released',
  },
  break: {
    from: ['claimed', 'waiting'],
    to: ['open', 'withdrawn'],
    by: 'person, confirmed at a terminal or in the studio',
    event: 'handoff-broken',
  },
  lapse: { from: ['claimed'], to: ['open', 'dead'], by: "the store's clock", event: 'handoff-lapsed' },
  fail: { from: ['claimed'], to: ['open', 'dead'], by: 'holder', event: 'handoff-failed' },
  ask: { from: ['claimed'], to: ['waiting'], by: 'holder', event: 'handoff-asked' },
  answer: { from: ['waiting'], to: ['claimed'], by: 'person', event: 'handoff-answered' },
  withdraw: {
    from: ['draft', 'open', 'waiting'],
    to: ['withdrawn'],
    by: 'writer, addressee, reviewer, person',
    event: 'handoff-withdrawn',
  },
  supersede: { from: ['draft', 'open'], to: ['withdrawn'], by: 'writer, reviewer', event: 'handoff-superseded' },
  expire: { from: ['open'], to: ['expired'], by: "the store's clock", event: 'handoff-expired' },
  reopen: {
    from: ['dead', 'expired', 'withdrawn'],
    to: ['open', 'draft'],
    by: 'writer, reviewer',
    event: 'handoff-reopened',
  },
} as const satisfies Record<string, { from: readonly State[]; to: readonly State[]; by: string; event: string }>;

/**
 * A step that a caller asks for. Everything that proves the right to it is in the step itself:
 * the token of the present lease for the holder's steps, the approved content's hash for a reviewer's.
 */
export type Step =
  /**
   * `if_version`: the ETag that the editor saw; another one is a `conflict`. `extracted`: the words are a new
   * extraction's; any other edit is a person's own, which no extraction undoes, and leaves marks of what it changed.
   */
  | ({ type: 'edit'; if_version?: number; extracted?: true } & CompletedContent)
  /** Binds to exactly one content: another hash than the present one is a `conflict`. */
  | { type: 'approve'; content_sha256: string; rendered_sha256: string; budget: number }
  | { type: 'renew'; token: string; lease_ms: number }
  /** The progress of the work: text, and data for programs, kept in the history under the fence of the claim. */
  | { type: 'report'; token: string; text: string; data?: Json }
  /** Without a token only an open handoff can be acknowledged. */
  | { type: 'acknowledge'; token?: string }
  /**
   * What a hook offered was found in the session's own transcript, in a row of this kind. It needs no token: the proof
   * is that session and hash are those of the last offer, whose lease may have lapsed meanwhile.
   */
  | { type: 'inject'; session: string; rendered_sha256: string; row: string; at?: string }
  /**
   * Without a token only a waiting handoff can be released, or by a hook what one put into the named session: a session
   * that has ended can prove nothing more. Of an open one, whose lease has lapsed, only the offer is withdrawn.
   */
  | { type: 'release'; token?: string; session?: string; reason?: string }
  | { type: 'fail'; token: string; reason: string }
  | { type: 'ask'; token: string; question: string }
  | { type: 'answer'; answer: string; lease_ms: number }
  | { type: 'withdraw'; reason?: string }
  | { type: 'reopen'; reason?: string }
  /**
   * Ends another's lease, whose token is not shown: only a person does so. `if_fence`: the lease that the person saw;
   * another one is a `conflict`.
   */
  | { type: 'break'; to: 'open' | 'withdrawn'; if_fence?: number; reason?: string };

/** The steps that only a store takes, as part of another call. */
export type StoreStep =
  | { type: 'claim'; token: string; lease_ms: number; offer?: Offer }
  | { type: 'lapse' }
  | { type: 'expire' }
  | { type: 'supersede'; by_id: string };
