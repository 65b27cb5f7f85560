import type { ModelSurroundings } from './ask-model.ts';

/** The machine's own time and chance. */
export const machineSurroundings: ModelSurroundings = {
  wait: async (ms, signal) => {
    const { setTimeout: wait } = await import('node:timers/promises');
    await wait(ms, undefined, { signal });
  },
  chance: Math.random,
  createMarker: () => crypto.randomUUID(),
};
