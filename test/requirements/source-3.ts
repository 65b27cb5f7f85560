import type { Requirement } from './requirement.ts';

export const source3 = {} as const satisfies Record<string, Requirement>;
