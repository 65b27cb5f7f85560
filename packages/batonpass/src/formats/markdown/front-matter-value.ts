/**
 * A value of front matter. Quoted scalars are texts; of the unquoted ones only what has one spelling is typed (see
 * `plain-scalar.ts`), so that `001` and `2026-01-24` stay as they were written.
 */
export type FrontMatterValue =
  | string
  | number
  | boolean
  | null
  | FrontMatterValue[]
  | { [field: string]: FrontMatterValue };

/** The fields of front matter, in the order of the document. */
export type FrontMatter = Record<string, FrontMatterValue>;
