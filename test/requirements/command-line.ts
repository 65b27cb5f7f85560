import type { Requirement } from './requirement.ts';

export const commandLine = {} as const satisfies Record<string, Requirement>;
