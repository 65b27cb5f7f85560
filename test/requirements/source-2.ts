import type { Requirement } from './requirement.ts';

export const source2 = {} as const satisfies Record<string, Requirement>;
