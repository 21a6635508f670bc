// CMP requests that require manual approval.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { confirmationOf, exchange, makeMessage, newTransaction, requestFor } from './testing/cmp-client.ts';
import { serveCmp, SHARED } from './testing/cmp-profiles.ts';
import { enrollmentOf, issueWaiting, waitForRequest } from './testing/cmp-waiting.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer();
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});

/** Starts a request at a profile that requires manual approval. */
async function beginRequest(subject: string) {
  const { url } = await serveCmp(server, path, { requireManualApproval: true });
  const begin = await exchange(url, await makeMessage(newTransaction(), await requestFor(`CN=${subject}`), SHARED));
  return { url, begin };
}

describe('a request that requires manual approval', () => {
  it('gets the status waiting, and gets its certificate by polling after it has been issued', async () => {
    const subject = `${randomUUID()}.example`;
    const { url, begin } = await beginRequest(subject);
    expect(begin.body).toMatchObject({ type: 'ip', responses: [{ status: { status: 'waiting' } }] });
    const pollReq = { type: 'pollReq', certReqIds: [0] } as const;
    const first = await exchange(url, await makeMessage(begin.transaction, pollReq, SHARED));
    expect(first.body).toEqual({ type: 'pollRep', waits: [{ certReqId: 0, checkAfterSeconds: 10, reason: [] }] });
    await issueWaiting(client, path, await waitForRequest(client, subject));
    const second = await exchange(url, await makeMessage(first.transaction, pollReq, SHARED));
    const certificate = second.certificate ?? expect.fail(second.words);
    const done = await exchange(url, await makeMessage(second.transaction, confirmationOf(certificate), SHARED));
    expect([done.body.type, (await enrollmentOf(client, subject))?.state]).toEqual(['pkiconf', 'confirmed']);
  });

  it('is rejected with an explanation once an operator has deleted it', async () => {
    const subject = `${randomUUID()}.example`;
    const { url, begin } = await beginRequest(subject);
    await client.certificates.deleteCertificate({ params: { uuid: await waitForRequest(client, subject) } });
    const message = await makeMessage(begin.transaction, { type: 'pollReq', certReqIds: [0] }, SHARED);
    const answer = await exchange(url, message);
    expect(answer.body).toMatchObject({ type: 'ip', responses: [{ status: { status: 'rejection' } }] });
    expect(answer.words).toMatch(/deleted/);
    expect(await enrollmentOf(client, subject)).toMatchObject({
      state: 'refused',
      problem: expect.stringMatching(/deleted/),
    });
  });

  it('still requires it after the profile has been edited by a request that omits this setting', async () => {
    const { uuid } = await serveCmp(server, path, { requireManualApproval: true });
    const { name = '' } = (await client.cmpProfiles.listCmpProfiles()).find((each) => each.uuid === uuid) ?? {};
    const methods = { requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret' } as const;
    const body = { name, variant: 'v2', raProfileUuid: path.raProfileUuid, ...methods } as const;
    const params = { cmpProfileUuid: uuid };
    expect(await client.cmpProfiles.editCmpProfile({ params, body })).toMatchObject({ requireManualApproval: true });
    const off = { ...body, requireManualApproval: false };
    const edited = await client.cmpProfiles.editCmpProfile({ params, body: off });
    expect(edited.requireManualApproval).toBe(false);
  });
});
