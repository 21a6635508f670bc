// Issued certificates in formats that verifiers read.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ApiError, type Client } from '@signetry/client';
import { expect } from 'vitest';
import type { IssuingPath } from './profiles.ts';
import type { TestRequest } from './requests.ts';

export interface IssuedCertificate {
  readonly uuid: string;
  readonly der: Buffer;
  readonly pem: string;
  /** As parsed by Node's OpenSSL. */
  readonly x509: X509Certificate;
}

/** Issues a certificate for a request and expects it in the response. */
export async function issue(client: Client, params: IssuingPath, request: TestRequest): Promise<IssuedCertificate> {
  return issuedOf(
    await client.clientOperations.issueCertificate({ params, body: { request: request.pem, attributes: [] } }),
  );
}

/** Returns the certificate from the response of an issuing operation. */
export function issuedOf(answer: { uuid: string; certificateData?: string | undefined }): IssuedCertificate {
  expect(answer.certificateData, 'the certificate comes with the answer').toMatch(/^MII/);
  const der = Buffer.from(answer.certificateData ?? '', 'base64');
  const x509 = new X509Certificate(der);
  return { uuid: answer.uuid, der, pem: x509.toString(), x509 };
}

export const rootOf = async ({ rootCertificate }: { readonly rootCertificate: string }): Promise<X509Certificate> =>
  new X509Certificate(await readFile(rootCertificate));

/** Returns messages from a certificate's history, newest first. */
export async function historyOf(client: Client, uuid: string): Promise<readonly string[]> {
  const entries = await client.certificates.getCertificateEventHistory({ params: { uuid } });
  return entries.map(({ event, status, message }) => `${event} ${status}: ${message}`);
}

/**
 * Returns the rejection of a call that must fail. `uuid` identifies an object that was stored despite the failure;
 * empty if there is none.
 */
export async function rejectionOf(
  call: Promise<unknown>,
): Promise<{ readonly status: number; readonly message: string; readonly uuid: string }> {
  const error = await call.then(
    () => expect.fail('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  const { uuid = '' } = (error.body ?? {}) as { uuid?: string }; // Has the API's error format.
  return { status: error.status, message: error.message, uuid };
}

/** Returns the UUIDs of all certificates in the inventory, sorted. */
export async function uuidsOf(client: Client): Promise<string[]> {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
  return certificates.map(({ uuid }) => uuid).sort();
}
