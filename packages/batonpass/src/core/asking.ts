/** Set in the process of a host that is asked about a session: hooks of Baton that run there do nothing. */
export const askingVariable = 'BATON_ASKING';

/** Set for a host that `baton run` starts: its hooks have no person before them. */
export const runningVariable = 'BATON_RUNNING';
