// Inventory certificates for console tests.
import type { Client } from '@signetry/client';
import type { TestServer } from '@signetry/testkit/platform';
import { issue, type IssuedCertificate } from '../../e2e/testing/certificates.ts';
import { defaultProfile } from '../../e2e/testing/profiles.ts';
import { makeRequest } from '../../e2e/testing/requests.ts';

/** Issues a certificate for a name under the profile `default`. */
export async function certificateFor(client: Client, name: string): Promise<IssuedCertificate> {
  const request = await makeRequest({ subject: `CN=${name}`, dnsNames: [name] });
  return issue(client, await defaultProfile(client), request);
}

/** Renews a certificate that was issued under the profile `default`. Returns the UUID of the new one. */
export async function renewalOf(client: Client, certificateUuid: string): Promise<string> {
  const params = { ...(await defaultProfile(client)), certificateUuid };
  return (await client.clientOperations.renewCertificate({ params, body: {} })).uuid;
}

/**
 * Adds copies of a certificate to the inventory directly in the database: without serial number, fingerprint and
 * issuer. Columns of the row can be set by SQL expressions of `n`, the number of the copy.
 */
export async function addCopies(
  { running }: Pick<TestServer, 'running'>,
  { uuid, count, set = {} }: { uuid: string; count: number; set?: Readonly<Record<string, string>> },
): Promise<void> {
  const { database } = running.platform;
  const columns = await database.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = 'certificate'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
  );
  const own: Readonly<Record<string, string>> = {
    uuid: 'gen_random_uuid()',
    serial_number: 'NULL',
    fingerprint: 'NULL',
    issuer_certificate_uuid: 'NULL',
    ...set,
  };
  await database.query(
    `INSERT INTO certificate (${columns.map(({ name }) => name).join()})
     SELECT ${columns.map(({ name }) => own[name] ?? `c.${name}`).join()}
     FROM certificate c, generate_series(1, $2::int) n WHERE c.uuid = $1`,
    [uuid, count],
  );
}
