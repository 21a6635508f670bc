// SCEP with certmonger, a daemon that keeps a machine's certificates up to date: it enrolls, renews with the same key
// and with a new one, and polls pending requests. It is started for each call, with files of the test only.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import type { ScepProfileRequestDto } from '@signetry/contract';
import { parseCertificate, readDerOrPem, type Certificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { skipNote, STORY_TIMEOUT_MS, succeed, versionOf } from './testing/foreign-programs.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';
import { addScepProfile, makeScepCertificate } from './testing/scep-profiles.ts';

const VERSION = versionOf('certmonger', '-v');
const CHALLENGE = 'of-the-factory';
const server = sharedTestServer();
const folder = temporaryFolder();
let client: Client;
let path: IssuingPath;
let caCertificateUuid: string;
let environment: Record<string, string>;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  if (VERSION === undefined) return;
  caCertificateUuid = await makeScepCertificate(client, path);
  const directories = ['REQUESTS_DIR', 'CAS_DIR', 'TMPDIR', 'CONFIG_DIR', 'LOCAL_CA_DIR'].map(
    (name) => [`CERTMONGER_${name}`, join(folder, name.toLowerCase())] as const,
  );
  await Promise.all(directories.map(([, directory]) => mkdir(directory)));
  environment = Object.fromEntries(directories);
});

/** Runs the daemon on a separate socket while this shell command runs; returns the output. */
async function runWithDaemon(command: string): Promise<string> {
  const script = join(folder, 'command.sh');
  await writeFile(script, `${command}\n`);
  return succeed('certmonger', ['-L', '-n', '-c', `sh ${script}`], { folder, environment });
}

const getcert = (command: string): Promise<string> => runWithDaemon(`getcert ${command}`);

/** Registers a profile with the daemon under this name, at the URL that is shown to devices. */
async function addAuthority(name: string, settings: Partial<ScepProfileRequestDto> = {}): Promise<void> {
  const wish = { challengePassword: CHALLENGE, renewalThreshold: 3650, ...settings };
  const { url } = await addScepProfile(client, { caCertificateUuid, raProfileUuid: path.raProfileUuid, ...wish });
  await getcert(`add-scep-ca -c ${name} -u ${url}`);
}

/** Request, key file and certificate file share the name. */
const request = (authority: string, name: string, challenge = CHALLENGE): string =>
  `request -w -v -I ${name} -c ${authority} -k ${folder}/${name}.key -f ${folder}/${name}.crt -N CN=${name} -D ${name} -L ${challenge}`;

async function certificateOf(name: string): Promise<Certificate> {
  const pem = await readFile(join(folder, `${name}.crt`), 'utf8');
  const key = await readFile(join(folder, `${name}.key`), 'utf8');
  expect(new X509Certificate(pem).checkPrivateKey(createPrivateKey(key))).toBe(true);
  return parseCertificate(readDerOrPem(pem, ['CERTIFICATE']));
}

async function readCertificate({ serialNumber }: Certificate) {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
  const { uuid } =
    certificates.find((each) => each.serialNumber === serialNumber) ?? expect.fail('not in the inventory');
  return client.certificates.getCertificate({ params: { uuid } });
}

const keyOf = ({ publicKey }: Certificate): string => Buffer.from(publicKey.spki).toString('hex');

describe.skipIf(VERSION === undefined)(
  `certmonger${skipNote('certmonger', VERSION)}`,
  { timeout: STORY_TIMEOUT_MS },
  () => {
    it('enrolls with the challenge password, and renews both with the same key and with a new key', async () => {
      await addAuthority('Renewing');
      const name = 'machine.example';
      expect(await getcert(request('Renewing', name))).toContain('State MONITORING');
      const first = await certificateOf(name);
      expect(await readCertificate(first)).toMatchObject({ commonName: name, state: 'issued' });

      await getcert(`resubmit -w -i ${name}`);
      const second = await certificateOf(name);
      await getcert(`rekey -w -i ${name}`);
      const third = await certificateOf(name);
      expect([keyOf(second) === keyOf(first), keyOf(third) === keyOf(second)]).toEqual([true, false]);
      expect((await readCertificate(second)).relatedCertificates).toContainEqual(
        expect.objectContaining({ serialNumber: first.serialNumber }),
      );
      expect((await readCertificate(third)).relatedCertificates).toContainEqual(
        expect.objectContaining({ serialNumber: second.serialNumber }),
      );
    });

    it('waits for manual approval, and gets the certificate once it is issued', async () => {
      await addAuthority('Careful', { requireManualApproval: true });
      const name = 'waiting.example';
      expect(await getcert(request('Careful', name))).toContain('State CA_WORKING');
      const [waiting] = (await client.enrollments.listEnrollments({ query: { text: name } })).enrollments;
      const certificateUuid = waiting?.certificateUuid ?? expect.fail('nothing waits');
      await client.clientOperations.issueRequestedCertificate({ params: { ...path, certificateUuid } });
      // It polls pending requests on startup.
      await runWithDaemon(`for round in $(seq 200); do [ -s ${folder}/${name}.crt ] && break; sleep 0.2; done`);
      expect((await readCertificate(await certificateOf(name))).uuid).toBe(certificateUuid);
    });

    it('reports a rejected challenge', async () => {
      await addAuthority('Strict');
      expect(await getcert(request('Strict', 'stranger.example', 'guessed'))).toContain('State CA_REJECTED');
      const { enrollments } = await client.enrollments.listEnrollments({
        query: { protocol: 'scep', state: 'refused' },
      });
      expect(enrollments.map(({ problem }) => problem)).toEqual([expect.stringContaining('challenge password')]);
    });
  },
);
