// Revocations requested by Microsoft Intune: the job that carries them out and reports each result.
import type { Client } from '@signetry/client';
import { formatNameRfc4514, type Certificate } from '@signetry/pki';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { issue } from './testing/certificates.ts';
import { TENANT } from './testing/intune-service.ts';
import type { IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { sharedScepWithIntune, soon } from './testing/scep-with-intune.ts';

const scep = sharedScepWithIntune();
let client: Client;
let path: IssuingPath;

beforeAll(() => {
  ({ client, path } = scep.facts);
});

const stateOf = async (certificate: Certificate) =>
  (await client.certificates.getCertificate({ params: { uuid: await scep.uuidOf(certificate) } })).state;

describe('the Intune revocation job', () => {
  /** Runs the job and waits until it has finished. */
  async function run() {
    const jobs = await client.scheduledJobRuns.listScheduledJobOverviews({ query: { itemsPerPage: 100 } });
    const job = jobs.scheduledJobs.find(({ jobName }) => jobName === 'updateIntuneRevocationRequestsJob');
    expect(job).toMatchObject({ jobType: 'UpdateIntuneRevocationRequestsTask', cronExpression: '0 30 * ? * *' });
    const params = { uuid: job?.uuid ?? '' };
    const before = await client.scheduledJobRuns.getScheduledJobOverview({ params });
    await client.scheduledJobRuns.runScheduledJob({ params });
    return vi.waitFor(async () => {
      const { running, lastRun } = await client.scheduledJobRuns.getScheduledJobOverview({ params });
      expect(running).toBe(false);
      expect(lastRun?.startedAt).not.toBe(before.lastRun?.startedAt);
      return lastRun;
    }, soon);
  }

  const revocationRequest = (certificate: Certificate, changes: object = {}) => ({
    requestContext: `context of ${certificate.serialNumber}`,
    serialNumber: certificate.serialNumber.toUpperCase(),
    issuerName: formatNameRfc4514(certificate.issuer),
    caConfiguration: '',
    ...changes,
  });

  it('carries out the revocations that Intune requests, and reports the result of each request', async () => {
    const certificate = await scep.enrolled();
    const again = revocationRequest(certificate, { requestContext: 'again' });
    const issuerName = formatNameRfc4514(certificate.issuer);
    scep.intune.revocations = [
      revocationRequest(certificate, { serialNumber: `00${certificate.serialNumber}` }),
      { requestContext: 'unknown', serialNumber: '0BAD', issuerName },
      { requestContext: 'of somebody else', serialNumber: '0BAD', issuerName: 'CN=Another CA of the tenant' },
    ];
    const first = await run();
    expect(first).toMatchObject({ status: 'succeeded' });
    expect(first?.message).toBe('Revoked: 1. Not revoked: 1. Left to other authorities: 1.');
    expect(await stateOf(certificate)).toBe('revoked');
    expect(scep.intune.named('uploadRevocationResults')).toEqual([
      {
        results: [
          {
            requestContext: revocationRequest(certificate).requestContext,
            succeeded: true,
            errorCode: 0,
            errorMessage: '',
          },
          {
            requestContext: 'unknown',
            succeeded: false,
            errorCode: 4004,
            errorMessage: expect.stringContaining('No certificate'),
          },
        ],
      },
    ]);

    // As after an upload that was lost.
    scep.intune.revocations = [again];
    await run();
    expect(scep.intune.named('uploadRevocationResults')[1]).toMatchObject({
      results: [{ requestContext: 'again', succeeded: true }],
    });
  });

  it('does not revoke certificates that were not issued for the tenant', async () => {
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=of-somebody-else.example' }));
    const { serialNumber = '' } = await client.certificates.getCertificate({ params: { uuid } });
    scep.intune.revocations = [{ requestContext: 'other', serialNumber, issuerName: '' }];
    await run();
    expect((await client.certificates.getCertificate({ params: { uuid } })).state).toBe('issued');
    expect(scep.intune.named('uploadRevocationResults')).toMatchObject([
      { results: [{ requestContext: 'other', succeeded: false, errorCode: 4004 }] },
    ]);
  });

  it('fails with an explanation if Intune does not respond, and does not upload anything if there are no requests', async () => {
    scep.intune.fail('downloadRevocationRequests', 503);
    const { status, message } = (await run()) ?? {};
    expect([status, message]).toEqual(['failed', expect.stringContaining(`Tenant ${TENANT}: Microsoft Intune`)]);
    expect(await run()).toMatchObject({ status: 'succeeded', message: expect.stringMatching(/^Revoked: 0/) });
    expect(scep.intune.named('uploadRevocationResults')).toEqual([]);
  });
});
