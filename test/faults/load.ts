// Load that issues and revokes certificates, records every acknowledged effect, and can be interrupted at any moment.
import { createHash } from 'node:crypto';
import { createClient, type Client } from '@signetry/client';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  parseCertificate,
  parsePublicKey,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import type { ReadyFacts } from '../load/server-process.ts';
import type { Evidence } from './evidence.ts';

const WORKERS = 6;
/** Every nth call is a revocation. */
const REVOKE_EVERY = 3;
const REASONS = ['keyCompromise', 'superseded', 'cessationOfOperation', 'affiliationChanged'] as const;
const CALL_TIMEOUT_MS = 20_000;

export interface Profile {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

export const connect = (ready: ReadyFacts): Client =>
  createClient({ baseUrl: ready.api, token: ready.token, timeoutMs: CALL_TIMEOUT_MS });

export async function findProfile(client: Client): Promise<Profile> {
  const profile = (await client.raProfiles.listRaProfiles()).find(({ name }) => name === 'default');
  if (!profile?.authorityInstanceUuid) throw new Error('RA profile `default` not found.');
  return { authorityUuid: profile.authorityInstanceUuid, raProfileUuid: profile.uuid };
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let requestNumber = 0;

export async function newRequest(): Promise<string> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  requestNumber += 1;
  const info = buildCertificationRequestInfo({
    subject: buildName([{ type: 'CN', value: `fault-${requestNumber}.example` }]),
    spki,
  });
  return Buffer.from(
    assembleCertificationRequest(info, {
      algorithm,
      signature: nodeCrypto.sign(privateKey, { algorithm, data: info }),
    }),
  ).toString('base64');
}

/** Runs until the signal and returns the number of acknowledged calls. */
export async function runLoad(
  client: Client,
  options: { readonly profile: Profile; readonly evidence: Evidence; readonly signal: AbortSignal },
): Promise<number> {
  const { profile, evidence, signal } = options;
  let acknowledged = 0;

  async function issue(): Promise<void> {
    const request = await newRequest();
    const answer = await client.clientOperations.issueCertificate({
      params: profile,
      body: { request, attributes: [] },
    });
    if (!answer.certificateData) return;
    const der = Buffer.from(answer.certificateData, 'base64');
    const issued = { uuid: answer.uuid, sha256: sha256(der), serialNumber: parseCertificate(der).serialNumber };
    evidence.issued.push(issued);
    evidence.revocable.push(issued);
    acknowledged += 1;
  }

  async function revoke(): Promise<void> {
    const certificate = evidence.revocable.shift();
    if (!certificate) return;
    const reason = REASONS[evidence.revoked.length % REASONS.length] ?? 'unspecified';
    await client.clientOperations.revokeCertificate({
      params: { ...profile, certificateUuid: certificate.uuid },
      body: { reason, attributes: [] },
    });
    evidence.revoked.push({ uuid: certificate.uuid, serialNumber: certificate.serialNumber, reason });
    acknowledged += 1;
  }

  async function worker(number: number): Promise<void> {
    for (let turn = number; !signal.aborted; turn += 1) {
      try {
        await (turn % REVOKE_EVERY === 0 ? revoke() : issue());
      } catch {
        // The server was killed or is stopping. This call was not acknowledged, so its result is not guaranteed.
        return;
      }
    }
  }

  await Promise.all(Array.from({ length: WORKERS }, (_item, number) => worker(number)));
  return acknowledged;
}
