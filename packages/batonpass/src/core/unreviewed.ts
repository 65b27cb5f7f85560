import type { Handoff } from './handoff.ts';

/** The fields that show it. */
type Reviewed = Pick<Handoff, 'content_sha256' | 'delivery'> & { content: Pick<Handoff['content'], 'origin'> };

/**
 * Whether a host saved a handoff by itself and no person has approved it: every place that shows it marks it. What
 * a person wrote is that person's own and needs no such mark.
 */
export function isUnreviewed({ content, content_sha256, delivery }: Reviewed): boolean {
  return content.origin?.trigger !== undefined && delivery.approval?.content_sha256 !== content_sha256;
}
