// The whole way with the built-in authority: nothing is pretended here but the inventory of certificates.
import { octetsOf } from '@signetry/connector-sdk';
import { authorityProviderOperations } from '@signetry/contract';
import { softwareAuthority } from '@signetry/software-authority';
import { testDatabase, testPlatform } from '@signetry/testkit';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAttributeEngine } from '../attributes/index.ts';
import { createAuditArea } from '../audit/index.ts';
import { createAuthoritiesArea } from '../authorities/index.ts';
import { createConnectorsArea } from '../connectors/index.ts';
import { createRaProfilesArea, type CaChain } from './index.ts';

let platform: Platform;
let areas: ReturnType<typeof createAreas>;
const context = coreContext('test');
const chains: CaChain[] = [];

beforeAll(async () => {
  platform = testPlatform(await testDatabase());
  areas = createAreas();
  areas.raProfiles.registerCaCertificates({
    learn: (chain) => Promise.resolve((chains.push(chain), chain.chainDer.map(() => newUuid()))),
    describe: () => Promise.resolve([]),
  });
});
afterAll(() => areas.area.stop?.());

function createAreas() {
  const audit = createAuditArea(platform).trail;
  const attributes = createAttributeEngine(platform);
  const area = createConnectorsArea(platform, { audit, attributes });
  const { connectors } = area;
  const { authorities } = createAuthoritiesArea(platform, { audit, attributes, connectors });
  const { raProfiles } = createRaProfilesArea(platform, { audit, attributes, connectors, authorities });
  return { area, connectors, authorities, raProfiles };
}

describe('the built-in authority', () => {
  it('becomes an authority and an RA profile by the ordinary path, and issues by the RA profile', async () => {
    const { connectors, authorities, raProfiles } = areas;
    const connectorUuid = await connectors.registerBuiltIn(softwareAuthority);
    const authorityUuid = await authorities.create(
      { name: 'Test Root', connectorUuid, kind: 'SoftwareCA', attributes: [] },
      context,
    );
    const raProfileUuid = await raProfiles.create(
      authorityUuid,
      { name: 'default', attributes: [], enabled: true },
      context,
    );

    const [chain] = chains;
    const root = new X509Certificate(chain?.chainDer[0] ?? Buffer.alloc(0));
    expect(root.subject).toBe('CN=Test Root');
    const profile = await raProfiles.forIssuing(authorityUuid, raProfileUuid);
    expect(profile.features).toContain('idempotency');
    expect(profile.caCertificateUuid).not.toBeNull();
    expect(await raProfiles.acceptCertificateAttributes(profile, { purpose: 'issue', requested: [] })).toEqual([]);

    const client = await connectors.client(connectorUuid);
    const { crlData } = await client.call(authorityProviderOperations.getCrl, {
      params: { uuid: profile.authorityConnectorUuid },
      body: { delta: false, raProfileAttributes: profile.raProfileAttributes },
    });
    expect(octetsOf(crlData)[0]).toBe(0x30);
  });

  it('refuses what is no request, with the refusal that any connector gives', async () => {
    const { connectors, raProfiles } = areas;
    const known = await raProfiles.findByName('default');
    const profile = await raProfiles.forIssuingByUuid(known?.uuid ?? '');
    const client = await connectors.client(profile.connectorUuid);
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const request = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const issue = client.call(
      authorityProviderOperations.issueCertificate,
      {
        params: { uuid: profile.authorityConnectorUuid },
        body: { request, raProfileAttributes: profile.raProfileAttributes, attributes: [] },
      },
      { idempotencyKey: newUuid() },
    );
    await expect(issue).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });
});
