import type { Bench } from './bench.ts';

/** One behaviour that every store must have. */
export interface ContractCase {
  /** The requirements that it proves. */
  ids: readonly string[];
  /** A sentence of behaviour; unique in the suite. */
  name: string;
  /** Throws where the store behaves otherwise. */
  run: (bench: Bench) => Promise<void>;
}
