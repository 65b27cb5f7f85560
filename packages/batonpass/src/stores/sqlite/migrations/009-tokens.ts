/** Tokens of the HTTP door are kept with the handoffs, and each line of history names the one that let its call in. */
export const tokensMigration = `
CREATE TABLE tokens (id TEXT PRIMARY KEY, record TEXT NOT NULL, last_used_at INTEGER) STRICT;
ALTER TABLE events ADD COLUMN actor_token_id TEXT;
`;
