// Keys that were revoked as compromised: nobody is given a certificate for them again. The one rule, for the statements
// that begin issuing and for protocols that want to refuse before they commit themselves. Triggers fill
// compromised_key.
import { hotStatement, runHot, type HotExecutor } from '../../platform/database/database.ts';

/** SQL: is the key with this fingerprint (an expression) compromised? Relies on the primary key of compromised_key. */
export const isCompromisedSql = (fingerprint: string): string =>
  `EXISTS (SELECT FROM compromised_key k WHERE k.public_key_fingerprint = ${fingerprint})`;

const IS_COMPROMISED = hotStatement('is_compromised_key', `SELECT ${isCompromisedSql('$1::text')} AS compromised`);

export async function isCompromised(executor: HotExecutor, publicKeyFingerprint: string): Promise<boolean> {
  const [row] = await runHot<{ compromised: boolean }>(executor, IS_COMPROMISED, [publicKeyFingerprint]);
  return row?.compromised ?? false;
}
