import { describe, expect, it } from 'vitest';
import { createRejectionDigest, DIGEST_WINDOW_MS } from './rejection-digest.ts';
import type { AuditRecord } from './record.ts';

function digestOverTime() {
  let nowMs = 0;
  const written: AuditRecord[] = [];
  const digest = createRejectionDigest({
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
    writeRecord: async (record) => void written.push(record),
  });
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { digest, written, advance };
}

const rejection = (operation: string): AuditRecord =>
  // Only the members that a summary uses.
  ({ resource: 'groups', operation, message: `${operation} rejected.`, additional_data: null }) as AuditRecord;
const messages = (records: readonly AuditRecord[]) => records.map(({ message }) => message);

describe('rejected requests from one source', () => {
  it('are recorded immediately at first, then summarized once a minute with their number and kinds', async () => {
    const { digest, written, advance } = digestOverTime();
    for (const operation of ['create', 'create', 'delete']) await digest.note('192.0.2.1', rejection(operation));
    expect(messages(written)).toEqual(['create rejected.']);
    await digest.settle();
    expect(written).toHaveLength(1);
    advance(DIGEST_WINDOW_MS);
    await digest.settle();
    expect(written[1]).toMatchObject({
      message: 'delete rejected. Last of 2 rejected requests from this source within a minute.',
      additional_data: { refusedRequests: { 'groups: create': 1, 'groups: delete': 1 } },
    });
    await digest.note('192.0.2.1', rejection('create'));
    expect(written).toHaveLength(2);
  });

  it('are recorded immediately again after a minute without any rejected requests', async () => {
    const { digest, written, advance } = digestOverTime();
    await digest.note('192.0.2.1', rejection('create'));
    advance(DIGEST_WINDOW_MS);
    await digest.settle();
    await digest.note('192.0.2.1', rejection('update'));
    expect(messages(written)).toEqual(['create rejected.', 'update rejected.']);
  });

  it('are summarized as soon as the minute has passed, without waiting for the next run', async () => {
    const { digest, written, advance } = digestOverTime();
    for (let at = 0; at < 3; at += 1) await digest.note('192.0.2.1', rejection('create'));
    advance(DIGEST_WINDOW_MS);
    await digest.note('192.0.2.1', rejection('delete'));
    expect(messages(written)).toEqual([
      'create rejected.',
      'delete rejected. Last of 3 rejected requests from this source within a minute.',
    ]);
  });

  it('are written when the platform stops', async () => {
    const { digest, written } = digestOverTime();
    for (let at = 0; at < 3; at += 1) await digest.note('192.0.2.1', rejection('create'));
    await digest.settle({ everything: true });
    expect(written).toHaveLength(2);
    await digest.settle({ everything: true });
    expect(written).toHaveLength(2);
  });
});

describe('rejected requests from a very large number of sources', () => {
  it('share one summary, which limits the memory used and the size of the audit trail', async () => {
    const { digest, written, advance } = digestOverTime();
    for (let at = 0; at < 2_000; at += 1) await digest.note(`192.0.2.${at}`, rejection('create'));
    expect(written.length).toBeLessThanOrEqual(501);
    advance(DIGEST_WINDOW_MS);
    await digest.settle();
    expect(written.length).toBeLessThanOrEqual(502);
    expect(written.at(-1)?.message).toMatch(/Last of 1499 rejected requests/);
  });
});
