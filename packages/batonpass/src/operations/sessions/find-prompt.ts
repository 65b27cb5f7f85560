import type { HostName } from '../../core/hosts.ts';
import { findInjectionProof } from '../../transcripts/injection-proof.ts';
import type { OperationContext } from '../context.ts';
import { listProjectSessions } from '../project-sessions.ts';

/** The text that a prompt must contain, its host, and since when. */
export interface WantedPrompt {
  host: HostName;
  since_ms: number;
  handoff_id: string;
  rendered_sha256: string;
}

/** Whether a session of a host in this project got a handoff as a part of its prompt, by its own transcript. */
export async function isPromptShown(
  { host, since_ms, ...expected }: WantedPrompt,
  context: Pick<OperationContext, 'workspace' | 'environment'>,
): Promise<boolean> {
  const sessions = await listProjectSessions(context);
  const recent = sessions.filter((each) => each.host === host && Date.parse(each.modified_at) >= since_ms);
  for (const { path } of recent) {
    const proof = await findInjectionProof({ path, from_byte: 0 }, { ...expected, prompted_since_ms: since_ms });
    if (proof !== null) return true;
  }
  return false;
}
