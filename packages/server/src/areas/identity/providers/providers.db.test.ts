import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { authenticationSettingsOperations, type OAuth2ProviderSettingsUpdateDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeEach, describe, expect, it } from 'vitest';
import { coreContextFor } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createKeySets } from './key-sets.ts';
import { createProviderHttp } from './provider-http.ts';
import { createProviders, type Providers } from './service.ts';

const context = coreContextFor(authenticationSettingsOperations.updateAuthenticationSettings);
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const setOf = (...keys: readonly object[]) => Buffer.from(JSON.stringify({ keys })).toString('base64');
const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more });

const settings = (more: OAuth2ProviderSettingsUpdateDto = {}): OAuth2ProviderSettingsUpdateDto => ({
  issuerUrl: 'https://id.example/realms/a',
  clientId: 'signetry',
  clientSecret: 'hush-hush',
  jwkSet: setOf(jwk(publicKey, { kid: 'first', alg: 'ES256', use: 'sig' })),
  ...more,
});

describe('authentication settings', () => {
  let platform: Platform;
  let providers: Providers;

  beforeEach(async () => {
    platform = testPlatform(await testDatabase());
    const http = createProviderHttp(platform);
    const keySets = createKeySets(platform, { http });
    providers = createProviders(platform, { audit: createAuditArea(platform).trail, http, keySets });
  });

  const save = (name: string, request = settings()) => providers.changeProvider(name, { request, context });
  const secretOf = async (name: string): Promise<string> => {
    const row = (await providers.all()).find((provider) => provider.name === name);
    const sealed = row?.sealed_client_secret ?? new Uint8Array();
    return Buffer.from(platform.sealer.open(sealed, `client secret of the provider ${name}`)).toString();
  };

  it('show a provider with its keys, but without its secret', async () => {
    await save('corporate');
    const shown = await providers.detail('corporate');
    expect(shown).toMatchObject({
      name: 'corporate',
      issuerUrl: 'https://id.example/realms/a',
      skew: 30,
      sessionMaxInactiveInterval: 900,
      jwkSetKeys: [
        {
          kid: 'first',
          algorithm: 'ES256',
          keyType: 'EC',
          use: 'sig',
          publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
        },
      ],
    });
    expect(JSON.stringify([shown, await providers.settings()])).not.toContain('hush');
    const rows = await platform.database.query('SELECT * FROM oauth2_provider');
    expect(JSON.stringify(rows)).not.toContain('hush');
  });

  it.each([undefined, ''])('keep the secret if an update sends %j', async (clientSecret) => {
    await save('corporate');
    await save('corporate', settings({ clientSecret, clientId: 'other' }));
    expect(await secretOf('corporate')).toBe('hush-hush');
    expect((await providers.detail('corporate')).clientId).toBe('other');
  });

  it('replace all providers if a list is sent, and keep them if no list is sent', async () => {
    await save('old');
    const kept = { ...settings({ issuerUrl: 'https://id.example/b' }), name: 'kept' };
    await providers.change({ disableLocalhostUser: true, oauth2Providers: [kept] }, context);
    await providers.change({ disableLocalhostUser: false }, context);
    expect(Object.keys((await providers.settings()).oauth2Providers)).toEqual(['kept']);
  });

  it('allow only one provider per issuer', async () => {
    await save('first');
    await expect(save('second')).rejects.toThrow('belongs to another provider');
  });

  it.each([
    ['a missing issuer', { issuerUrl: undefined }, 'issuer URL'],
    ['missing keys', { jwkSet: undefined }, 'JWK set URL or the JWK set'],
    ['an unencrypted URL', { tokenUrl: 'http://id.example/token' }, 'token URL'],
    ['a URL with a password', { tokenUrl: 'https://a:b@id.example/token' }, 'token URL'],
    ['keys that are not JSON', { jwkSet: 'bm90IGpzb24=' }, 'is not Base64-encoded JSON'],
    ['a secret key', { jwkSet: setOf({ kty: 'oct', k: 'c2VjcmV0' }) }, 'secret or private key'],
    ['a private key', { jwkSet: setOf(jwk(privateKey)) }, 'secret or private key'],
    ['keys that cannot verify signatures', { jwkSet: setOf(jwk(publicKey, { use: 'enc' })) }, 'no key'],
  ])('reject %s with an explanation, and do not store anything', async (_what, more, words) => {
    await expect(save('corporate', settings(more))).rejects.toThrow(words);
    await expect(providers.detail('corporate')).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('can remove a provider only once', async () => {
    await save('corporate');
    await providers.removeProvider('corporate', context);
    await expect(providers.removeProvider('corporate', context)).rejects.toMatchObject({ code: 'object_not_found' });
  });
});
