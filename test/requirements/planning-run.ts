import { declare } from './declare.ts';

/** The planning agent: a model plans a held handoff, and any agent can do the same by hand. */
export const planningRun = {
  ...declare('issue "Brainstorm to plan", 4 and 5', 'planning', {
    'PLANRUN.whole': 'A run claims, plans by a model, writes the plan, opens the next handoff and acknowledges.',
    'PLANRUN.prompt': "The model's instructions are exactly the bytes that were approved; others are refused.",
    'PLANRUN.steps': 'Each step is kept with its tools, text, tokens, cost and time, and can be read later.',
    'PLANRUN.chunks': 'What a model answers can be followed as it comes.',
    'PLANRUN.repair': 'A plan that is wrong is answered to the model, which can put it right.',
    'PLANRUN.ends':
      'A refused call ends no run, and a plan that was written is kept where its model stops without saying so.',
    'PLANRUN.skeleton': 'Where the model writes no plan, a skeleton stands in and says so.',
    'PLANRUN.failure': 'A run that cannot complete fails with the reason in words, and writes nothing.',
    'PLANRUN.retry': 'What passes is asked again after a wait, a bounded number of times.',
    'PLANRUN.stop': 'A caller that stops releases the handoff, and the run rejects with AbortError.',
    'PLANRUN.lease': 'The lease is renewed while a run goes; who loses it stops and writes nothing.',
    'PLANRUN.kill': 'After a kill the lease lapses and another run takes over: one plan, one next handoff.',
    'PLANRUN.again': 'What was planned can be planned again; an approval is carried only to the same bytes.',
    'PLANRUN.key': 'The same idempotency key answers once more what its run came to, and plans nothing again.',
    'PLANRUN.choice':
      'Without an id the oldest open one for the planning agent is planned; else what is open is named.',
    'PLANRUN.no-model': 'Without a model the error names the way that needs none.',
    'PLANRUN.hostile': 'What a model gives is bounded and masked before it is kept.',
    'PLANRUN.by-agent': 'Any agent that holds a handoff can read its snapshot, add decisions and complete the plan.',
    'PLANRUN.background':
      'A run that was started goes on whoever leaves, is stopped by its own operation, and ends with its program, which says so.',
    'PLANRUN.go-on':
      'An interrupted run goes on from its last kept step when it is asked to: no kept step is asked for again, and no tool takes effect twice.',
    'PLANRUN.step': 'All of a step can be read, however long it is.',
    'PLANRUN.list': 'The runs of a project are listed with model, steps, tokens, cost, duration and outcome.',
    'PLANRUN.live': 'The step that a run is at is told to every stream of events of its project.',
    'PLANRUN.runs': 'Every attempt is told from the history, with how it ended.',
  }),
} as const;
