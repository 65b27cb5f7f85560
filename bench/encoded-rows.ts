import type { SQLInputValue } from 'node:sqlite';
import { createIdSource } from '../packages/batonpass/src/core/id-source.ts';
import { begin } from '../packages/batonpass/src/core/lifecycle-begin.ts';
import type { NewHandoff } from '../packages/batonpass/src/core/store.ts';
import { encodeEvent } from '../packages/batonpass/src/stores/event-columns.ts';
import {
  type Columns,
  encodeContent,
  encodeDelivery,
  encodeOrigin,
} from '../packages/batonpass/src/stores/handoff-columns.ts';
import { project, writer } from './sample-work.ts';

const createId = createIdSource({ random: Math.random });

/** What is written of one new handoff, ready to be bound by place. */
export interface HandoffRows {
  columns: SQLInputValue[];
  event: SQLInputValue[];
}

/** The columns of a new handoff and of its line of history, as the store would write them. */
export function encodeHandoff(given: NewHandoff): { columns: Columns; event: Columns } {
  const now_ms = Date.now();
  const { handoff, event } = begin(given, { id: createId(now_ms), actor: writer, now_ms });
  const { content_json } = given;
  const columns = {
    ...encodeOrigin(handoff),
    ...encodeContent({ ...handoff, content_json }),
    ...encodeDelivery(handoff.delivery),
  };
  return { columns, event: encodeEvent(event, project) };
}
