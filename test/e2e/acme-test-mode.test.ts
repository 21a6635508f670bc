// The test mode for client developers: random badNonce errors for good nonces, and slow validation.
import { readFile } from 'node:fs/promises';
import { createAcmeTestClient, type AcmeAuthorization } from '@signetry/testkit/acme';
import { startTestServer } from '@signetry/testkit/platform';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';

const acme = sharedAcmeServer(['--acme-test-validation-delay=2']);

describe('the test mode of the ACME server', () => {
  it('rejects good nonces with badNonce, and returns new ones', async () => {
    const { ready } = await startTestServer({ args: ['--acme-test-bad-nonces=100'] });
    const ca = await readFile(ready.rootCertificate);
    const client = createAcmeTestClient({ directoryUrl: ready.acmeDirectory, ca });
    onTestFinished(() => client.close());
    for (let attempt = 0; attempt < 3; attempt++) {
      const problem = expectProblem(await client.newAccount(), 400, 'badNonce');
      expect(problem.detail).toMatch(/rejected at random.*test mode.*Retry with the nonce in this response/);
    }
  });

  it('delays validation, so that the client has to poll', async () => {
    const client = await acme.account();
    const { body: order } = await client.newOrder([acme.host('late')]);
    const [url = ''] = order.authorizations;
    const { body: authorization } = await client.authorization(url);
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
    if (!challenge) return expect.unreachable('http-01 is offered');
    acme.http.serve(challenge.token, client.keyAuthorization(challenge.token));
    const begun = performance.now();
    const response = await client.respond(challenge.url);
    expect([response.status, response.body.status]).toEqual([200, 'processing']);
    const { body } = await client.pollUntil<AcmeAuthorization>(url, { until: ({ status }) => status !== 'pending' });
    expect(body.status).toBe('valid');
    expect(performance.now() - begun).toBeGreaterThan(1_950);
  });
});
