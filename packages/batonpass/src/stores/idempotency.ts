import { hashJson } from '../core/canonical-json.ts';
import type { CompletedContent } from '../core/complete-content.ts';
import { HandoffError } from '../core/errors.ts';
import type { Call, ClaimRequest, CreateOptions, NewHandoff } from '../core/store.ts';
import type { Step } from '../core/transitions.ts';

/** A keyed call: where its answer is remembered, and which request that answer belongs to. */
export interface KeyedRequest {
  /** Hash of (project, actor, operation, key): one column, no matter what the names contain. */
  key_sha256: string;
  request_sha256: string;
}

/** What a writing call asks for. */
export type WriteRequest =
  | ({ handoffs: readonly NewHandoff[] } & CreateOptions)
  | { claim: ClaimRequest }
  | { transition: { id: string; step: Step } };

/** The identity of a keyed call; undefined where the call carries no key. */
export function identifyRequest(call: Call, request?: WriteRequest): KeyedRequest | undefined {
  const { project, actor, operation, idempotency_key } = call;
  if (idempotency_key === undefined) return undefined;
  return {
    key_sha256: hashJson([project, actor.name, actor.type, operation, idempotency_key]),
    request_sha256: hashJson(call.request ?? (request === undefined ? null : withoutContents(request))),
  };
}

/** @throws HandoffError `conflict` where the key was used for another request. */
export function assertSameRequest(call: Call, remembered_sha256: string, keyed: KeyedRequest): void {
  if (remembered_sha256 === keyed.request_sha256) return;
  const { operation, idempotency_key } = call;
  throw new HandoffError(
    'conflict',
    `The idempotency key "${idempotency_key}" was already used for another input of ${operation}.`,
    {
      details: { operation, idempotency_key },
      alternatives: ['Use a new key for a new request.', 'Repeat the first request unchanged to get its answer again.'],
    },
  );
}

/** A content is as good as its hash, and the hash is there already. */
function withoutContents(request: WriteRequest): unknown {
  if ('handoffs' in request) {
    const { handoffs, acknowledges } = request;
    const added = handoffs.map(withoutTexts);
    return acknowledges === undefined ? added : { added, acknowledges };
  }
  if ('transition' in request && request.transition.step.type === 'edit') {
    return { id: request.transition.id, step: withoutTexts(request.transition.step) };
  }
  return request;
}

function withoutTexts<T extends CompletedContent>({
  content: _content,
  content_json: _content_json,
  payload_json: _payload_json,
  ...rest
}: T): object {
  return rest;
}
