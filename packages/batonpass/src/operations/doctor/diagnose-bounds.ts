/** How long parts of a diagnosis may take, in milliseconds: a person waits for all of them. */
export interface DiagnosisBounds {
  /** For a command that only tells its version; npx may look around first. */
  tell_ms: number;
  /** For all hooks together; one that hangs must not keep a person waiting for the others. */
  hooks_ms: number;
  /** Less than this says nothing about a hook. */
  hook_ms_min: number;
  /** For a save in the background. */
  save_ms: number;
  /** For one conversation with the server, its start included; npx may look around first. */
  talk_ms: number;
  /** For the server to end after its input has; one that stays is left behind by hosts as a process of nobody's. */
  end_ms: number;
  /** For one turn of a host's own program, its start included; some need half a minute the first time. */
  turn_ms: number;
}

/** What a person is asked to wait for at the most, where everything hangs. */
export const diagnosisBounds: DiagnosisBounds = {
  tell_ms: 4_000,
  hooks_ms: 11_000,
  hook_ms_min: 1_000,
  save_ms: 5_000,
  talk_ms: 5_000,
  end_ms: 2_000,
  turn_ms: 90_000,
};
