// Checks whether a protocol server can use a certificate and, if not, why.
import type { KeyAlgorithm, KeyDto } from '@signetry/contract';
import { isAppError } from '../../kernel/errors.ts';
import type { Keys, SigningKey } from '../keys/index.ts';
import type { SigningRow } from './store.ts';

/** A protocol's requirements for the certificate. */
export interface CertificateUse {
  readonly families: readonly KeyAlgorithm[];
  /** If absent, the certificate is used only for signing. */
  readonly decrypts?: boolean;
}

export type Suitability = { readonly key: SigningKey } | { readonly problem: string };

/** Returns the signing key, or the problem and a suggested fix. */
export async function evaluateSuitability(
  keys: Pick<Keys, 'findByPublicKey' | 'signing'>,
  row: SigningRow,
  { families, decrypts = false }: CertificateUse,
): Promise<Suitability> {
  const problem = problemOfCertificate(row) ?? problemOfFamily(row, families);
  if (problem !== undefined) return { problem };
  const found = await keys.findByPublicKey(row.public_key_fingerprint);
  if (!found) return { problem: `${nameOf(row)} cannot sign: its key is not in a token of this platform.` };
  if (decrypts && !mayDecrypt(found))
    return { problem: `${nameOf(row)} cannot decrypt: its key is not permitted to decrypt. Add that key usage first.` };
  try {
    return { key: await keys.signing.find(found.uuid) };
  } catch (error) {
    if (isAppError(error)) return { problem: `${nameOf(row)} cannot sign: ${error.message}` };
    throw error;
  }
}

const mayDecrypt = ({ items }: KeyDto): boolean =>
  items.some(({ type, usage }) => type === 'Private' && usage?.includes('decrypt'));

function problemOfCertificate(row: SigningRow): string | undefined {
  const name = nameOf(row);
  if (row.archived) return `${name} is archived. Unarchive it first.`;
  if (row.state === 'revoked') return `${name} is revoked. Choose a different certificate.`;
  if (row.state !== 'issued') return `${name} has not been issued. Choose an issued certificate.`;
  if (row.validation_status === 'expired') return `${name} has expired. Renew it and choose its successor.`;
  const isSound = row.validation_status === 'valid' || row.validation_status === 'expiring';
  return isSound ? undefined : `${name} failed validation. Its details show the reason.`;
}

const problemOfFamily = (row: SigningRow, families: readonly KeyAlgorithm[]): string | undefined =>
  families.some((family) => row.public_key_algorithm === family)
    ? undefined
    : `${nameOf(row)} has a key of type ${row.public_key_algorithm}; ${families.join(' or ')} is required.`;

const nameOf = ({ common_name, uuid }: SigningRow): string => `Certificate ${common_name || uuid}`;
