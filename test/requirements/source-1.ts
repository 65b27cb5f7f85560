import type { Requirement } from './requirement.ts';

export const source1 = {} as const satisfies Record<string, Requirement>;
