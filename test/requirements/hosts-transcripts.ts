import { declare } from './declare.ts';

/** How a hook reads a transcript that grows, and how it detects that its handoff reached the receiver. */
export const hostsTranscripts = {
  ...declare('design, transcripts', 'hosts', {
    'GROW.equal': 'A transcript read in steps gives the same conversation as one read whole, at every byte.',
    'GROW.new-bytes': 'Of what was read before, only two samples are read again.',
    'GROW.replaced': 'A transcript that was replaced, shortened or rewritten is read from its start.',
    'GROW.masked': 'What is kept between two readings holds no secret, whole or in part.',
    'GROW.bounded': 'What is kept between two readings has a bound; beyond it each reading is whole.',
    'GROW.errors': 'Only a transcript that grows by rows can be continued; any other is refused with its format.',
  }),
  ...declare('design, proof of injection', 'hosts', {
    'PROOF.found':
      "The rendered bytes, the handoff's id and their hash in the content of a hook's row prove an injection.",
    'PROOF.not-delivered': 'A hook’s output, a stub, a text that was cut or only a part of the three is no proof.',
    'PROOF.only-hooks': 'No message, tool result or row of a subagent is a proof, for any content.',
    'PROOF.hostile': 'A hostile, torn or absent transcript gives no proof and no failure, within bounded memory.',
    'PROOF.gemini':
      'In a chat file of Gemini CLI a message between its marks of a hook, or such a last part of a prompt, is the proof.',
    'PROOF.copilot': 'In Copilot CLI the prompt as the model got it, with what hooks added, is the proof.',
    'PROOF.opencode': 'In OpenCode the part that was added to a prompt and stored with it is the proof.',
    'PROOF.codex': 'In a Codex rollout the part of a developer’s message that the host marks as a hook’s is the proof.',
  }),
  ...declare('hosts, Claude Code', 'hosts', {
    'HOST.runs-hooks': 'The simulated host runs the registered hooks as real processes, as its documentation says.',
    'HOST.judges-output': 'The simulated host lets in, drops, spills and blocks by the rules of its documentation.',
  }),
} as const;
