// Keys revoked as compromised, for which no certificate is ever issued again. This rule is shared by statements that
// start issuance and by protocols that reject such keys early. Triggers fill compromised_key.
import { hotStatement, runHot, type HotExecutor } from '../../platform/database/database.ts';

/**
 * Returns the SQL condition that the key with this fingerprint (an expression) is compromised. Relies on the primary
 * key of compromised_key.
 */
export const isCompromisedSql = (fingerprint: string): string =>
  `EXISTS (SELECT FROM compromised_key k WHERE k.public_key_fingerprint = ${fingerprint})`;

const IS_COMPROMISED = hotStatement('is_compromised_key', `SELECT ${isCompromisedSql('$1::text')} AS compromised`);

export async function isCompromised(executor: HotExecutor, publicKeyFingerprint: string): Promise<boolean> {
  const [row] = await runHot<{ compromised: boolean }>(executor, IS_COMPROMISED, [publicKeyFingerprint]);
  return row?.compromised ?? false;
}
