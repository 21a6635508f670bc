// CMP requests waiting for approval, from the administrator's perspective.
import type { Client } from '@signetry/client';
import { expect } from 'vitest';
import type { IssuingPath } from './profiles.ts';

export const WAIT = { timeout: 10_000 };

export const enrollmentOf = async (client: Client, text: string) =>
  (await client.enrollments.listEnrollments({ query: { protocol: 'cmp', text } })).enrollments[0];

/** Returns the UUID of the requested certificate, once the request has arrived. */
export async function waitForRequest(client: Client, subject: string): Promise<string> {
  await expect
    .poll(async () => {
      const { certificateUuid: uuid = '' } = (await enrollmentOf(client, subject)) ?? {};
      return client.certificates.getCertificate({ params: { uuid } }).then(Boolean, () => false);
    }, WAIT)
    .toBe(true);
  return (await enrollmentOf(client, subject))?.certificateUuid ?? expect.fail('nothing waits');
}

export const issueWaiting = (client: Client, of: IssuingPath, certificateUuid: string) =>
  client.clientOperations.issueRequestedCertificate({ params: { ...of, certificateUuid } });
