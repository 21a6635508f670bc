// Connectors that wait for approval, credentials, and a v1 authority with its end entities, with realistic names:
// short, long, unbroken, and in other scripts.
import type { Client } from '@signetry/client';
import { createLegacyAuthority } from '../e2e/testing/legacy-authorities.ts';

const UNBROKEN = 'connector-eu-central-1-blue-green-canary-platform-internal-example-without-any-place-to-break-it';
const BIDIRECTIONAL = 'مزود "الشهادات" (v2) في المكتب الرئيسي';

export interface ConnectorSamples {
  readonly waiting: string;
  readonly credential: string;
  readonly legacyProfile: string;
  /** End entity with a long name. */
  readonly endEntity: string;
}

export async function createSampleConnectors(client: Client): Promise<ConnectorSamples> {
  const waiting: string[] = [];
  for (const name of [UNBROKEN, BIDIRECTIONAL]) {
    const url = `https://${name === UNBROKEN ? `${UNBROKEN.slice(0, 60)}.example/with/a/long/path` : 'connector.example'}`;
    waiting.push((await client.connectors.registerConnector({ body: { name, url, authType: 'none' } })).uuid);
  }
  const [offering] = await client.connectors.listConnectors({ query: { functionGroup: 'credentialProvider' } });
  const token = { uuid: crypto.randomUUID(), name: 'token', contentType: 'secret' as const };
  const attributes = [{ ...token, content: [{ data: { secret: 'sample' } }] }];
  const credentials: string[] = [];
  for (const name of ['Vault', BIDIRECTIONAL, `credential-of-${UNBROKEN}`]) {
    const body = { name, kind: 'BearerToken', connectorUuid: offering?.uuid ?? '', attributes };
    credentials.push((await client.credentials.createCredential({ body })).uuid);
  }
  for (const [name, label] of [['vaultToken', 'Vault token'], ['escrow', UNBROKEN]] as const)
    await client.customAttributes.createCustomAttribute({
      body: { name, label, contentType: 'credential', resources: ['credentials', 'raProfiles'], list: name === 'escrow', multiSelect: name === 'escrow' },
    }); // prettier-ignore
  const legacy = await createLegacyAuthority(client, { name: 'Office issuing CA first generation' });
  const endEntity = `${UNBROKEN.slice(0, 60)}/with?characters&that-matter`;
  for (const username of ['alice', BIDIRECTIONAL, endEntity])
    await client.legacyClientOperations.addEndEntity({
      params: { raProfileName: legacy.raProfileName },
      body: {
        username,
        password: 'once',
        subjectDN: 'CN=مزود الشهادات,O=Example',
        subjectAltName: `dNSName=${UNBROKEN.slice(0, 60)}.example, dNSName=www.example`,
        email: 'somebody@example.com',
      },
    });
  return {
    waiting: waiting[0] ?? '',
    credential: credentials[2] ?? '',
    legacyProfile: legacy.raProfileUuid,
    endEntity,
  };
}
