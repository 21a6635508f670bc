// Whether a certificate can serve a protocol server, and why not.
import type { KeyAlgorithm, KeyDto } from '@signetry/contract';
import { isAppError } from '../../kernel/errors.ts';
import type { Keys, SigningKey } from '../keys/index.ts';
import type { SigningRow } from './store.ts';

/** What a protocol needs of the certificate. */
export interface CertificateUse {
  readonly families: readonly KeyAlgorithm[];
  /** Absent: it only signs. */
  readonly decrypts?: boolean;
}

export type Suitability = { readonly key: SigningKey } | { readonly problem: string };

/** The key that signs, or what is wrong and what would help, in words. */
export async function judge(
  keys: Pick<Keys, 'findByPublicKey' | 'signing'>,
  row: SigningRow,
  { families, decrypts = false }: CertificateUse,
): Promise<Suitability> {
  const problem = problemOfCertificate(row) ?? problemOfFamily(row, families);
  if (problem !== undefined) return { problem };
  const found = await keys.findByPublicKey(row.public_key_fingerprint);
  if (!found)
    return { problem: `The key of ${nameOf(row)} is in no token of this platform, so nothing is signed with it.` };
  if (decrypts && !mayDecrypt(found))
    return { problem: `The key of ${nameOf(row)} may not be used to decrypt; give it that usage first.` };
  try {
    return { key: await keys.signing.find(found.uuid) };
  } catch (error) {
    if (isAppError(error)) return { problem: `The key of ${nameOf(row)} does not sign: ${error.message}` };
    throw error;
  }
}

const mayDecrypt = ({ items }: KeyDto): boolean =>
  items.some(({ type, usage }) => type === 'Private' && usage?.includes('decrypt'));

function problemOfCertificate(row: SigningRow): string | undefined {
  const name = nameOf(row);
  if (row.archived) return `${name} is archived; take it out of the archive first.`;
  if (row.state === 'revoked') return `${name} is revoked; choose another certificate.`;
  if (row.state !== 'issued') return `${name} is not issued; choose one that is.`;
  if (row.validation_status === 'expired') return `${name} has expired; renew it, and choose its successor.`;
  const isSound = row.validation_status === 'valid' || row.validation_status === 'expiring';
  return isSound ? undefined : `${name} has not passed its validation; its page says why.`;
}

const problemOfFamily = (row: SigningRow, families: readonly KeyAlgorithm[]): string | undefined =>
  families.some((family) => row.public_key_algorithm === family)
    ? undefined
    : `${nameOf(row)} has a key of ${row.public_key_algorithm}; ${families.join(' or ')} is needed.`;

const nameOf = ({ common_name, uuid }: SigningRow): string => `The certificate ${common_name || uuid}`;
