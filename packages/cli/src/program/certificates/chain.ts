// An issued certificate's chain as PEM text.
import { equalBytes, PEM_LABELS, readDerOrPem, writePemChain } from '@signetry/pki';
import type { Connection } from '../platform/connect.ts';
import type { CertificateDetail } from './responses.ts';

export interface PemChain {
  readonly pem: string;
  readonly count: number;
  /** False if the platform does not know every issuer up to a root. */
  readonly complete: boolean;
}

/**
 * Returns the certificate, followed by its issuers in order, up to the root or the last issuer that the platform knows.
 */
export async function readPemChain(
  { client, options }: Connection,
  { uuid, der }: { readonly uuid: string; readonly der: Uint8Array },
): Promise<PemChain> {
  const chain = await client.certificates.getCertificateChain({ params: { uuid } }, options);
  const issuers = chain.certificates.flatMap(contentOf).filter((issuer) => !equalBytes(issuer, der));
  return { pem: writePemChain([der, ...issuers]), count: issuers.length + 1, complete: chain.completeChain };
}

/** Returns an issued certificate's DER as a single element, or an empty array if there is no content. */
export const contentOf = ({ certificateContent }: Pick<CertificateDetail, 'certificateContent'>): Uint8Array[] =>
  certificateContent === undefined || certificateContent === '' ? [] : [certificateBytes(certificateContent)];

/** Decodes a certificate from a response: Base64-encoded DER, or PEM on some platforms. */
export const certificateBytes = (text: string): Uint8Array => readDerOrPem(text, PEM_LABELS.certificate);
