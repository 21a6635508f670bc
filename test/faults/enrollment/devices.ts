// Devices that enroll over CMP, SCEP and EST while their platform is killed. Requests without a response are repeated
// unchanged. Each transaction is one request for one subject.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Client } from '@signetry/client';
import {
  openContentInfo,
  openEnvelope,
  OID,
  parseEnvelopedData,
  parseSignedData,
  readPkcs7,
  readScepMessage,
  type Certificate,
} from '@signetry/pki';
import { nodeCmsCrypto, nodeCrypto, recipientKeyOf } from '@signetry/pki/node';
import {
  confirmationOf,
  exchange,
  makeMessage as makeCmpMessage,
  newTransaction,
  requestFor,
  type CmpTransaction,
} from '../../e2e/testing/cmp-client.ts';
import { makeMessage as makeScepMessage, requestOf, type ScepDevice } from '../../e2e/testing/scep-messages.ts';
import { makeRequest } from '../../load/requests.ts';
import type { ReadyFacts } from '../../load/server-process.ts';
import type { Profile } from '../load.ts';

/** Name of all profiles. */
export const PROFILE = 'faults';
export const [USER, PASSWORD, SECRET] = ['device', 'password of the device', 'secret of the factory'];

/** Response that is wrong under any fault. */
export class Contradiction extends Error {}

export interface Transaction {
  readonly protocol: 'cmp' | 'scep' | 'est';
  readonly subject: string;
  /** Whether a repeated request returns the same certificate. */
  readonly isRepeatable: boolean;
  /** Sends or repeats the request, and returns undefined if there is no certificate yet. Passes on network errors. */
  ask(ready: ReadyFacts): Promise<Uint8Array | undefined>;
}

export type Begin = (ready: ReadyFacts, client: Client) => Promise<Transaction>;

/** Authenticates with a user's password. */
export const beginEst: Begin = async () => {
  const host = `est-${randomUUID()}`;
  const request = await makeRequest(host);
  return {
    protocol: 'est',
    subject: `CN=${host}.bench.example`,
    isRepeatable: true,
    ask: async (ready) => {
      const { status, body } = await postEst(ready, request);
      if (status === 202 || status >= 500) return undefined;
      if (status !== 200) throw new Contradiction(`EST returned ${status} ${body.toString()} for ${host}`);
      return readPkcs7(Buffer.from(body.toString(), 'base64'))[0];
    },
  };
};

function postEst(ready: ReadyFacts, request: string): Promise<{ readonly status: number; readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ ca: readFileSync(ready.rootCertificate) });
    const url = new URL(`/.well-known/est/${PROFILE}/simpleenroll`, ready.https ?? undefined);
    const headers = { 'content-type': 'application/pkcs10' };
    const options = { method: 'POST', agent, headers, auth: `${USER}:${PASSWORD}`, timeout: 20_000 };
    const sent = httpsRequest(url, options, (response) => {
      buffer(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    sent.on('timeout', () => sent.destroy(new Error('no response'))).on('error', reject);
    sent.end(request);
  });
}

export interface ScepFacts {
  readonly device: ScepDevice;
  readonly recipient: () => Certificate;
  readonly profile: () => Profile;
}

/** Authenticates with a one-time challenge password. */
export const beginScep =
  ({ device, recipient, profile }: ScepFacts): Begin =>
  async (_ready, client) => {
    const { secret } = await client.enrollmentSecrets.createEnrollmentSecret({
      params: profile(),
      body: { protocol: 'scep' },
    });
    const [subject, transactionId] = [`CN=scep-${randomUUID()}`, randomUUID()];
    const content = requestOf({ ...device, subject }, secret);
    const wish = { type: 'PKCSReq', transactionId, content, signer: device, recipient: recipient() } as const;
    const message = await makeScepMessage(wish);
    return {
      protocol: 'scep',
      subject,
      isRepeatable: true,
      ask: (ready) => postScep(ready, { device, message, subject }),
    };
  };

async function postScep(
  ready: ReadyFacts,
  { device, message, subject }: { readonly device: ScepDevice; readonly message: Uint8Array; readonly subject: string },
): Promise<Uint8Array | undefined> {
  const url = `${ready.http}/api/v1/protocols/scep/${PROFILE}/pkiclient.exe?operation=PKIOperation`;
  const response = await fetch(url, {
    method: 'POST',
    body: Buffer.from(message),
    signal: AbortSignal.timeout(20_000),
  });
  if (response.status >= 500) return undefined;
  const answer = readScepMessage(new Uint8Array(await response.arrayBuffer()), nodeCrypto.digest);
  if (answer.status === 'pending') return undefined;
  if (answer.status !== 'success' || !answer.envelope)
    throw new Contradiction(`SCEP returned ${answer.failInfo} (${answer.failInfoText}) for ${subject}`);
  const opened = await openEnvelope(
    parseEnvelopedData(openContentInfo(answer.envelope, OID.pkcs7EnvelopedData)),
    { certificate: device.certificate, key: recipientKeyOf(device.privateKey) },
    nodeCmsCrypto,
  );
  return parseSignedData(openContentInfo(opened, OID.pkcs7SignedData)).certificates[0];
}

const MAC = { secret: SECRET, reference: USER, iterations: 500 };

/** Repeats an unanswered request under a new transaction ID, and confirms the certificate as often as needed. */
export const beginCmp: Begin = async () => {
  const subject = `CN=cmp-${randomUUID()}`;
  const request = await requestFor(subject);
  let got: { readonly certificate: Certificate; readonly transaction: CmpTransaction } | undefined;
  return {
    protocol: 'cmp',
    subject,
    isRepeatable: false,
    ask: async (ready) => {
      const url = `${ready.http}/api/v1/protocols/cmp/${PROFILE}`;
      if (!got) {
        const { certificate, transaction, words } = await exchange(
          url,
          await makeCmpMessage(newTransaction(), request, MAC),
        );
        if (!certificate) throw new Contradiction(`CMP returned "${words}" for ${subject}`);
        got = { certificate, transaction };
      }
      const { certificate, transaction } = got;
      const { body, failures, words } = await exchange(
        url,
        await makeCmpMessage(transaction, confirmationOf(certificate), MAC),
      );
      if (body.type !== 'pkiconf' && !failures.includes('certConfirmed'))
        throw new Contradiction(`CMP returned "${words}" to the confirmation of ${subject}`);
      return certificate.der;
    },
  };
};
