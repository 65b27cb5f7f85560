/** The place of a host's request in its conversation. */
export interface ModelTurn {
  /** All texts that the model gets, of every role, in order. */
  texts: string[];
  /** The texts of the person and of the host in their name, in order. */
  prompts: string[];
  /** The results of tools since the last of the prompts. */
  results: string[];
  /** The names of the tools that the model may call. */
  tools: string[];
}

/**
 * One answer of the model: words, a call of a tool, or an answer in the form that was asked for. Each protocol has its
 * own tools.
 */
export type ModelAnswer =
  | { text: string }
  | { shell: string }
  | { write: string; content: string }
  | { answer: object };
