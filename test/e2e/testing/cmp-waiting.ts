// CMP requests waiting for approval, from the administrator's perspective.
import type { Client } from '@signetry/client';
import { expect } from 'vitest';
import type { IssuingPath } from './profiles.ts';

export const WAIT = { timeout: 10_000 };

export const enrolmentOf = async (client: Client, text: string) =>
  (await client.enrolments.listEnrolments({ query: { protocol: 'cmp', text } })).enrolments[0];

/** Returns the UUID of the requested certificate, once the request has arrived. */
export async function waitingFor(client: Client, subject: string): Promise<string> {
  await expect
    .poll(async () => {
      const { certificateUuid: uuid = '' } = (await enrolmentOf(client, subject)) ?? {};
      return client.certificates.getCertificate({ params: { uuid } }).then(Boolean, () => false);
    }, WAIT)
    .toBe(true);
  return (await enrolmentOf(client, subject))?.certificateUuid ?? expect.fail('nothing waits');
}

export const issueWaiting = (client: Client, of: IssuingPath, certificateUuid: string) =>
  client.clientOperations.issueRequestedCertificate({ params: { ...of, certificateUuid } });
