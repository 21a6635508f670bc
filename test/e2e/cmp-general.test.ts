// General messages that CMP clients send before and after enrollment (RFC 9483 §4.3): CA certificates, root update,
// CRLs.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import {
  buildInfo,
  controlValue,
  equalNames,
  infoName,
  infoValue,
  parseCertificate,
  parseCrl,
  parseDer,
  elementBytes,
  OID,
  openElement,
  readOid,
  requestInfo,
  TAG,
  type InfoTypeAndValue,
} from '@signetry/pki';
import { generateKeyPair, type KeySpec } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { exchange, makeMessage, newTransaction, requestFor } from './testing/cmp-client.ts';
import { raProfileWith } from './testing/cmp-keys.ts';
import { defaultProfile } from './testing/profiles.ts';

const server = sharedTestServer();
const shared = { secret: 'a secret of the factory', reference: 'device-7' };
let client: Client;
let url: string;

beforeAll(async () => {
  ({ client } = server);
  url = await serve((await defaultProfile(client)).raProfileUuid);
});

/** URL of an enabled profile. */
async function serve(raProfileUuid: string): Promise<string> {
  const name = `cmp-${randomUUID()}`;
  const protection = { requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret' } as const;
  const body = { name, variant: 'v2', raProfileUuid, sharedSecret: shared.secret, ...protection } as const;
  const { uuid } = await client.cmpProfiles.createCmpProfile({ body });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
  return `${server.ready.http}/api/v1/protocols/cmp/${name}`;
}

async function requestInfosAt(
  place: string,
  ...infos: readonly InfoTypeAndValue[]
): Promise<readonly InfoTypeAndValue[]> {
  const answer = await exchange(place, await makeMessage(newTransaction(), { type: 'genm', infos }, shared));
  if (answer.body.type !== 'genp') throw new Error(`${answer.body.type}: ${answer.words}`);
  expect(await answer.isProtectedBy(shared.secret)).toBe(true);
  return answer.body.infos;
}

const ask = (...infos: readonly InfoTypeAndValue[]) => requestInfosAt(url, ...infos);

const authority = async () => {
  const der = infoValue(await ask(requestInfo('caCerts')), 'caCerts')?.[0];
  return parseCertificate(der ?? expect.fail('no CA certificate'));
};

describe('a general message', () => {
  it('can request the CA certificate and its CRL', async () => {
    const crl = parseCrl(infoValue(await ask(requestInfo('currentCRL')), 'currentCRL') ?? expect.fail('no CRL'));
    expect(equalNames(crl.issuer, (await authority()).subject)).toBe(true);
  });

  it("can request a CRL, which is returned only if it is from this CA and newer than the client's", async () => {
    const name = { kind: 'directoryName', name: (await authority()).subject } as const;
    const other = { kind: 'dNSName', value: 'other.example' } as const;
    const crlStatusInfo = (thisUpdateMs: number | undefined, issuer: typeof name | typeof other = name) =>
      buildInfo('crlStatusList', [{ source: { issuer: [issuer] }, thisUpdateMs }]);
    const [crl] = infoValue(await ask(crlStatusInfo(undefined)), 'crls') ?? [];
    const { thisUpdateMs } = parseCrl(crl ?? expect.fail('no CRL'));
    expect(infoValue(await ask(crlStatusInfo(thisUpdateMs - 1000)), 'crls')).toHaveLength(1);
    for (const info of [crlStatusInfo(thisUpdateMs), crlStatusInfo(undefined, other)])
      expect((await ask(info)).map(({ type, value }) => [infoName(type), value])).toEqual([['crls', undefined]]);
  });

  it("can request the CRL for a certificate's distribution point", async () => {
    const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 100 } });
    const params = {
      uuid: certificates.find(({ commonName }) => commonName === 'localhost')?.uuid ?? certificates[0]?.uuid ?? '',
    };
    const { certificateContent = '' } = await client.certificates.getCertificate({ params });
    const extension = parseCertificate(Buffer.from(certificateContent, 'base64')).extensions.find(
      ({ oid }) => oid === '2.5.29.31',
    );
    // CRLDistributionPoints, DistributionPoint, [0] DistributionPointName.
    const points = openElement(parseDer(extension?.value ?? expect.fail('no distribution point')), TAG.sequence);
    const named = openElement(openElement(points.next(), TAG.sequence).next(), 0xa0).next();
    const status = { source: { point: elementBytes(named) } };
    expect(infoValue(await ask(buildInfo('crlStatusList', [status])), 'crls')).toHaveLength(1);
  });

  it('gets no root if the client has the newest one, and no value for unknown types', async () => {
    const root = buildInfo('rootCaCert', (await authority()).der);
    const infos = await ask(root, requestInfo('certReqTemplate'), { type: '1.3.6.1.4.1.99999.1', value: undefined });
    expect(infos.map(({ type, value }) => [infoName(type) ?? type, value])).toEqual([
      ['rootCaKeyUpdate', undefined],
      ['certReqTemplate', undefined],
      ['1.3.6.1.4.1.99999.1', undefined],
    ]);
  });

  it('can request the keys that the RA profile accepts, which are listed unless it accepts all', async () => {
    const { raProfileUuid } = await raProfileWith(client, {
      data_keyAlgorithms: ['ECDSA', 'RSA', 'Ed25519'],
      data_curves: ['P-384'],
      data_minRsaBits: [3072],
    });
    const strict = await serve(raProfileUuid);
    const infos = await requestInfosAt(strict, requestInfo('certReqTemplate'));
    const { template, keySpec } = infoValue(infos, 'certReqTemplate') ?? expect.fail('no template');
    expect(Buffer.from(template.der).toString('hex')).toBe('3000');
    const told = keySpec.map((control) => {
      const bits = controlValue([control], 'rsaKeyLen');
      const { oid, parameters } = controlValue([control], 'algId') ?? {};
      return bits ?? [oid, ...(parameters ? [readOid(parameters)] : [])];
    });
    expect(told).toEqual([[OID.ecPublicKey, OID.secp384r1], [OID.ed25519], 3072, 4096]);
    // A key that is not listed is rejected; a listed one is accepted.
    const outcomeWith = async (spec: KeySpec) => {
      const body = await requestFor(`CN=${randomUUID()}.example`, await generateKeyPair(spec));
      return (await exchange(strict, await makeMessage(newTransaction(), body, shared))).status;
    };
    expect([await outcomeWith('P-256'), await outcomeWith('P-384')]).toEqual(['rejection', 'accepted']);
  });
});
