// A stop waits for no connector longer than its grace. What the connector was asked for stays, and goes on after the
// next start.
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

/** Far less than the 30 s after which a call to an authority ends by itself; generous to a busy machine. */
const LONGEST_STOP_MS = 15_000;
const CERTIFICATES = 6;
/** Two runs of a platform. */
const TIMEOUT_MS = 120_000;

interface Scene {
  readonly authority: HostileAuthority;
  /** Keys under which the authority was asked. */
  readonly asked: string[];
  readonly start: () => Promise<TestServer>;
}

async function prepare(features: readonly string[]): Promise<Scene> {
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

/**
 * Asks for certificates of an authority that does not answer, and stops while it is asked; answers their identifiers.
 */
async function stopWhileAsked({ authority, asked, start }: Scene): Promise<readonly string[]> {
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
  'has the certificates of an authority that replays issued after the next start, under the same keys',
  { timeout: TIMEOUT_MS },
  async () => {
    const scene = await prepare([IDEMPOTENCY_FEATURE]);
    const uuids = await stopWhileAsked(scene);
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

it('leaves those of any other authority undecided, and does not ask it again', { timeout: TIMEOUT_MS }, async () => {
  const scene = await prepare([]);
  const uuids = await stopWhileAsked(scene);
  const { client } = await scene.start();
  for (const uuid of uuids) {
    expect((await detail(client, uuid)).state).toBe('pending_issue');
    expect((await historyOf(client, uuid))[0]).toContain('the call was aborted');
  }
  expect(scene.asked).toHaveLength(CERTIFICATES);
});
