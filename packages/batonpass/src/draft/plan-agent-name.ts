/** The name of the planner: a handoff addressed to it is rendered whole, as the instructions of a planning agent. */
export const planAgentName = 'plan-agent';
