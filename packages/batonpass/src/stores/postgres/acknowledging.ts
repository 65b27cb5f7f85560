import type { Handoff } from '../../core/handoff.ts';
import type { StepContext } from '../../core/lifecycle.ts';
import type { Call, HeldHandoff } from '../../core/store.ts';
import { decodeHandoff } from '../handoff-columns.ts';
import { acknowledgeHeld, acknowledgeUnread, selectAcknowledged } from './claim-statements.ts';
import type { Ledger } from './ledger.ts';
import type { Row, Statement } from './session.ts';
import type { Transaction } from './transaction.ts';
import type { Outcome } from './turns.ts';

/** An acknowledgement by the holder of a lease. */
export interface Ending {
  held: HeldHandoff;
  call: Call;
  /** Whether the handoff is answered; else its content is not read. */
  isRead: boolean;
}

/**
 * Acknowledges what one receiver holds, by one message to the server with a statement that asks for the tokens. What no row
 * answers to is judged afterwards, each alone: a refusal says why then. What was acknowledged by a message whose answer was
 * lost is found by its token.
 *
 * @param endings - of one actor, all read or none.
 */
export async function acknowledgeAll(
  ledger: Ledger,
  endings: readonly Ending[],
): Promise<readonly Outcome<Handoff | undefined>[]> {
  // Of two for one handoff the first alone is sent: the row does not tell whose token it had.
  const sent = new Map<string, Ending>();
  for (const ending of endings) if (!sent.has(ending.held.id)) sent.set(ending.held.id, ending);
  const statement = statementOf([...sent.values()]);
  const { rows, isRepeated } = await ledger.send(statement);
  const outcomes = new Map<Ending, Outcome<Handoff | undefined>>();
  if (rows[0]?.is_all === true) {
    for (const ending of sent.values()) outcomes.set(ending, { answer: undefined });
  } else {
    const found = isRepeated ? await ledger.find({ ...statement, sql: selectAcknowledged }) : [];
    for (const row of [...rows, ...found]) {
      const ending = sent.get(String(row.id));
      if (ending !== undefined) outcomes.set(ending, outcomeOf(row, ending));
    }
  }
  const rest = endings.filter((ending) => !outcomes.has(ending));
  const judged = rest.length === 0 ? [] : await judgeAll(ledger, rest);
  for (const [index, outcome] of judged.entries()) outcomes.set(rest[index] as Ending, outcome);
  return endings.map((ending) => outcomes.get(ending) as Outcome<Handoff | undefined>);
}

function statementOf(endings: readonly Ending[]): Statement {
  const [{ call, isRead }] = endings as [Ending];
  const { actor, project } = call;
  const held = { id: endings.map(({ held }) => held.id), token: endings.map(({ held }) => held.token) };
  const who = { holder: actor.name, holder_type: actor.type, project: isRead ? undefined : project };
  return { sql: isRead ? acknowledgeHeld : acknowledgeUnread, parameters: { ...held, ...who } };
}

/** A content that is damaged is its caller's trouble alone; its handoff is acknowledged. */
function outcomeOf(row: Row, { isRead }: Ending): Outcome<Handoff | undefined> {
  try {
    return { answer: isRead ? decodeHandoff(row) : undefined };
  } catch (refusal) {
    return { refusal };
  }
}

async function judgeAll(ledger: Ledger, endings: readonly Ending[]): Promise<Outcome<Handoff | undefined>[]> {
  const calls = endings.map(({ held, call }) => ({
    call,
    body: (transaction: Transaction, context: StepContext) => transaction.acknowledge(held, context),
  }));
  return ledger.answerAll<Handoff | undefined>(calls, { ids: [...new Set(endings.map(({ held }) => held.id))] });
}
