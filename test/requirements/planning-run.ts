import { declare } from './declare.ts';

/** The planning agent: a model plans a held handoff, and any agent can do the same with the operations. */
export const planningRun = {
  ...declare('issue "Brainstorm to plan", 4 and 5', 'planning', {
    'PLANRUN.whole': 'A run claims, plans by a model, writes the plan, opens the next handoff and acknowledges.',
    'PLANRUN.prompt': "The model's instructions are exactly the bytes that were approved; others are refused.",
    'PLANRUN.steps': 'Each step is kept with its tools, text, tokens, cost and time, and can be read later.',
    'PLANRUN.chunks': 'What a model answers can be followed as it comes.',
    'PLANRUN.repair': 'The error of a wrong plan is returned to the model, which can correct the plan.',
    'PLANRUN.ends':
      'A refused call ends no run, and a plan that was written is kept where its model stops without reporting completion.',
    'PLANRUN.skeleton': 'Where the model writes no plan, a labelled skeleton replaces it.',
    'PLANRUN.failure': 'A run that cannot complete fails with the reason in words, and writes nothing.',
    'PLANRUN.retry': 'A request that fails temporarily is retried after a wait, a bounded number of times.',
    'PLANRUN.stop': 'A caller that stops the run releases the handoff, and the run rejects with AbortError.',
    'PLANRUN.lease': 'The lease is renewed during a run; a run that loses it stops and writes nothing.',
    'PLANRUN.kill': 'After a kill the lease lapses and another run takes over: one plan, one next handoff.',
    'PLANRUN.again': 'A planned handoff can be planned again; an approval is carried over only to the same bytes.',
    'PLANRUN.key': 'The same idempotency key returns the outcome of its run again, and plans nothing again.',
    'PLANRUN.choice':
      'Without an id the oldest open one for the planning agent is planned; else what is open is named.',
    'PLANRUN.no-model': 'Without a model the error names the command that needs none.',
    'PLANRUN.hostile': 'A model’s output is bounded and masked before it is kept.',
    'PLANRUN.by-agent': 'Any agent that holds a handoff can read its snapshot, add decisions and complete the plan.',
    'PLANRUN.background':
      'A started run continues when any client leaves, is stopped by its own operation, and ends with its program, which reports that.',
    'PLANRUN.go-on':
      'An interrupted run resumes from its last kept step on request: no kept step is requested again, and no tool takes effect twice.',
    'PLANRUN.step': 'All of a step can be read, however long it is.',
    'PLANRUN.list': 'The runs of a project are listed with model, steps, tokens, cost, duration and outcome.',
    'PLANRUN.live': 'The current step of a run is reported to every event stream of its project.',
    'PLANRUN.runs': 'Every attempt is shown from the history, with its outcome.',
  }),
} as const;
