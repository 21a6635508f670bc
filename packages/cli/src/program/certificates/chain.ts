// The chain of an issued certificate as PEM text.
import { equalBytes, PEM_LABELS, readDerOrPem, writePemChain } from '@signetry/pki';
import type { Connection } from '../platform/connect.ts';
import type { CertificateDetail } from './answers.ts';

export interface PemChain {
  readonly pem: string;
  readonly count: number;
  /** False when the platform does not know every issuer up to a root. */
  readonly complete: boolean;
}

/** The certificate first, then its issuers in order, up to the root as far as the platform knows them. */
export async function readPemChain(
  { client, options }: Connection,
  { uuid, der }: { readonly uuid: string; readonly der: Uint8Array },
): Promise<PemChain> {
  const chain = await client.certificates.getCertificateChain({ params: { uuid } }, options);
  const issuers = chain.certificates.flatMap(contentOf).filter((issuer) => !equalBytes(issuer, der));
  return { pem: writePemChain([der, ...issuers]), count: issuers.length + 1, complete: chain.completeChain };
}

/** DER of a certificate that has been issued; empty otherwise. */
export const contentOf = ({ certificateContent }: Pick<CertificateDetail, 'certificateContent'>): Uint8Array[] =>
  certificateContent === undefined || certificateContent === '' ? [] : [certificateBytes(certificateContent)];

/** Octets of a certificate as answers carry it: Base64 of DER, PEM from some platforms. */
export const certificateBytes = (text: string): Uint8Array => readDerOrPem(text, PEM_LABELS.certificate);
