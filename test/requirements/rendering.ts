import type { Requirement } from './requirement.ts';

export const rendering = {} as const satisfies Record<string, Requirement>;
