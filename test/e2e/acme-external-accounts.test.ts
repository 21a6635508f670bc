// External account binding instead of validation: names allowed for an external account key need no proof if the
// profile says so, and only while the key is current. CAA is checked in any case.
import type { AcmeNamePolicy } from '@signetry/contract';
import { makeSigningRequest, type AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile, type AcmeProfileOfTest } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';

const acme = sharedAcmeServer();
let profile: AcmeProfileOfTest;

beforeAll(async () => {
  profile = await addAcmeProfile(acme, { externalAccountValidates: true, caaIdentities: ['ca.example'] });
});

/** Creates a key, and an account with it. */
async function boundAccount(request: { readonly namePolicy?: AcmeNamePolicy | undefined } = {}) {
  const { client } = acme.server;
  const params = { uuid: profile.uuid };
  const body = { namePolicy: { allowedDnsSuffixes: ['acme.test'] }, ...request };
  const { uuid: keyUuid, keyId, macKey } = await client.acmeEabKeys.createAcmeEabKey({ params, body });
  const account = await acme.client({ directoryUrl: profile.directoryUrl });
  const externalAccountBinding = await account.eab({ keyId, macKey });
  const { status, text } = await account.newAccount({ externalAccountBinding });
  expect(status, text).toBe(201);
  const revoke = () => client.acmeEabKeys.revokeAcmeEabKey({ params: { ...params, keyUuid } });
  return { account, revoke, keyUuid };
}

const statusOfNew = async (account: AcmeTestClient, names = [acme.host('eab')]) =>
  (await account.newOrder(names)).body.status;

describe('an order of an account with an external account key', () => {
  it('is ready immediately for names that the key allows, and its certificate is issued without a challenge', async () => {
    const { account } = await boundAccount();
    const names = [acme.host('eab'), `*.${acme.host('eab')}`];
    const { body: order, location = '' } = await account.newOrder(names);
    expect(order.status).toBe('ready');
    const { body: authorization } = await account.authorization(order.authorizations[0] ?? '');
    expect(authorization).toMatchObject({ status: 'valid', challenges: [] });
    const { der } = await makeSigningRequest({ names });
    expect((await account.finalize(order.finalize, der)).body.status).toBe('valid');
    expect((await account.order(location)).body.certificate).toMatch(/\/cert\//);
  });

  it('is rejected for other names, and is validated as usual if the key has no allowed names', async () => {
    const { account } = await boundAccount();
    expectProblem(await account.newOrder(['www.other.test']), 400, 'rejectedIdentifier');
    for (const namePolicy of [undefined, {}, { deniedDnsSuffixes: ['secret.acme.test'] }])
      expect(await statusOfNew((await boundAccount({ namePolicy })).account)).toBe('pending');
  });

  it('is validated as usual without such a key, or once the key is revoked or has expired', async () => {
    expect(await statusOfNew(await acme.account({ directoryUrl: profile.directoryUrl }))).toBe('pending');
    const [revoked, expired] = [await boundAccount(), await boundAccount()];
    await revoked.revoke();
    expect(await statusOfNew(revoked.account)).toBe('pending');
    await acme.server.running.platform.database.query(
      "UPDATE acme_eab_key SET expires_at = now() - interval '1s' WHERE uuid = $1",
      [expired.keyUuid],
    );
    expect(await statusOfNew(expired.account)).toBe('pending');
  });

  it('becomes invalid if the key is revoked before the certificate is issued; the next order is validated', async () => {
    const { account, revoke } = await boundAccount();
    const name = acme.host('late');
    const { body: order, location = '' } = await account.newOrder([name]);
    await revoke();
    const { der } = await makeSigningRequest({ names: [name] });
    const problem = expectProblem(await account.finalize(order.finalize, der), 403, 'unauthorized');
    expect(problem.detail).toContain('external account key of this account is no longer sufficient');
    expect((await account.order(location)).body.status).toBe('invalid');
    expect(await statusOfNew(account, [name])).toBe('pending');
  });

  it('does not pass its authorizations on to later orders that reuse validations', async () => {
    const { account } = await boundAccount();
    const name = acme.host('reused');
    expect(await statusOfNew(account, [name])).toBe('ready');
    await profile.edit({ authorizationReuse: 3600, caaIdentities: ['ca.example'], externalAccountValidates: false });
    const { body } = await account.newOrder([name, acme.host('more')]);
    const statuses = await Promise.all(body.authorizations.map(async (url) => (await account.authorization(url)).body));
    expect(statuses.map(({ status }) => status)).toEqual(['pending', 'pending']);
    await profile.edit({ authorizationReuse: 0, externalAccountValidates: true });
  });

  it('is not issued if CAA records forbid it', async () => {
    const { account } = await boundAccount();
    const name = acme.host('caa');
    const { body: order } = await account.newOrder([name]);
    const { der } = await makeSigningRequest({ names: [name] });
    const caa = (value: string) => (acme.dns.zone[`${name} CAA`] = [{ type: 'CAA', tag: 'issue', value }]);
    for (const value of ['other.example', 'ca.example; validationmethods=dns-01']) {
      caa(value);
      expectProblem(await account.finalize(order.finalize, der), 403, 'caa');
    }
    caa('ca.example');
    expect((await account.finalize(order.finalize, der)).body.status).toBe('valid');
  });

  it('is recorded as not validated in the audit log', async () => {
    const { account } = await boundAccount();
    const name = acme.host('audited');
    await account.newOrder([name]);
    const { items } = await acme.server.client.auditLogs.listAuditLogs({ body: { itemsPerPage: 20 } });
    const record = items.find((item) => JSON.stringify(item).includes(name));
    expect(JSON.stringify(record)).toContain('"validatedBy":"externalAccountKey"');
  });
});
