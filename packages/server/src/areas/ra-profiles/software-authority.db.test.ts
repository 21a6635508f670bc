// End to end with the built-in authority; only the certificate inventory is fake.
import { octetsOf } from '@signetry/connector-sdk';
import { authorityProviderOperations, raProfileOperations, type RequestAttributeDto } from '@signetry/contract';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  parsePublicKey,
  readCertificate,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { PROFILE, softwareAuthority } from '@signetry/software-authority';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreContextFor } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAttributeEngine } from '../attributes/index.ts';
import { createAuditArea } from '../audit/index.ts';
import { createAuthoritiesArea } from '../authorities/index.ts';
import { createConnectorsArea } from '../connectors/index.ts';
import { createRaProfilesArea, type CaChain } from './index.ts';
import { noApprovals } from '../approvals/testing/no-approvals.ts';

let platform: Platform;
let areas: ReturnType<typeof createAreas>;
const context = coreContextFor(raProfileOperations.createRaProfile);
const chains: CaChain[] = [];

beforeAll(async () => {
  platform = testPlatform(await testDatabase());
  areas = createAreas();
  areas.raProfiles.registerCaCertificates({
    learn: (chain) => Promise.resolve((chains.push(chain), chain.chainDer.map(() => newUuid()))),
    describe: () => Promise.resolve([]),
  });
});
afterAll(() => areas.connectors.stop?.());

function createAreas() {
  const audit = createAuditArea(platform).trail;
  const attributes = createAttributeEngine(platform);
  const connectors = createConnectorsArea(platform, { audit, attributes });
  const authorities = createAuthoritiesArea(platform, { audit, attributes, connectors });
  const raProfiles = createRaProfilesArea(platform, {
    audit,
    attributes,
    connectors,
    authorities,
    approvals: noApprovals,
  });
  return { connectors, authorities, raProfiles };
}

describe('the built-in authority', () => {
  it('becomes an authority with an RA profile through the regular operations, and issues certificates under the RA profile', async () => {
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

  it('rejects an invalid request with the same error as any other connector', async () => {
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

  it("adds the platform's URLs to certificates, unless an RA profile specifies otherwise", async () => {
    const { raProfiles } = areas;
    const known = await raProfiles.findByName('default');
    const { authorityUuid } = await raProfiles.forIssuingByUuid(known?.uuid ?? '');
    const base = platform.revocationUrl();
    const addresses = {
      crl: [`${base}/crl/${authorityUuid}.crl`],
      ocsp: [`${base}/ocsp/${authorityUuid}`],
      caIssuers: [`${base}/ca/${authorityUuid}.crt`],
    };
    const profile = (name: string, attributes: RequestAttributeDto[]) =>
      raProfiles.create(authorityUuid, { name, attributes, enabled: true }, context);
    expect(await urlsUnder(await profile('silent', []))).toEqual(addresses);
    expect(await urlsUnder(await profile('emptied', [text(PROFILE.ocspUrls, '')]))).toEqual(addresses);
    const without = await profile('without', [text(PROFILE.crlUrls, 'none'), text(PROFILE.ocspUrls, 'none')]);
    expect(await urlsUnder(without)).toEqual({ ...addresses, crl: [], ocsp: [] });
    const own = await profile('own', [text(PROFILE.crlUrls, 'http://crl.example/a.crl')]);
    expect(await urlsUnder(own)).toEqual({ ...addresses, crl: ['http://crl.example/a.crl'] });
  });

  it('does not change the certificates issued under existing RA profiles, even if these are edited', async () => {
    const { raProfiles } = areas;
    const known = await raProfiles.findByName('default');
    const { authorityUuid } = await raProfiles.forIssuingByUuid(known?.uuid ?? '');
    const wanted = { name: 'older', attributes: [], enabled: true };
    const older = await raProfiles.create(authorityUuid, wanted, context);
    // As created by a version that filled in no defaults.
    await platform.database.query('DELETE FROM attribute_value WHERE object_uuid = $1', [older]);
    const none = { crl: [], ocsp: [], caIssuers: [] };
    expect(await urlsUnder(older)).toEqual(none);
    await edit(authorityUuid, older);
    expect(await urlsUnder(older)).toEqual(none);
    const newer = await raProfiles.create(authorityUuid, { ...wanted, name: 'newer' }, context);
    const before = await urlsUnder(newer);
    await edit(authorityUuid, newer);
    expect(await urlsUnder(newer)).toEqual(before);
    expect(before.crl).toHaveLength(1);
  });
});

const text = (name: string, data: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name,
  contentType: 'text',
  content: [{ data }],
});

/** Edits a profile through its operation, without specifying attributes. */
async function edit(authorityUuid: string, raProfileUuid: string): Promise<void> {
  const operation = raProfileOperations.editRaProfile;
  const route = areas.raProfiles.routes?.find((each) => each.operation === operation);
  const body = operation.body.parse({ attributes: [], description: 'changed' });
  const audited = { ...context, audit: operation.audit };
  // The operation determines the input type.
  await route?.handle({ params: { authorityUuid, raProfileUuid }, query: {}, body, context: audited } as never);
}

/** Returns the URLs in a certificate issued under a profile. */
async function urlsUnder(raProfileUuid: string) {
  const profile = await areas.raProfiles.forIssuingByUuid(raProfileUuid);
  const client = await areas.connectors.client(profile.connectorUuid);
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const info = buildCertificationRequestInfo({ subject: buildName([{ type: 'CN', value: 'a.example' }]), spki });
  const signature = nodeCrypto.sign(privateKey, { algorithm, data: info });
  const request = Buffer.from(assembleCertificationRequest(info, { algorithm, signature })).toString('base64');
  const { raProfileAttributes } = profile;
  const { certificateData } = await client.call(
    authorityProviderOperations.issueCertificate,
    {
      params: { uuid: profile.authorityConnectorUuid },
      body: { request, format: 'pkcs10', raProfileAttributes, attributes: [] },
    },
    { idempotencyKey: newUuid() },
  );
  const { crlUrls, ocspUrls, caIssuersUrls } = readCertificate(certificateData);
  return { crl: crlUrls, ocsp: ocspUrls, caIssuers: caIssuersUrls };
}
