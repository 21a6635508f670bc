// Shutdown waits for connectors no longer than its grace period. Operations requested from the connector are kept and
// continue after the next start.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import { startTestServer, type TestServer } from '@signetry/testkit/platform';
import { expect, it, onTestFinished, vi } from 'vitest';
import { historyOf } from './testing/certificates.ts';
import { HOSTILE_KIND, startHostileAuthority, type HostileAuthority } from './testing/hostile-authority.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

/** Far less than the 30 s timeout of a call to an authority, but generous enough for a busy machine. */
const LONGEST_STOP_MS = 15_000;
const CERTIFICATES = 6;
/** Two runs of a platform. */
const TIMEOUT_MS = 120_000;

interface Scenario {
  readonly authority: HostileAuthority;
  /** Idempotency keys with which the authority was called. */
  readonly asked: string[];
  readonly start: () => Promise<TestServer>;
}

async function prepare(features: readonly string[]): Promise<Scenario> {
  const directory = await mkdtemp(join(tmpdir(), 'signetry-e2e-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const authority = await startHostileAuthority({ features });
  onTestFinished(() => authority.close());
  const args = ['--egress-allowed-hosts=127.0.0.1', '--issue-wait-ms=1000', '--stop-grace-ms=300'];
  return { authority, asked: [], start: () => startTestServer({ directory, keepData: true, args }) };
}

async function makePath(client: Client, { url }: HostileAuthority): Promise<IssuingPath> {
  const { uuid } = await client.connectors.createConnector({ body: { name: 'hanging', url, authType: 'none' } });
  return createAuthority(client, { name: 'Hanging CA', connectorUuid: uuid, kind: HOSTILE_KIND });
}

/** Requests certificates from an authority that does not respond, and stops during the calls; returns their UUIDs. */
async function stopDuringCalls({ authority, asked, start }: Scenario): Promise<readonly string[]> {
  authority.onIssue(({ key }) => {
    asked.push(key);
    return new Promise(() => undefined);
  });
  const { client, stop } = await start();
  const path = await makePath(client, authority);
  const ask = async (_unused: unknown, number: number): Promise<string> => {
    const { pem } = await makeRequest({ subject: `CN=hanging-${number}.example` });
    const body = { request: pem, attributes: [] };
    return (await client.clientOperations.issueCertificate({ params: path, body })).uuid;
  };
  const uuids = await Promise.all(Array.from({ length: CERTIFICATES }, ask));
  expect(asked).toHaveLength(CERTIFICATES);
  const started = performance.now();
  await stop();
  expect(performance.now() - started).toBeLessThan(LONGEST_STOP_MS);
  return uuids;
}

const detail = (client: Client, uuid: string) => client.certificates.getCertificate({ params: { uuid } });

it(
  'certificates from an authority that supports idempotency are issued after the next start, with the same idempotency keys',
  { timeout: TIMEOUT_MS },
  async () => {
    const scene = await prepare([IDEMPOTENCY_FEATURE]);
    const uuids = await stopDuringCalls(scene);
    const again: string[] = [];
    scene.authority.onIssue((asked) => {
      again.push(asked.key);
      return scene.authority.issueProperly(asked);
    });
    const { client } = await scene.start();
    for (const uuid of uuids)
      await vi.waitFor(async () => expect((await detail(client, uuid)).state).toBe('issued'), { timeout: 20_000 });
    expect(again.toSorted()).toEqual(scene.asked.toSorted());
  },
);

it(
  'certificates from any other authority stay undecided, and the authority is not called again',
  { timeout: TIMEOUT_MS },
  async () => {
    const scene = await prepare([]);
    const uuids = await stopDuringCalls(scene);
    const { client } = await scene.start();
    for (const uuid of uuids) {
      expect((await detail(client, uuid)).state).toBe('pending_issue');
      expect((await historyOf(client, uuid))[0]).toContain('the call was aborted');
    }
    expect(scene.asked).toHaveLength(CERTIFICATES);
  },
);
