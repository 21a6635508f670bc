// CMP, SCEP and EST clients that request one certificate with specified names and credentials.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import { parseCertificate, type Certificate } from '@signetry/pki';
import { generateKeyPair, type KeyPair } from '@signetry/pki/node';
import { expect } from 'vitest';
import { issue } from './certificates.ts';
import { exchange, makeMessage as makeCmpMessage, newTransaction } from './cmp-client.ts';
import { certReqMsg, signMessage } from './cmp-signer.ts';
import { identityOf, issuedIn, type EstClient } from './est-client.ts';
import type { ExternalAuthority } from './external-authority.ts';
import type { IssuingPath } from './profiles.ts';
import { makeRequest } from './requests.ts';
import { caCertificates, post, readResponse } from './scep-client.ts';
import { makeMessage as makeScepMessage, pollOf, type ScepDevice } from './scep-messages.ts';

export interface Names {
  readonly subject: string;
  readonly dnsNames: readonly string[];
}

export interface Holder {
  readonly names: Names;
  readonly certificate: Uint8Array;
  readonly keys: KeyPair;
  readonly chain?: readonly Uint8Array[];
}

export interface Outcome {
  readonly certificate?: Certificate | undefined;
  /** Text of a rejection. */
  readonly words: string;
}

/** Returns names that no other device has. */
export function newNames(): Names {
  const host = `${randomUUID().slice(0, 8)}.example`;
  return { subject: `CN=device ${host},O=Example`, dnsNames: [`a.${host}`, `b.${host}`] };
}

/** Returns a holder with a certificate that the RA profile issued. */
export async function holderOf(client: Client, path: IssuingPath, keys?: KeyPair): Promise<Holder> {
  const names = newNames();
  const request = await makeRequest({ ...names, ...(keys && { keys }) });
  const { der } = await issue(client, path, request);
  return { names, certificate: der, keys: request.keys };
}

/** Returns a holder with a certificate from the device manufacturer. */
export async function holderFrom(vendor: ExternalAuthority): Promise<Holder> {
  const [names, keys] = [newNames(), await generateKeyPair('P-256')];
  return { names, certificate: vendor.issue({ ...names, spki: keys.spki }), keys, chain: [vendor.der] };
}

export interface SharedSecret {
  readonly reference: string;
  readonly secret: string;
}

export async function requestOverCmp(
  url: string,
  kind: 'ir' | 'cr' | 'kur' | 'p10cr',
  { names, by }: { readonly names: Names; readonly by: Holder | SharedSecret },
): Promise<Outcome> {
  const { subject, dnsNames } = names;
  const body =
    kind === 'p10cr'
      ? { type: kind, request: (await makeRequest(names)).der }
      : { type: kind, requests: [await certReqMsg(subject, { dnsNames })] };
  const message =
    'secret' in by ? await makeCmpMessage(newTransaction(), body, by) : signMessage(newTransaction(), body, by);
  const { certificate, words } = await exchange(url, message);
  return { certificate, words };
}

export interface ScepService {
  readonly url: string;
  readonly device: ScepDevice;
}

/**
 * Requests a certificate over SCEP. The device self-signs the message unless a certificate for its key is specified.
 */
export async function requestOverScep(
  { url, device }: ScepService,
  type: 'PKCSReq' | 'RenewalReq',
  asked: { readonly names: Names; readonly holder?: Holder | undefined; readonly challengePassword?: string },
): Promise<Outcome> {
  const { names, holder, challengePassword } = asked;
  const [ca = expect.fail('no CA certificate')] = await caCertificates(url);
  const certificate = holder ? parseCertificate(holder.certificate) : device.certificate;
  const signer = { certificate, privateKey: device.privateKey };
  const { keys } = device;
  const { der } = await makeRequest({ ...names, keys, ...(challengePassword !== undefined && { challengePassword }) });
  const transactionId = randomUUID();
  const send = async (wish: { readonly type: typeof type | 'CertPoll'; readonly content: Uint8Array }) => {
    const message = await makeScepMessage({ ...wish, transactionId, signer, recipient: ca });
    return readResponse(await post(url, message), { message, signer, ca });
  };
  let answer = await send({ type, content: der });
  while (answer.status === 'pending') answer = await send({ type: 'CertPoll', content: pollOf(signer, ca) });
  return { certificate: answer.certificates[0], words: answer.failInfoText ?? '' };
}

export async function requestOverEst(
  est: EstClient,
  operation: 'simpleenroll' | 'simplereenroll',
  asked: { readonly profile: string; readonly names: Names; readonly by: Holder | { readonly auth: string } },
): Promise<Outcome> {
  const { profile, names, by } = asked;
  const { der: body } = await makeRequest(names);
  const credential = 'auth' in by ? by : { identity: identityOf(by.certificate, by.keys) };
  const answer = await est.ask(operation, { profile, body, ...credential });
  return answer.status === 200
    ? { certificate: parseCertificate(issuedIn(answer)), words: '' }
    : { words: answer.text };
}
