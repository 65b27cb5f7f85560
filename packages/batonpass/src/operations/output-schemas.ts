/** The schemas of answers, loaded when a door asks for them. */

/** A whole handoff. */
export const handoffOutput = async () => (await import('../core/handoff.ts')).handoffSchema;

/** A handoff as `inShort` gives it. */
export const shortHandoffOutput = async () => {
  const [{ handoffSchema }, { contentSchema }, { shortContentFields }] = await Promise.all([
    import('../core/handoff.ts'),
    import('../core/content.ts'),
    import('./handoff-in-short.ts'),
  ]);
  const fields = Object.fromEntries(shortContentFields.map((name) => [name, true])) as Record<
    (typeof shortContentFields)[number],
    true
  >;
  return handoffSchema.extend({ content: contentSchema.pick(fields) });
};

/** A whole content. */
export const contentOutput = async () => (await import('../core/content.ts')).contentSchema;

/** A line of history. */
export const eventOutput = async () => (await import('../core/delivery.ts')).handoffEventSchema;
