import type { Handoff } from './handoff.ts';

/** What tells it. */
type Reviewed = Pick<Handoff, 'content_sha256' | 'delivery'> & { content: Pick<Handoff['content'], 'origin'> };

/**
 * Whether a host saved a handoff by itself and no person has approved it: it is marked so wherever it is shown. What
 * somebody wrote is his word and needs no such mark.
 */
export function isUnreviewed({ content, content_sha256, delivery }: Reviewed): boolean {
  return content.origin?.trigger !== undefined && delivery.approval?.content_sha256 !== content_sha256;
}
