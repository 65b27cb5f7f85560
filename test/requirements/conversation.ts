import type { Requirement } from './requirement.ts';

export const conversation = {} as const satisfies Record<string, Requirement>;
