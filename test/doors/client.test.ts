import { expect, expectTypeOf } from 'vitest';
import {
  catalogue,
  type OperationInput,
  type OperationName,
  type OperationOutput,
} from '../../packages/batonpass/src/index.ts';
import { createOperations, type Operations } from '../../packages/batonpass/src/operations/client.ts';
import { verifies } from '../verifies.ts';

verifies(['CLI.client'], 'each operation of the catalogue is one method, and nothing else is', async () => {
  const asked: unknown[] = [];
  const operations = createOperations(async (...given): Promise<never> => asked.push(given) as never);
  const expected: unknown[] = [];
  const methods = Object.entries(operations).flatMap(([noun, each]) =>
    Object.keys(each).map((verb) => `${noun}.${verb}`),
  );
  expect(methods).toHaveLength(Object.keys(catalogue).length);
  for (const name of Object.keys(catalogue) as OperationName[]) {
    const [noun = '', verb = ''] = name.split('.');
    const camel = verb
      .split('-')
      .map((word, at) => (at === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
      .join('');
    const method = (operations as unknown as Record<string, Record<string, (...given: unknown[]) => unknown>>)[noun]?.[
      camel
    ];
    await method?.({ name }, { idempotency_key: 'k' });
    expected.push([name, { name }, { idempotency_key: 'k' }]);
  }
  expect(asked).toEqual(expected);
});

verifies(['CLI.client'], 'a method has the types of its operation, and asks for no input where none is needed', () => {
  type Claim = Operations['handoff']['claim'];
  expectTypeOf<Parameters<Claim>[0]>().toEqualTypeOf<OperationInput<'handoff.claim'> | undefined>();
  expectTypeOf<Awaited<ReturnType<Claim>>>().toEqualTypeOf<OperationOutput<'handoff.claim'>>();
  expectTypeOf<Parameters<Operations['handoff']['get']>[0]>().toEqualTypeOf<OperationInput<'handoff.get'>>();
  expectTypeOf<Operations['plan']['readPlan']>().toBeCallableWith({ plan_directory: 'a' });
  // @ts-expect-error: an input that is needed cannot be left out.
  void ((operations: Operations) => operations.handoff.get());
  // @ts-expect-error: no operation has this name.
  void ((operations: Operations) => operations.handoff.steal());
});
