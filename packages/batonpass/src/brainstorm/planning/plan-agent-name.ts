/** Who plans: a handoff addressed to it is rendered whole, as instructions in source 5's form. */
export const planAgentName = 'plan-agent';
