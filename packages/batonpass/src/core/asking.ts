/** Set in the process of a host that is asked about a session: hooks of Baton that run there do nothing. */
export const askingVariable = 'BATON_ASKING';
