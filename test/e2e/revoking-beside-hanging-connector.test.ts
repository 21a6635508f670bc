// A connector that never responds to CRL requests while other authorities revoke: their CRLs are not delayed, and
// neither is shutdown.
import type { Client } from '@signetry/client';
import { findRevoked, parseCertificate, parseCrl } from '@signetry/pki';
import { startTestServer } from '@signetry/testkit/platform';
import { expect, it, onTestFinished, vi } from 'vitest';
import { issue } from './testing/certificates.ts';
import { HOSTILE_KIND, startHostileAuthority } from './testing/hostile-authority.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const REVOCATIONS = 8;
/** Far less than the 30 s timeout of a CRL request, but generous enough for a busy machine. */
const SOON_MS = 15_000;

async function issueUnder(client: Client, path: IssuingPath, name: string) {
  return issue(client, path, await makeRequest({ subject: `CN=${name}` }));
}

const revoke = (client: Client, path: IssuingPath, certificateUuid: string) =>
  client.clientOperations.revokeCertificate({ params: { ...path, certificateUuid }, body: { attributes: [] } });

it(
  'publishes a revocation within seconds, and stops within the grace period, while a connector hangs',
  { timeout: 120_000 },
  async () => {
    const hostile = await startHostileAuthority();
    onTestFinished(() => hostile.close());
    const args = ['--egress-allowed-hosts=127.0.0.1', '--stop-grace-ms=300'];
    const { client, ready, stop } = await startTestServer({ args });
    onTestFinished(stop);
    const { uuid: connectorUuid } = await client.connectors.createConnector({
      body: { name: 'hanging', url: hostile.url, authType: 'none' },
    });
    const hanging = await createAuthority(client, { name: 'Hanging CA', connectorUuid, kind: HOSTILE_KIND });
    const good = await defaultProfile(client);
    const ours = await issueUnder(client, good, 'ours.example');
    const serial = parseCertificate(ours.der).serialBytes;
    const isListed = async (): Promise<boolean> => {
      const answer = await fetch(`${ready.http}/crl/${good.authorityUuid}.crl`);
      return findRevoked(parseCrl(new Uint8Array(await answer.arrayBuffer())), serial) !== undefined;
    };
    // From here on a CRL exists, so it is not generated on the first request.
    expect(await isListed()).toBe(false);
    for (let count = 0; count < REVOCATIONS; count += 1) {
      const { uuid } = await issueUnder(client, hanging, `theirs-${count}.example`);
      await revoke(client, hanging, uuid);
    }
    await vi.waitFor(() => expect(hostile.crlCalls()).toBeGreaterThan(0), SOON_MS);

    await revoke(client, good, ours.uuid);
    await expect.poll(isListed, { timeout: SOON_MS, interval: 100 }).toBe(true);
    const started = performance.now();
    await stop();
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  },
);
