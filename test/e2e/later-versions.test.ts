// Operations of later interface versions, as clients of these versions call them. The platform announces 2.16.1.
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { limitedUser } from './testing/limited-user.ts';
import { send } from './testing/raw-request.ts';

const server = sharedTestServer();

describe('operations of a later interface version', () => {
  it('are served, but neither announced nor part of the API description', async () => {
    expect(await server.client.info.getInfo()).toMatchObject({ app: { version: '2.16.1' } });
    const { text } = await send(server.ready.http, '/api/openapi.json');
    expect(text).toContain('"/v1/connectors"');
    expect(text).not.toContain('/v2/connectors');
    expect(text).not.toContain('/v2/oauth2');
  });

  it('list only the connectors that the caller can see', async () => {
    const { items, totalItems } = await server.client.connectorsV2.listConnectorsV2({ body: { itemsPerPage: 100 } });
    expect(items).toHaveLength(totalItems);
    expect(items[0]).toMatchObject({ version: 'v1', interfaces: [] });
    const nobody = await limitedUser(server, []);
    await expect(nobody.connectorsV2.listConnectorsV2({ body: {} })).rejects.toMatchObject({ status: 403 });
  });

  it('name the identity providers at which a browser can sign in, without credentials', async () => {
    const read = async () => JSON.parse((await send(server.ready.http, '/api/v2/oauth2/providers')).text) as unknown;
    expect(await read()).toEqual([]);
    const body = {
      issuerUrl: 'https://id.example',
      clientId: 'signetry',
      clientSecret: 'secret',
      authorizationUrl: 'https://id.example/auth',
      tokenUrl: 'https://id.example/token',
      jwkSet: Buffer.from(JSON.stringify({ keys: [KEY] })).toString('base64'),
    };
    const params = { providerName: 'corporate' };
    await server.client.authenticationSettings.updateOAuth2ProviderSettings({ params, body });
    const loginUrl = '/oauth2/authorization/corporate/prepare';
    expect(await read()).toEqual([{ name: 'corporate', loginUrl }]);
    const { status, headers } = await send(server.ready.http, `${loginUrl}?redirect=/certificates`);
    expect(status).toBe(303);
    expect(headers.location).toMatch(/^https:\/\/id\.example\/auth/);
  });
});

/** The public key of RFC 7517 appendix A.1. */
const KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  use: 'sig',
  kid: '1',
};
