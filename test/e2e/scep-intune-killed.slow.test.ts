// A node that is killed after issuing a certificate and before notifying Microsoft Intune: the next start notifies it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { APPLICATION_ID, CHALLENGE, startIntuneService, TENANT, type IntuneService } from './testing/intune-service.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { defaultProfile } from './testing/profiles.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';
import { caCertificates, post } from './testing/scep-client.ts';
import { makeDevice, makeMessage, requestOf } from './testing/scep-messages.ts';
import { addScepProfile, makeScepCertificate } from './testing/scep-profiles.ts';

const nodes = createSharedDatabase();
const folder = temporaryFolder();
let intune: IntuneService;

beforeAll(async () => {
  intune = await startIntuneService();
});

afterAll(() => intune.close());

const startNode = async (name: string, faultPoint?: string) =>
  startProgram({
    directory: join(folder, name),
    args: [...(await nodes.nodeArgs()), ...intune.args, '--https=off', '--log-level=debug'],
    ...(faultPoint === undefined ? {} : { environment: { SIGNETRY_FAULT_POINT: faultPoint } }),
  });

it(
  'notifies Intune of the certificate after a restart, and the key does not appear in any log',
  { timeout: 180_000 },
  async () => {
    const dying = await startNode('dying', 'enrollment.beforeSettled');
    const path = await defaultProfile(dying.client);
    const added = await addScepProfile(dying.client, {
      caCertificateUuid: await makeScepCertificate(dying.client, path),
      raProfileUuid: path.raProfileUuid,
      enableIntune: true,
      intuneTenant: TENANT,
      intuneApplicationId: APPLICATION_ID,
      intuneApplicationKey: intune.applicationKey,
    });
    const url = `${dying.ready.http}${new URL(added.url).pathname}`;
    const [recipient = expect.fail('no CA certificate')] = await caCertificates(url);
    const device = await makeDevice('CN=managed.example');
    const transactionId = randomUUID();
    const content = requestOf(device, CHALLENGE);
    const message = await makeMessage({ type: 'PKCSReq', transactionId, content, signer: device, recipient });
    const died = once(dying.child, 'exit');
    await expect(post(url, message)).rejects.toThrow();
    expect(await died).toContain('SIGKILL');
    expect(intune.named('successNotification')).toEqual([]);

    intune.fail('successNotification', 500);
    const next = await startNode('next');
    const expectNotified = async () => {
      await nodes.query('UPDATE scep_intune_notice SET next_at = now()');
      expect(intune.named('successNotification')).toMatchObject([{ notification: { transactionId } }]);
    };
    await vi.waitFor(expectNotified, { timeout: 30_000, interval: 250 });
    await vi.waitFor(async () => expect(await nodes.query('SELECT FROM scep_intune_notice')).toEqual([]), 10_000);
    expect(next.stderr()).toContain('could not notify Microsoft Intune');
    for (const { stdout, stderr } of [dying, next]) {
      expect(`${stdout()}${stderr()}`).not.toContain(intune.applicationKey);
      expect(`${stdout()}${stderr()}`).not.toMatch(/Bearer|client_secret/);
    }
  },
);
