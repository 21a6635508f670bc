import { findRevoked, parseCrl } from '@signetry/pki';
import { testDatabase } from '@signetry/testkit/database';
import { closeAfterTest, testPlatform } from '@signetry/testkit/services';
import { describe, expect, it } from 'vitest';
import { createHttpServer } from '../../platform/http/server.ts';
import { createRevocationArea } from './index.ts';
import { createTestAuthority } from './testing/authority.ts';

describe('the revocation area', () => {
  it('publishes a CRL soon after a revocation event is committed', async () => {
    const platform = testPlatform(await testDatabase());
    const authority = await createTestAuthority(platform);
    const area = createRevocationArea(platform, authority.ports);
    await platform.jobs.start();
    await platform.events.start();
    closeAfterTest(async () => {
      await platform.events.stop();
      await platform.jobs.stop();
    });
    const server = createHttpServer({ isServedHost: () => true, trustedProxies: [], onFault: () => undefined });
    area.http?.(server);
    closeAfterTest(() => server.close());
    const download = async () => {
      const answer = await server.inject({ url: `/crl/${authority.uuid}.crl` });
      return parseCrl(new Uint8Array(answer.rawPayload));
    };
    const leaves = await Promise.all(Array.from({ length: 20 }, () => authority.issue()));
    expect((await download()).crlNumber).toBe(1n);

    for (const leaf of leaves) authority.revoke(leaf);
    await platform.database.transaction(async (tx) => {
      for (const leaf of leaves) {
        const event = { certificateUuid: leaf.uuid, raProfileUuid: null, issuerCertificateUuid: authority.ca().uuid };
        await platform.events.append(tx, 'certificate_revoked', event);
      }
    });
    platform.events.wake();
    const missing = async () => {
      const list = await download();
      return leaves.filter((leaf) => findRevoked(list, leaf.certificate.serialBytes) === undefined);
    };
    await expect.poll(missing, { timeout: 8_000, interval: 50 }).toEqual([]);
    // All events arrived together, so the first CRL contains all revocations and the other jobs find nothing to do.
    const waiting = async () => {
      const rows = await platform.database.query<{ count: number }>(
        `SELECT count(*) AS count FROM job.job WHERE name = 'revocation-revoked' AND state < 'completed'`,
      );
      return rows[0]?.count;
    };
    await expect.poll(waiting, { timeout: 8_000, interval: 50 }).toBe(0);
    expect(authority.calls.crl).toBe(2);
  });
});
