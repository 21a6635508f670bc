// Shared by the CRL tests: a node that serves CRLs over HTTP, and its client.
import { parseCrl } from '@signetry/pki';
import { closeAfterTest, createFakeClock, testPlatform } from '@signetry/testkit/services';
import type { Database } from '../../../platform/database/database.ts';
import { createTestAuthority } from './authority.ts';
import { startTestNode, type TestNode } from './node.ts';

/** Creates an authority with its own clock and node, and a relying party that downloads its CRLs. */
export async function setUpCrls(database: Database) {
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock });
  const authority = await createTestAuthority(platform);
  const node = await startTestNode(platform, authority.ports);
  closeAfterTest(node.close);
  const download = (path = `${authority.uuid}.crl`, headers: Record<string, string> = {}) =>
    fetch(`${node.url}/crl/${path}`, { headers });
  const crl = async (path?: string) => parseCrl(new Uint8Array(await (await download(path)).arrayBuffer()));
  const event = (uuid: string) => ({
    certificateUuid: uuid,
    raProfileUuid: null,
    issuerCertificateUuid: authority.ca().uuid,
  });
  const announce = async (uuid: string) => {
    await node.parts.issuers.of(authority.uuid);
    await node.parts.jobs.afterRevocation(event(uuid));
    await node.parts.jobs.idle();
  };
  const schedule = () => onSchedule(node);
  /** Simulates the end of the pause after a failure. */
  const endPause = () =>
    database.query('UPDATE revocation_duty SET due_at = now() WHERE authority_uuid = $1', [authority.uuid]);
  /** Simulates the end of the pause before the next attempt for a revocation. */
  const tryAgain = async () => {
    await database.query('UPDATE awaited_revocation SET due_at = now() WHERE authority_uuid = $1', [authority.uuid]);
    await node.parts.awaited.fill();
    await node.parts.awaited.idle();
  };
  const secondNode = async () => {
    const other = await startTestNode(testPlatform(database, { clock }), authority.ports);
    closeAfterTest(other.close);
    return other;
  };
  return { clock, platform, authority, node, download, crl, announce, schedule, endPause, tryAgain, secondNode };
}

/** Runs the work that every node does once a minute, and waits for its effects. */
export async function onSchedule({ parts }: TestNode): Promise<void> {
  await parts.jobs.onSchedule();
  await parts.jobs.idle();
}
