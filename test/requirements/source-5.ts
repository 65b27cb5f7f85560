import type { Requirement } from './requirement.ts';

export const source5 = {} as const satisfies Record<string, Requirement>;
