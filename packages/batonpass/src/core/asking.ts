/** Set in the process of a host that is asked about a session: hooks of Baton that run there do nothing. */
export const askingVariable = 'BATON_ASKING';

/** Set for a host that `baton run` starts: its hooks have no person before them. */
export const runningVariable = 'BATON_RUNNING';

/** Set for a host that `baton doctor --live` starts: its session is one of a person's, although nobody is before it. */
export const tryingVariable = 'BATON_TRYING';
