// An authority whose key is in a PKCS #11 token, tested with SoftHSM: it issues and publishes its CRL, and explains
// what to do until the PIN is entered.
import { X509Certificate } from 'node:crypto';
import type { Client } from '@signetry/client';
import { startTestServer } from '@signetry/testkit/platform';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  HAS_SOFT_HSM,
  openSoftHsm,
  SOFT_HSM,
  SOFT_HSM_NOTE,
} from '../../packages/connectors/pkcs11-tokens/src/testing/soft-hsm.ts';
import { issue, rejectionOf } from './testing/certificates.ts';
import { downloadUrlsOf, fetchCrl } from './testing/downloads.ts';
import { createAuthority } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { createProfile, secretValue, textValue } from './testing/tokens.ts';

const PIN = 'canary-user-pin';
const LABEL = 'Issuing CA';

describe.skipIf(!HAS_SOFT_HSM)(`an authority whose key is in an HSM${SOFT_HSM_NOTE}`, () => {
  const activate = (client: Client, uuid: string): Promise<void> =>
    client.tokens.activateTokenInstance({ params: { uuid }, body: [secretValue('data_pin', PIN)] });

  async function makeToken(client: Client, serial: string): Promise<string> {
    const query = { functionGroup: 'cryptographyProvider', kind: 'PKCS11' } as const;
    const [{ uuid: connectorUuid } = { uuid: '' }] = await client.connectors.listConnectors({ query });
    // Sent by a form once the library is chosen.
    const params = { uuid: connectorUuid, functionGroup: 'cryptographyProvider', kind: 'PKCS11' } as const;
    const form = await client.connectors.getConnectorAttributes({ params });
    const group = form.find(({ type }) => type === 'group');
    const asked = { uuid: group?.uuid ?? '', name: group?.name ?? '', pathVariable: { option: 'softhsm' } };
    await client.callbacks.connectorCallback({ params, body: asked });
    const attributes = [textValue('data_library', 'softhsm'), textValue('data_token', `${serial}:${LABEL}`)];
    const body = { name: 'hsm', kind: 'PKCS11', connectorUuid, attributes, customAttributes: [] };
    return (await client.tokens.createTokenInstance({ body })).uuid;
  }

  it('issues, publishes a CRL, and rejects requests with an explanation while its token is inactive', async () => {
    const hsm = await openSoftHsm();
    onTestFinished(() => hsm.remove());
    const serial = await hsm.initToken(LABEL, PIN);
    const server = await startTestServer({ args: ['--pkcs11-libraries', `softhsm=${SOFT_HSM}`] });
    const { client } = server;
    const tokenInstanceUuid = await makeToken(client, serial);
    await activate(client, tokenInstanceUuid);
    const path = { tokenInstanceUuid, tokenProfileUuid: await createProfile(client, tokenInstanceUuid) };
    const key = await client.keys.createKey({
      params: { ...path, type: 'keyPair' },
      body: {
        name: 'hsm-ca',
        description: '',
        attributes: [textValue('data_keyAlias', 'hsm-ca'), textValue('data_keyAlgorithm', 'P-256')],
        enabled: true,
      },
    });
    const authority = await createAuthority(client, { name: 'Hardware CA', values: { data_tokenKey: key.uuid } });
    const request = async (name: string) => makeRequest({ subject: `CN=${name}` });
    const { x509 } = await issue(client, authority, await request('leaf.example'));
    const [shown] = await client.raProfiles.getAuthorityCertificateChain({ params: authority });
    const ca = new X509Certificate(Buffer.from(shown?.certificateContent ?? '', 'base64'));
    expect(x509.verify(ca.publicKey)).toBe(true);
    const spki = key.items.find(({ type }) => type === 'Public')?.keyData;
    expect(ca.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')).toBe(spki);
    // Verified with the CA key.
    await fetchCrl(downloadUrlsOf(server.ready, authority.authorityUuid).crl, ca.raw);

    await client.tokens.deactivateTokenInstance({ params: { uuid: tokenInstanceUuid } });
    const refused = await rejectionOf(issue(client, authority, await request('refused.example')));
    expect(refused).toMatchObject({ status: 503, message: expect.stringContaining('hsm') });
    await activate(client, tokenInstanceUuid);
    await issue(client, authority, await request('again.example'));
  });
});
