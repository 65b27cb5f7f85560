import { describe, expect, it } from 'vitest';
import { type Line, readHistory } from './history.ts';

describe('a history', () => {
  const begun = (call: string, begun_us: number): Line => ({
    call,
    begun_us,
    begun_clock_ms: 0,
    actor: 'ada',
    verb: 'claim',
  });

  it('is read in the order of the beginnings; what was never answered is unknown and never ended', () => {
    const lines: Line[] = [
      begun('b', 2),
      begun('a', 1),
      { call: 'b', came: 'ok', leases: [], ended_us: 3, ended_clock_ms: 0 },
    ];
    const [first, second] = readHistory(lines);
    expect(first).toMatchObject({ call: 'a', came: 'unknown', ended_us: Number.POSITIVE_INFINITY });
    expect(second).toMatchObject({ call: 'b', came: 'ok', begun_us: 2, ended_us: 3 });
  });

  it('is refused where two operations have one name, or an answer has no operation', () => {
    expect(() => readHistory([begun('a', 1), begun('a', 2)])).toThrow('two operations a');
    expect(() => readHistory([{ call: 'a', came: 'ok', ended_us: 1, ended_clock_ms: 0 }])).toThrow('no operation: a');
  });
});
