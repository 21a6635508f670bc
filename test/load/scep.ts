// SCEP PKCSReq with RSA-2048 on both sides, with encrypted and signed requests and responses (RFC 8894 §3).
import { Agent } from 'undici';
import { readPkcs7, parseCertificate, readScepMessage, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { makeDevice, makeMessage, requestOf, type ScepDevice } from '../e2e/testing/scep-messages.ts';
import { addScepProfile, makeScepCertificate } from '../e2e/testing/scep-profiles.ts';
import { benchEnrollment, stock, type EnrollmentSetting } from './enrollment-load.ts';
import type { BenchmarkReport } from './report.ts';
import { profileFor } from './token-keys.ts';

const PASSWORD = 'password-of-the-bench';
/** RSA keys take long to generate, so devices are reused; every request has a different subject. */
const DEVICES = 16;

export const benchScep = (options: ReadonlyMap<string, string>): Promise<BenchmarkReport> =>
  benchEnrollment(options, {
    name: 'SCEP PKCSReq, RSA-2048',
    goal: '>= 350',
    note: 'Plain HTTP, challenge password, AES-128 and SHA-256; the service key is in a software token.',
    prepare: (setting) => prepare(setting, Number(options.get('requests') ?? 8_000)),
  });

async function prepare({ client, server, concurrency }: EnrollmentSetting, count: number) {
  const path = await profileFor(server, { keyAlgorithm: 'P-256', tokens: undefined });
  const caCertificateUuid = await makeScepCertificate(client, path);
  const settings = { caCertificateUuid, raProfileUuid: path.raProfileUuid, challengePassword: PASSWORD };
  const profile = await addScepProfile(client, settings);
  const url = `${server.ready.http}${new URL(profile.url).pathname}`;
  const dispatcher = new Agent({ connections: concurrency });
  const recipient = await recipientOf(url);
  const devices: ScepDevice[] = [];
  while (devices.length < DEVICES) devices.push(await makeDevice(`CN=signer-${devices.length}`));
  const messages: Uint8Array[] = [];
  for (let number = 0; number < count; number += 1) messages.push(await messageOf(devices, { number, recipient }));
  const messageNumber = stock(messages);
  return {
    enroll: async (number: number) => {
      const body = Buffer.from(messageNumber(number));
      const headers = { 'content-type': 'application/x-pki-message' };
      const init = { method: 'POST', headers, body, dispatcher };
      const response = await fetch(`${url}?operation=PKIOperation`, init as RequestInit);
      const answer = new Uint8Array(await response.arrayBuffer());
      return response.ok && readScepMessage(answer, nodeCrypto.digest).status === 'success';
    },
    close: () => void dispatcher.destroy(),
  };
}

/** Returns the SCEP RA certificate, which is the first of its chain. */
async function recipientOf(url: string): Promise<Certificate> {
  const response = await fetch(`${url}?operation=GetCACert`);
  const [der] = readPkcs7(new Uint8Array(await response.arrayBuffer()));
  if (!der) throw new Error('GetCACert returned no certificate.');
  return parseCertificate(der);
}

function messageOf(
  devices: readonly ScepDevice[],
  { number, recipient }: { readonly number: number; readonly recipient: Certificate },
): Promise<Uint8Array> {
  const signer = devices[number % devices.length];
  if (!signer) throw new Error('No device.');
  const content = requestOf({ ...signer, subject: `CN=device-${number}.bench.example` }, PASSWORD);
  return makeMessage({ type: 'PKCSReq', transactionId: `bench-${number}`, content, signer, recipient });
}
