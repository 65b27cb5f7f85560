import type { Handoff } from './handoff.ts';

/**
 * Whether a host saved a handoff by itself and no person has approved it: it is marked so wherever it is shown. What
 * somebody wrote is his word and needs no such mark.
 */
export function isUnreviewed({ content, content_sha256, delivery }: Handoff): boolean {
  return content.origin?.trigger !== undefined && delivery.approval?.content_sha256 !== content_sha256;
}
