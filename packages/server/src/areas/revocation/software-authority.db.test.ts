// End-to-end test with the built-in authority: real connector, authority and RA profiles. Only the inventory is a fake.
import {
  authorityProviderOperations,
  raProfileOperations,
  type CertificateRevocationReason,
  type RequestAttributeDto,
} from '@signetry/contract';
import {
  assembleCertificationRequest,
  buildCertId,
  buildCertificationRequestInfo,
  buildName,
  buildOcspRequest,
  defaultSignatureAlgorithm,
  deltaFits,
  findRevoked,
  issuerHashes,
  OID,
  parseCertificate,
  parseCrl,
  parseOcspResponse,
  parsePublicKey,
  revocationByCrl,
  verifyOcspResponse,
  type Certificate,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { AUTHORITY, softwareAuthority } from '@signetry/software-authority';
import { testDatabase } from '@signetry/testkit/database';
import { closeAfterTest, testPlatform } from '@signetry/testkit/services';
import { describe, expect, it } from 'vitest';
import { coreContextFor } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAttributeEngine } from '../attributes/index.ts';
import { createAuditArea } from '../audit/index.ts';
import { createAuthoritiesArea } from '../authorities/index.ts';
import { createConnectorsArea } from '../connectors/index.ts';
import { createRaProfilesArea } from '../ra-profiles/index.ts';
import type { CertificatePort } from './ports.ts';
import { startTestNode } from './testing/node.ts';
import { noApprovals } from '../approvals/testing/no-approvals.ts';

const context = coreContextFor(raProfileOperations.createRaProfile);

function createAreas(platform: Platform) {
  const audit = createAuditArea(platform).trail;
  const attributes = createAttributeEngine(platform);
  const connectors = createConnectorsArea(platform, { audit, attributes });
  closeAfterTest(() => connectors.stop?.());
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

/** Entry of the platform's inventory, in memory. */
interface Entry {
  readonly uuid: string;
  readonly certificate: Certificate;
  revokedAt: Date | null;
  reason: CertificateRevocationReason | null;
}

async function setUp(authorityAttributes: readonly RequestAttributeDto[] = []) {
  const platform = testPlatform(await testDatabase());
  const { connectors, authorities, raProfiles } = createAreas(platform);
  const inventory: Entry[] = [];
  const add = (der: Uint8Array): Entry => {
    const entry: Entry = { uuid: newUuid(), certificate: parseCertificate(der), revokedAt: null, reason: null };
    inventory.push(entry);
    return entry;
  };
  raProfiles.registerCaCertificates({
    learn: async ({ chainDer }) => chainDer.map((der) => add(der).uuid),
    describe: async () => [],
  });
  const issueUnder = async (raProfileUuid: string, request: Uint8Array): Promise<Entry> => {
    const profile = await raProfiles.forUpkeep(raProfileUuid);
    const client = await connectors.client(profile.connectorUuid);
    const { raProfileAttributes } = profile;
    const answer = await client.call(
      authorityProviderOperations.issueCertificate,
      {
        params: { uuid: profile.authorityConnectorUuid },
        body: {
          request: Buffer.from(request).toString('base64'),
          format: 'pkcs10',
          attributes: [],
          raProfileAttributes,
        },
      },
      { idempotencyKey: newUuid() },
    );
    return add(Buffer.from(answer.certificateData, 'base64'));
  };
  const find = (uuid: string) => inventory.find((entry) => entry.uuid === uuid);
  const certificates: CertificatePort = {
    findStatuses: async (_issuers, serialNumbers) =>
      inventory
        .filter(({ certificate }) => serialNumbers.includes(certificate.serialNumber))
        .map(({ certificate: { serialNumber }, revokedAt, reason }) => ({
          serialNumber,
          revokedAt,
          revocationReason: reason,
        })),
    caCertificatesOf: async (authorityUuid) =>
      (await raProfiles.caCertificateUuids(authorityUuid)).flatMap((uuid) => {
        const entry = find(uuid);
        return entry ? [{ uuid, der: entry.certificate.der }] : [];
      }),
    find: async (uuid) => {
      const entry = find(uuid);
      const state = entry?.revokedAt ? 'revoked' : 'issued';
      return entry && { state, der: entry.certificate.der, revocationReason: entry.reason };
    },
    issue: async ({ raProfileUuid, request }) => {
      const { uuid, certificate } = await issueUnder(raProfileUuid, request);
      return { uuid, der: certificate.der };
    },
  };
  const connectorUuid = await connectors.registerBuiltIn(softwareAuthority);
  const wish = { name: 'Test Root', connectorUuid, kind: 'SoftwareCA', attributes: [...authorityAttributes] };
  const authorityUuid = await authorities.create(wish, context);
  const wanted = { name: 'default', attributes: [], enabled: true };
  const raProfileUuid = await raProfiles.create(authorityUuid, wanted, context);
  const node = await startTestNode(platform, { connectors, authorities, raProfiles, certificates });
  closeAfterTest(node.close);
  const issuer = (await node.parts.issuers.currentOf(authorityUuid)).certificate;

  async function issueLeaf(): Promise<Entry> {
    const { privateKey, spki } = await generateKeyPair('P-256');
    const info = buildCertificationRequestInfo({ subject: buildName([{ type: 'CN', value: 'a.example.com' }]), spki });
    const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
    const signature = nodeCrypto.sign(privateKey, { algorithm, data: info });
    return issueUnder(raProfileUuid, assembleCertificationRequest(info, { algorithm, signature }));
  }

  /**
   * Revokes at the authority, then in the inventory, then announces the revocation: the order that the platform uses.
   */
  async function revoke(entry: Entry, reason: CertificateRevocationReason = 'keyCompromise'): Promise<void> {
    const profile = await raProfiles.forUpkeep(raProfileUuid);
    const client = await connectors.client(connectorUuid);
    await client.call(authorityProviderOperations.revokeCertificate, {
      params: { uuid: profile.authorityConnectorUuid },
      body: {
        reason,
        attributes: [],
        raProfileAttributes: profile.raProfileAttributes,
        certificate: Buffer.from(entry.certificate.der).toString('base64'),
      },
    });
    entry.revokedAt ??= platform.clock.now();
    entry.reason = reason;
    const event = { certificateUuid: entry.uuid, raProfileUuid, issuerCertificateUuid: null };
    await node.parts.jobs.afterRevocation(event);
    await node.parts.jobs.idle();
  }

  const crl = async (ending = '') =>
    parseCrl(new Uint8Array(await (await fetch(`${node.url}/crl/${authorityUuid}${ending}.crl`)).arrayBuffer()));

  async function ocsp({ certificate }: Entry) {
    const hashes = issuerHashes(issuer, { digestName: 'sha1', digest: nodeCrypto.digest });
    const request = buildOcspRequest({ certIds: [buildCertId(hashes, certificate.serialBytes)] });
    const answer = await fetch(
      `${node.url}/ocsp/${authorityUuid}/${encodeURIComponent(Buffer.from(request).toString('base64'))}`,
    );
    const response = parseOcspResponse(new Uint8Array(await answer.arrayBuffer()));
    if (response.status !== 'successful') throw new Error(`The answer is ${response.status}.`);
    const nowMs = platform.clock.now().getTime();
    const facts = { certificate, issuer, verify: nodeCrypto.verify, digest: nodeCrypto.digest, nowMs };
    const verdict = verifyOcspResponse(response.basic, facts);
    if (!verdict.trusted) throw new Error(`The answer is refused: ${verdict.refusal}.`);
    return verdict;
  }

  /** Fetches the CRL from the URL in the certificate, as a relying party does. */
  const crlNamedBy = async ({ certificate }: Entry, at = node) => {
    const { pathname } = new URL(certificate.crlUrls[0] ?? '');
    return parseCrl(new Uint8Array(await (await fetch(`${at.url}${pathname}`)).arrayBuffer()));
  };

  /** Starts a node with empty caches. */
  const freshNode = async () => {
    const other = await startTestNode(testPlatform(platform.database), {
      connectors,
      authorities,
      raProfiles,
      certificates,
    });
    closeAfterTest(other.close);
    return other;
  };

  return { platform, node, freshNode, raProfiles, authorityUuid, issuer, issueLeaf, revoke, crl, crlNamedBy, ocsp };
}

describe('with the built-in authority', () => {
  it('OCSP and CRL report the same revocation date, and are signed by a certified responder and by the CA respectively', async () => {
    const { raProfiles, authorityUuid, issueLeaf, revoke, crl, ocsp } = await setUp();
    const leaf = await issueLeaf();
    const good = await ocsp(leaf);
    expect(good.certStatus).toEqual({ status: 'good' });
    expect(good.responder.extKeyUsage).toEqual([OID.ocspSigning]);
    expect(good.responder.extensions.some(({ oid }) => oid === OID.ocspNoCheck)).toBe(true);
    // The status of the responder is not checked (RFC 6960 §4.2.2.2.1), so its certificate contains no revocation URLs.
    expect([...good.responder.crlUrls, ...good.responder.ocspUrls]).toEqual([]);
    expect(await raProfiles.findAnyByName('ocsp-test-root')).toMatchObject({ authorityUuid, internal: true });
    expect(await raProfiles.findByName('ocsp-test-root')).toBeUndefined();
    const before = await crl();
    const delta = await crl('-delta');
    expect(deltaFits(before, delta)).toBe(true);

    await revoke(leaf);
    const after = await crl();
    expect(after.crlNumber).toBeGreaterThan(before.crlNumber ?? 0n);
    const entry = findRevoked(after, leaf.certificate.serialBytes);
    expect(entry?.reason).toBe('keyCompromise');
    const { certStatus } = await ocsp(leaf);
    expect(certStatus).toEqual({ status: 'revoked', revocationMs: entry?.revocationMs, reason: 'keyCompromise' });
  });

  it('the published bytes are exactly those that the authority signed, and are not copied', async () => {
    const { node, authorityUuid, issueLeaf, revoke, crl } = await setUp();
    const leaf = await issueLeaf();
    await crl();
    await revoke(leaf);
    const one = await node.parts.published.findFresh({ authorityUuid, kind: 'full' });
    await revoke(await issueLeaf());
    const other = await node.parts.published.findFresh({ authorityUuid, kind: 'full' });
    expect(other?.facts.number).not.toBe(one?.facts.number);
    // On a repeated request, the authority returns its stored buffer, which is the one that is served.
    const order = { authorityUuid, kind: 'full', isNeeded: () => true, evenIfPaused: true, waitMs: 0 } as const;
    await node.parts.refresh(order);
    const again = await node.parts.published.findFresh({ authorityUuid, kind: 'full' });
    expect(again?.der.buffer).toBe(other?.der.buffer);
  });

  it('revocations are added only to the delta CRL if the authority is so configured, and OCSP, full CRL and delta CRL agree', async () => {
    const { node, issuer, authorityUuid, issueLeaf, revoke, crl, ocsp } = await setUp([
      {
        uuid: newUuid(),
        name: AUTHORITY.crlOnRevocation,
        contentType: 'string',
        content: [{ reference: 'A delta CRL', data: 'delta' }],
      },
    ]);
    const [good, bad] = [await issueLeaf(), await issueLeaf()];
    const full = await crl();
    await revoke(bad);
    expect((await crl()).crlNumber).toBe(full.crlNumber);
    const delta = await crl('-delta');
    expect(delta.baseCrlNumber).toBe(full.crlNumber);
    const evaluate = (leaf: typeof bad) =>
      revocationByCrl(leaf.certificate, { full, delta, issuer, nowMs: Date.now(), verify: nodeCrypto.verify });
    expect(evaluate(good)).toMatchObject({ status: 'good' });
    const verdict = evaluate(bad);
    const { certStatus } = await ocsp(bad);
    expect(verdict).toMatchObject({ status: 'revoked', entry: { reason: 'keyCompromise' } });
    if (verdict.status !== 'revoked') throw new Error('unreachable');
    expect(certStatus).toEqual({
      status: 'revoked',
      revocationMs: verdict.entry.revocationMs,
      reason: 'keyCompromise',
    });

    // The next revocation is added to the delta CRL; the full CRL is still valid.
    const another = await issueLeaf();
    await revoke(another);
    const second = await crl('-delta');
    expect(second.crlNumber).toBeGreaterThan(delta.crlNumber ?? 0n);
    expect(findRevoked(second, another.certificate.serialBytes)).toBeDefined();
    expect(findRevoked(second, bad.certificate.serialBytes)).toBeDefined();
    const isShown = await node.parts.published.showing(authorityUuid);
    expect(isShown({ certificate: another.certificate, reason: undefined, isReleased: false })).toBe(true);
  });

  it('a key compromise that is reported later replaces the reason in OCSP, delta CRL and full CRL, and the first date is kept', async () => {
    const { issueLeaf, revoke, crl, ocsp } = await setUp([
      {
        uuid: newUuid(),
        name: AUTHORITY.crlOnRevocation,
        contentType: 'string',
        content: [{ reference: 'A delta CRL', data: 'delta' }],
      },
    ]);
    const leaf = await issueLeaf();
    await revoke(leaf, 'superseded');
    const inFull = findRevoked(await crl(), leaf.certificate.serialBytes);
    expect(inFull?.reason).toBe('superseded');
    await revoke(leaf, 'keyCompromise');
    expect(findRevoked(await crl('-delta'), leaf.certificate.serialBytes)).toEqual({
      ...inFull,
      reason: 'keyCompromise',
    });
    const { certStatus } = await ocsp(leaf);
    expect(certStatus).toEqual({ status: 'revoked', revocationMs: inFull?.revocationMs, reason: 'keyCompromise' });
  });
});

describe('with the built-in authority and CRL partitions', () => {
  const shards = (count: number): RequestAttributeDto => ({
    uuid: newUuid(),
    name: AUTHORITY.crlShards,
    contentType: 'integer',
    content: [{ data: count }],
  });

  it("the CRL at the certificate's URL, the complete CRL and OCSP agree for every certificate, on every node", async () => {
    const { platform, freshNode, authorityUuid, issuer, issueLeaf, revoke, crl, crlNamedBy, ocsp } = await setUp([
      shards(4),
    ]);
    const leaves = await Promise.all(Array.from({ length: 16 }, issueLeaf));
    expect(new Set(leaves.map(({ certificate }) => certificate.crlUrls.join())).size).toBeGreaterThan(1);
    for (const { certificate } of leaves) {
      expect(certificate.crlUrls[0]).toMatch(
        new RegExp(`^${platform.revocationUrl()}/crl/${authorityUuid}-shard-[1-4]\\.crl$`),
      );
    }
    const evaluate = ({ certificate }: (typeof leaves)[number], full: Awaited<ReturnType<typeof crl>>) =>
      revocationByCrl(certificate, { full, issuer, nowMs: Date.now(), verify: nodeCrypto.verify }).status;
    const numbers = new Map<string, bigint>();
    for (const leaf of leaves.filter((_, index) => index % 3 === 0)) {
      await revoke(leaf);
      const node = await freshNode();
      const whole = await crl();
      for (const each of leaves) {
        const own = await crlNamedBy(each, node);
        const expected = each.revokedAt ? 'revoked' : 'good';
        expect([evaluate(each, own), evaluate(each, whole), (await ocsp(each)).certStatus.status]).toEqual([
          expected,
          expected,
          expected,
        ]);
        const [url = ''] = each.certificate.crlUrls;
        expect(own.crlNumber).toBeGreaterThanOrEqual(numbers.get(url) ?? 0n);
        numbers.set(url, own.crlNumber ?? 0n);
        // The CRL of a different partition must not determine its status.
        const stranger = leaves.find(({ certificate }) => certificate.crlUrls[0] !== url);
        if (stranger) expect(evaluate(stranger, own)).toBe('undetermined');
      }
    }
  });

  it('certificates of an authority without partitions contain the URL of the complete CRL', async () => {
    const { node, authorityUuid, issueLeaf } = await setUp();
    const { certificate } = await issueLeaf();
    expect(certificate.crlUrls[0]).toMatch(new RegExp(`/crl/${authorityUuid}\\.crl$`));
    expect((await fetch(`${node.url}/crl/${authorityUuid}-shard-1.crl`)).status).toBe(404);
  });
});
