import { assertSchema } from './place.ts';

/**
 * The names of a schema's roles, which are granted to the users who log in. The owner owns schema and tables: prunes, backs
 * up. An agent creates, claims and ends handoffs, removes none, and changes no history. A monitor reads numbers and ages.
 */
export function rolesOf(schema: string) {
  return { owner: `${schema}_owner`, agent: `${schema}_agent`, monitor: `${schema}_monitor` };
}

/**
 * The SQL that divides the rights to a store among three roles. It is run by a superuser, or by the database's owner with
 * CREATEROLE, on a store that is there, in one transaction; again after each update of its form, as often as one likes.
 * @throws HandoffError `invalid_input` for a schema that Baton cannot use.
 */
export function writeRoles(schema: string): string {
  assertSchema(schema);
  const { owner, agent, monitor } = rolesOf(schema);
  return `-- The roles of the Baton store in the schema ${schema}. Run it again after each update of the store's form.
BEGIN;
SET LOCAL client_min_messages = warning;
DO $$
DECLARE
  wanted text;
  owned record;
BEGIN
  IF to_regclass('${schema}.baton_schema') IS NULL THEN
    RAISE EXCEPTION 'There is no store in the schema ${schema} yet.'
      USING HINT = 'Make it first: baton store migrate --store postgres://USER@HOST/DATABASE';
  END IF;
  FOREACH wanted IN ARRAY ARRAY['${owner}', '${agent}', '${monitor}'] LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
    END IF;
  END LOOP;
  -- Only a member of the owner can give it what is there.
  IF NOT pg_has_role(current_user, '${owner}', 'MEMBER') THEN
    EXECUTE format('GRANT ${owner} TO %I', current_user);
  END IF;
  FOR owned IN SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind IN ('r', 'p') LOOP
    EXECUTE format('ALTER TABLE ${schema}.%I OWNER TO ${owner}', owned.relname);
  END LOOP;
  ALTER SCHEMA ${schema} OWNER TO ${owner};
END $$;

${countingFunctions(schema)}

REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC, ${agent}, ${monitor};
REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC, ${agent}, ${monitor};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM PUBLIC, ${agent}, ${monitor};
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC, ${agent}, ${monitor};
GRANT USAGE ON SCHEMA ${schema} TO ${agent}, ${monitor};

-- Agents move handoffs and add history. They delete neither, and of a line of history they only give its place.
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA ${schema} TO ${agent};
REVOKE INSERT ON ${schema}.baton_schema FROM ${agent};
GRANT UPDATE ON ${schema}.handoffs, ${schema}.deliveries TO ${agent};
GRANT UPDATE (seq) ON ${schema}.events TO ${agent};
GRANT UPDATE, DELETE ON ${schema}.answers TO ${agent};
-- Who serves others over HTTP is the owner: tokens are no agent's to read or to make.
REVOKE ALL ON ${schema}.tokens FROM ${agent};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${agent};

GRANT EXECUTE ON FUNCTION ${schema}.monitor_queues(), ${schema}.monitor_store() TO ${monitor};
COMMIT;

-- Then, for each user: GRANT ${agent} TO ada;
`;
}

/** They run with the owner's rights and use indexes of their own: a caller that polls every few seconds reads no history. */
const countingFunctions = (schema: string) => {
  const { owner } = rolesOf(schema);
  const of = (state: string) => `SELECT project, state, count(*), min(created_at) FROM deliveries
  WHERE state = '${state}' GROUP BY project, state`;
  return `-- What somebody still has to act on: how many of each project and state, and the age of the oldest.
DROP FUNCTION IF EXISTS ${schema}.monitor_queues(), ${schema}.monitor_store();
CREATE FUNCTION ${schema}.monitor_queues()
RETURNS TABLE (project text, state text, handoffs bigint, oldest_s bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
SELECT counted.project, counted.state, counted.count,
  floor(extract(epoch FROM clock_timestamp()) - counted.min / 1000.0)::bigint
FROM (
  ${['open', 'claimed', 'draft', 'waiting', 'dead'].map(of).join('\n  UNION ALL\n  ')}
) AS counted ORDER BY 1, 2 $$;

-- The store as a whole; \`about\` and \`dead_rows\` are the server's own estimates.
CREATE FUNCTION ${schema}.monitor_store()
RETURNS TABLE (form integer, handoffs_about bigint, leases_overdue bigint, dead_rows bigint, bytes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
SELECT (SELECT version FROM baton_schema),
  (SELECT coalesce(sum(n_live_tup), 0)::bigint FROM pg_stat_user_tables
    WHERE schemaname = '${schema}' AND relname = 'handoffs'),
  (SELECT count(*) FROM deliveries
    WHERE state = 'claimed' AND lease_expires_at <= floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint),
  (SELECT coalesce(sum(n_dead_tup), 0)::bigint FROM pg_stat_user_tables WHERE schemaname = '${schema}'),
  (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
    WHERE relnamespace = '${schema}'::regnamespace AND relkind IN ('r', 'p')) $$;
ALTER FUNCTION ${schema}.monitor_queues() OWNER TO ${owner};
ALTER FUNCTION ${schema}.monitor_store() OWNER TO ${owner};
`;
};
