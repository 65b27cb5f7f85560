/** Tokens of the HTTP door are kept with the handoffs, and each line of history names the one that let its call in. */
export const tokensMigration = `
CREATE TABLE tokens (id text PRIMARY KEY, record text NOT NULL, last_used_at bigint);
ALTER TABLE events ADD COLUMN actor_token_id text;
`;
