/** How long parts of a diagnosis may take, in milliseconds: a person waits for all of them. */
export interface DiagnosisBounds {
  /** For a command that only prints its version; npx may search first. */
  tell_ms: number;
  /** For all hooks together; one that hangs must not keep a person waiting for the others. */
  hooks_ms: number;
  /** A shorter time shows nothing about a hook. */
  hook_ms_min: number;
  /** For a save in the background. */
  save_ms: number;
  /** For one conversation with the server, its start included; npx may search first. */
  talk_ms: number;
  /** For the server to end after its input has; hosts leave one that stays behind as an orphan process. */
  end_ms: number;
  /** For one turn of a host's own program, its start included; some need half a minute the first time. */
  turn_ms: number;
}

/** The longest time that a person waits, where everything hangs. */
export const diagnosisBounds: DiagnosisBounds = {
  tell_ms: 4_000,
  hooks_ms: 11_000,
  hook_ms_min: 1_000,
  save_ms: 5_000,
  talk_ms: 5_000,
  end_ms: 2_000,
  turn_ms: 90_000,
};
