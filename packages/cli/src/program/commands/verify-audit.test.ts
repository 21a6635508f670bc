import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, temporaryFolder } from '../testing/fake-platform.ts';

describe('audit verify', () => {
  const whole = {
    intact: true,
    verifiedAt: '2026-11-20T12:00:00Z',
    rows: 10,
    sealed: 9,
    unsealedOverdue: 0,
    gaps: [],
    gapCount: 0,
    badRecords: 0,
    brokenLinks: 0,
    purged: 0,
    ends: 0,
    endFaults: [],
  };
  const endOf = (seal: number) =>
    `00000000-0000-7000-8000-00000000000a:${seal}:12:${'ab'.repeat(32)}:${'cd'.repeat(32)}`;

  it('sends externally stored log heads, specified as values or in a file, and reports missing records', async () => {
    const file = join(temporaryFolder(), 'ends.jsonl');
    writeFileSync(
      file,
      `${JSON.stringify({ kind: 'audit-end', end: endOf(1) })}\n${JSON.stringify({ end: endOf(2) })}\n`,
    );
    const problem = 'the chain ends with seal 1; records missing after it: 4';
    const fault = { node: 'n1', seals: 3, records: 12, problem };
    const body = { ...whole, intact: false, ends: 3, endFaults: [fault] };
    const reply = ({ body: sent }: { body: unknown }) => {
      expect(sent).toEqual({ ends: [endOf(1), endOf(2), endOf(3)] });
      return { body };
    };
    const args = ['audit', 'verify', '--end', file, '--end', endOf(3)];
    const { code, out } = await ask({ 'POST /x/v1/auditLogs/verify': reply }, args);
    expect(code).toBe(1);
    expect(out).toMatch(/^Log heads compared +3$/m);
    expect(out).toMatch(new RegExp(`^Log head stored externally +node n1, 3 seals, 12 records: ${problem}$`, 'm'));
  });

  it.each([['no-such-file'], ['x:1:2:y:z']])('rejects %s as a log head', async (end) => {
    const { code, err } = await ask({}, ['audit', 'verify', '--end', end]);
    expect(code).toBe(2);
    expect(err).toContain('--end: not an audit log head, and not a readable file:');
  });

  it('exits with 0 if the log is intact', async () => {
    const { code, out } = await ask({ 'POST /x/v1/auditLogs/verify': { body: whole } }, ['audit', 'verify']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Audit log +intact$/m);
  });

  it('exits with 1 and reports the first fault if the log is not intact', async () => {
    const gaps = [
      { from: 3, to: 3 },
      { from: 5, to: 8 },
    ];
    const firstFault = {
      problem: 'the record was altered',
      node: 'n1',
      sequence: 4,
      id: 44,
      sealedAt: '2026-11-20T11:00:00Z',
    };
    const body = { ...whole, intact: false, gaps, gapCount: 7, badRecords: 1, firstFault };
    const { code, out } = await ask({ 'POST /x/v1/auditLogs/verify': { body } }, ['audit', 'verify']);
    expect(code).toBe(1);
    expect(out).toMatch(/^Audit log +not intact$/m);
    expect(out).toMatch(/^Gaps +7: 3, 5 to 8, …$/m);
    expect(out).toMatch(
      /^First fault +the record was altered: record 44 of node n1, sequence 4, sealed 2026-11-20T11:00:00Z \(1 hour ago\)$/m,
    );
    expect((await ask({ 'POST /x/v1/auditLogs/verify': { body } }, ['audit', 'verify', '--json'])).code).toBe(1);
  });
});
