// Rejections in the request list: which requests are recorded, and as what.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRoot } from '../../areas/certificates/testing/test-certificates.ts';
import { requestFor, servedProfile } from './testing/est-requests.ts';
import {
  AUTHORIZATION,
  basic,
  createTestEstServer,
  type RequestFacts,
  type TestEstServer,
} from './testing/est-server.ts';

const authority = (await makeRoot('authority')).der;
const body = Buffer.from(await requestFor('CN=printer-1')).toString('base64');
const BELOW = '/.well-known/est/devices';
const headers = { authorization: AUTHORIZATION };

let test: TestEstServer;
beforeEach(async () => {
  test = await createTestEstServer();
  test.profiles.set('profile devices', servedProfile());
  test.est.authorities = { chain: [authority], own: [], trusted: [] };
});
afterEach(() => test.server.close());

describe('a rejected request is recorded', () => {
  it.each<[string, RequestFacts, object]>([
    [
      'with the reason for which its body could not be read',
      { body: 'AAAA', headers },
      { requester: 'device', subject: '', problem: expect.stringContaining('Unexpected bytes') },
    ],
    [
      'with its subject, but without a username, if the password is wrong',
      { body, headers: { authorization: basic('device:wrong') } },
      { requester: 'not authenticated', subject: 'CN=printer-1', problem: 'The username or password is incorrect.' },
    ],
    [
      'if its media type is not accepted',
      { body, headers: { ...headers, 'content-type': 'text/plain' } },
      { requester: 'device', problem: 'The media type of the body must be application/pkcs10.' },
    ],
  ])('%s', async (_what, asked, facts) => {
    await test.ask(`${BELOW}/simpleenroll`, asked);
    expect(test.est.rejected).toEqual([
      expect.objectContaining({ protocol: 'est', kind: 'simpleenroll', transactionId: '', ...facts }),
    ]);
    expect(test.est.rejected[0]?.profile.name).toBe('devices');
    expect(test.est.rejected[0]?.address).toMatch(/^[0-9a-f.:]+$/);
  });

  it('also if its profile is disabled', async () => {
    test.profiles.set('profile devices', servedProfile({ enabled: false }));
    await test.ask(`${BELOW}/simpleenroll`, { body, headers });
    expect(test.est.rejected).toEqual([expect.objectContaining({ problem: 'The EST profile devices is disabled.' })]);
  });
});

describe('nothing is recorded', () => {
  it('for a request without credentials, to which the response is a challenge', async () => {
    expect(await test.ask(`${BELOW}/simpleenroll`, { body })).toMatchObject({ status: 401 });
    expect(test.est.rejected).toEqual([]);
  });

  it('for an enrollment that is already in the list, for an unknown profile, or for other operations', async () => {
    test.est.outcome = { state: 'refused', problem: 'The name is not allowed.' };
    expect(await test.ask(`${BELOW}/simpleenroll`, { body, headers })).toMatchObject({ status: 400 });
    await test.ask('/.well-known/est/unknown/simpleenroll', { body, headers });
    test.est.authorities = { chain: [], own: [], trusted: [] };
    expect(await test.ask(`${BELOW}/cacerts`)).toMatchObject({ status: 404 });
    expect(test.est.rejected).toEqual([]);
  });
});
