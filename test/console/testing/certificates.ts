// Certificates that tests of the console find in the inventory.
import type { Client } from '@signetry/client';
import { issue, type IssuedCertificate } from '../../e2e/testing/certificates.ts';
import { defaultProfile } from '../../e2e/testing/profiles.ts';
import { makeRequest } from '../../e2e/testing/requests.ts';

/** Issues a certificate for a name under the profile `default`. */
export async function certificateFor(client: Client, name: string): Promise<IssuedCertificate> {
  const request = await makeRequest({ subject: `CN=${name}`, dnsNames: [name] });
  return issue(client, await defaultProfile(client), request);
}

/** Renews a certificate that was issued under the profile `default`. Returns the identifier of the new one. */
export async function renewalOf(client: Client, certificateUuid: string): Promise<string> {
  const params = { ...(await defaultProfile(client)), certificateUuid };
  return (await client.clientOperations.renewCertificate({ params, body: {} })).uuid;
}
