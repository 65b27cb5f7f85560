/** The schemas of answers, loaded when a door asks for them. */

/** A whole handoff. */
export const handoffOutput = async () => (await import('../core/handoff.ts')).handoffSchema;

/** A whole content. */
export const contentOutput = async () => (await import('../core/content.ts')).contentSchema;

/** A line of history. */
export const eventOutput = async () => (await import('../core/delivery.ts')).handoffEventSchema;
