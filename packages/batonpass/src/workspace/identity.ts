import { userInfo } from 'node:os';
import type { Actor } from '../core/actor.ts';

/**
 * The actor: a named agent where a name is set (flag, `BATON_AGENT` or configuration), else the person who is logged in.
 */
export function identifyActor(agent: string | undefined): Actor {
  if (agent !== undefined) return { name: agent, type: 'agent' };
  return { name: readUserName(), type: 'person' };
}

/** A container may have a user id without a name; that is no reason to fail. */
function readUserName(): string {
  try {
    return userInfo().username || 'user';
  } catch {
    return process.env.USER || 'user';
  }
}
