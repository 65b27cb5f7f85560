import type { Requirement } from './requirement.ts';

export const lifeCycle = {} as const satisfies Record<string, Requirement>;
