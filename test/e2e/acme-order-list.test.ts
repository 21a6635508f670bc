// ACME orders as administrators see them, over real HTTP.
import type { Client } from '@signetry/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { rejectionOf } from './testing/certificates.ts';
import { limitedUser } from './testing/limited-user.ts';

const acme = sharedAcmeServer();
let admin: Client;
let params: { uuid: string };

beforeAll(async () => {
  admin = acme.server.client;
  const profile = (await admin.acmeProfiles.listAcmeProfiles()).find(({ name }) => name === 'default');
  params = { uuid: profile?.uuid ?? '' };
});

const orders = async (query: { accountUuid?: string } = {}) =>
  (await admin.acmeOrders.listAcmeOrders({ params, query })).orders;

describe('the order list', () => {
  it('shows an order from its creation until the certificate is issued', async () => {
    const client = await acme.account();
    const name = acme.host('listed');
    const placed = await client.newOrder([name]);
    const [pending] = await orders();
    expect(pending).toMatchObject({ names: [name], status: 'pending' });
    expect([pending?.error, pending?.certificateUuid]).toEqual([undefined, undefined]);
    expect(placed.location?.endsWith(pending?.uuid ?? 'nowhere')).toBe(true);

    const other = acme.host('issued');
    const { certificateUrl } = await acme.issue(client, [other]);
    const [valid, still] = await orders();
    expect(valid).toMatchObject({ names: [other], status: 'valid', accountId: pending?.accountId });
    expect(certificateUrl.endsWith(valid?.certificateUuid ?? 'nowhere')).toBe(true);
    expect(still).toEqual(pending);
    const certificate = await admin.certificates.getCertificate({ params: { uuid: valid?.certificateUuid ?? '' } });
    expect(certificate.subjectAlternativeNames).toEqual({ dNSName: [other] });

    expect((await orders({ accountUuid: valid?.accountUuid ?? '' })).map(({ names }) => names)).toEqual([
      [other],
      [name],
    ]);
    const page = await admin.acmeOrders.listAcmeOrders({ params, query: { status: 'valid', itemsPerPage: 1 } });
    expect(page).toMatchObject({ itemsPerPage: 1, pageNumber: 1, totalItems: 1, orders: [{ uuid: valid?.uuid }] });
  });

  it('explains why a validation failed', async () => {
    const client = await acme.account();
    const name = acme.host('nobody-there');
    const { body: order } = await client.newOrder([name]);
    delete acme.dns.zone[name];
    const { status } = await acme.prove(client, order.authorizations[0] ?? '');
    expect(status).toBe('invalid');
    const [failed] = await orders();
    expect(failed).toMatchObject({ names: [name], status: 'invalid' });
    expect(failed?.error).toContain(`${name}: `);
  });

  it('is available to users who can list accounts and see the profile', async () => {
    const may = await limitedUser(acme.server, [
      ['acmeAccounts', 'list'],
      ['acmeProfiles', 'detail'],
    ]);
    expect((await may.acmeOrders.listAcmeOrders({ params })).totalItems).toBeGreaterThan(0);
    for (const rights of [[['acmeAccounts', 'list']], [['acmeProfiles', 'detail']]] as const) {
      const mayNot = await limitedUser(acme.server, rights);
      expect(await rejectionOf(mayNot.acmeOrders.listAcmeOrders({ params }))).toMatchObject({ status: 403 });
    }
    expect(await rejectionOf(admin.acmeOrders.listAcmeOrders({ params, query: { pageNumber: 0 } }))).toMatchObject({
      status: 400,
    });
  });
});
