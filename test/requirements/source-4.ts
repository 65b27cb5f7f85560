import type { Requirement } from './requirement.ts';

export const source4 = {} as const satisfies Record<string, Requirement>;
