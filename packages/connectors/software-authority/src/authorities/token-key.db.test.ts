// CAs with keys in a token of the host: no key material is stored here, and without a signature there is no
// certificate.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  authorityProviderOperations as operations,
  connectorBaseOperations as base,
  type RequestAttributeDto,
} from '@signetry/contract';
import { isSignedBy, parseCrl, readCertificate, revokedEntries } from '@signetry/pki';
import { nodeCrypto, type KeySpec } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { AUTHORITY } from '../index.ts';
import {
  attribute,
  chainOf,
  createCa,
  crlOf,
  issueDer,
  makeCsr,
  revoke,
  startTestAuthority,
  text,
  type TestAuthority,
} from '../testing/test-authority.ts';
import { newHostedKey, tokenHost, type HostedKey, type TokenHost } from '../testing/token-host.ts';

const SPECS: readonly KeySpec[] = ['P-256', 'P-384', 'RSA-2048', 'Ed25519', 'ML-DSA-44'];

let apart: TestAuthority;
let ours: TestAuthority;
let host: TokenHost;
const keys: HostedKey[] = [];

beforeAll(async () => {
  apart = await startTestAuthority();
  host = tokenHost(keys);
  ours = await apart.restart({ tokenKeys: host.tokenKeys });
});

async function newKey(spec?: KeySpec): Promise<HostedKey> {
  const key = await newHostedKey(spec);
  keys.push(key);
  return key;
}
const named = ({ uuid }: HostedKey) => text(AUTHORITY.tokenKey, uuid);
const createWithKey = async (name: string, key?: HostedKey): Promise<string> =>
  createCa(ours.call, name, [named(key ?? (await newKey()))]);
const rowsOf = async (...names: string[]): Promise<number> => {
  const found = 'SELECT FROM connector_software_authority.authority WHERE name = ANY ($1)';
  return (await ours.pool.query(found, [names])).rows.length;
};
const caOf = async (uuid: string) => readCertificate((await chainOf(ours.call, uuid))[0] ?? new Uint8Array());
const isSignedWith = (signed: Parameters<typeof isSignedBy>[0], { spki }: { readonly spki: Uint8Array }): boolean =>
  isSignedBy(signed, { issuerSpki: spki, verify: nodeCrypto.verify });

describe('a CA whose key is in a token', () => {
  it.each(SPECS)('signs certificates and CRLs with a %s key', async (spec) => {
    const uuid = await createWithKey(`CA ${spec}`, await newKey(spec));
    const ca = await caOf(uuid);
    expect(ca.isSelfIssued && isSignedWith(ca, ca)).toBe(true);
    expect(isSignedWith(readCertificate(await issueDer(ours.call, { authority: uuid })), ca)).toBe(true);
    expect(isSignedWith(parseCrl(await crlOf(ours.call, uuid)), ca)).toBe(true);
    expect(isSignedWith(parseCrl(await crlOf(ours.call, uuid, true)), ca)).toBe(true);
  });

  it('stores only a reference to the key, and works after a restart', async () => {
    const key = await newKey();
    const uuid = await createWithKey('Kept', key);
    const { rows } = await ours.pool.query(
      'SELECT sealed_key, token_key FROM connector_software_authority.authority WHERE uuid = $1',
      [uuid],
    );
    expect(rows).toEqual([{ sealed_key: null, token_key: key.uuid }]);
    const again = await ours.restart({ tokenKeys: host.tokenKeys });
    expect(isSignedWith(readCertificate(await issueDer(again.call, { authority: uuid })), await caOf(uuid))).toBe(true);
  });

  it('signs only once for a repeated call, although signatures would differ', async () => {
    const uuid = await createWithKey('Once');
    const call = { authority: uuid, request: await makeCsr(), key: randomUUID() };
    const first = await issueDer(ours.call, call);
    const before = host.signatures;
    expect(Buffer.from(await issueDer(ours.call, call)).equals(first)).toBe(true);
    expect(host.signatures).toBe(before);
  });

  it('can be imported with its certificate alone', async () => {
    const key = await newKey();
    const previous = await createWithKey('Moved', key);
    const { der } = await caOf(previous);
    await ours.call(operations.removeAuthorityInstance, { params: { uuid: previous } });
    const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;
    const file = attribute(AUTHORITY.keyStore, 'file', {
      content: Buffer.from(pem).toString('base64'),
      fileName: 'ca.pem',
      mimeType: 'application/x-pem-file',
    });
    const values = [text(AUTHORITY.source, 'import'), file];
    await expect(createCa(ours.call, 'Other key', [...values, named(await newKey())])).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('contains no certificate for the key'),
    });
    const uuid = await createCa(ours.call, 'Moved here', [...values, named(key)]);
    expect((await caOf(uuid)).der).toEqual(der);
    expect(isSignedWith(readCertificate(await issueDer(ours.call, { authority: uuid })), await caOf(uuid))).toBe(true);
  });
});

describe('while the token cannot sign', () => {
  it('no certificates are issued (503), and a repeated call uses the recorded serial number', async () => {
    const uuid = await createWithKey('Off');
    const call = { authority: uuid, request: await makeCsr(), key: randomUUID() };
    host.isActivated = false;
    const refusal = { status: 503, message: expect.stringContaining('activate its token') };
    await expect(issueDer(ours.call, call)).rejects.toMatchObject(refusal);
    host.isActivated = true;
    const { rows } = await ours.pool.query<{ serial: Buffer }>(
      'SELECT serial FROM connector_software_authority.issuance WHERE idempotency_key = $1',
      [call.key],
    );
    expect(rows.map(({ serial }) => serial.toString('hex'))).toEqual([
      Buffer.from(readCertificate(await issueDer(ours.call, call)).serialBytes).toString('hex'),
    ]);
  });

  it('a revocation is stored and included in the next CRL', async () => {
    const uuid = await createWithKey('Revoking');
    const certificate = await issueDer(ours.call, { authority: uuid });
    await crlOf(ours.call, uuid);
    host.isActivated = false;
    await revoke(ours.call, { authority: uuid, certificate });
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(crlOf(ours.call, uuid)).rejects.toMatchObject({ status: 503 });
    host.isActivated = true;
    expect([...revokedEntries(parseCrl(await crlOf(ours.call, uuid)))]).toHaveLength(1);
  });

  it('no CA is created, and the key remains available', async () => {
    const key = await newKey();
    host.isActivated = false;
    await expect(createWithKey('Never', key)).rejects.toMatchObject({ status: 503 });
    host.isActivated = true;
    expect(await rowsOf('Never')).toBe(0);
    await createWithKey('At last', key);
  });

  it('no subordinate CA is created under a CA whose key is in a token until the call is repeated', async () => {
    const parent = await createWithKey('Waiting parent');
    const create = (key: string) =>
      createCa(ours.call, 'Late', [text(AUTHORITY.source, 'subordinate'), text(AUTHORITY.parent, parent)], key);
    const key = randomUUID();
    host.isActivated = false;
    await expect(create(key)).rejects.toMatchObject({ status: 503 });
    expect(await rowsOf('Late')).toBe(0);
    host.isActivated = true;
    expect(isSignedWith(await caOf(await create(key)), await caOf(parent))).toBe(true);
  });

  it('a subordinate CA can still be shown and changed, but its CSR is not available', async () => {
    const parent = await createWithKey('Above');
    const values = [text(AUTHORITY.source, 'subordinate'), text(AUTHORITY.parent, parent), named(await newKey())];
    const uuid = await createCa(ours.call, 'Below', values);
    const attributeNames = async (from: TestAuthority) =>
      (await from.call(operations.getAuthorityInstance, { params: { uuid } })).attributes.map(({ name }) => name);
    expect(await attributeNames(ours)).toContain('info_certificationRequest');
    host.isActivated = false;
    expect(await attributeNames(await ours.restart({ tokenKeys: host.tokenKeys }))).not.toContain(
      'info_certificationRequest',
    );
    host.isActivated = true;
  });
});

describe('a token key', () => {
  it('signs for one CA at a time', async () => {
    const key = await newKey();
    await createWithKey('First', key);
    await expect(createWithKey('Second', key)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('is already used by the CA First'),
    });
  });

  it('signs for only one of multiple CAs that are created concurrently; the others are rejected with an explanation', async () => {
    const key = await newKey();
    const names = ['Left', 'Right', 'Middle'];
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    host.hold = () => {
      waiting += 1;
      if (waiting === names.length) all.resolve();
      return all.promise;
    };
    const outcomes = await Promise.allSettled(names.map((name) => createWithKey(name, key)));
    host.hold = undefined;
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals).toHaveLength(2);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ status: 422, message: expect.stringMatching(/is already used by the CA \w+/) });
    expect(await rowsOf(...names)).toBe(1);
  });

  it('is rejected if it does not exist, is weak, or is combined with an algorithm', async () => {
    const rejectionOf = (key: HostedKey, ...more: RequestAttributeDto[]) =>
      createCa(ours.call, 'Refused', [named(key), ...more]).then(
        () => expect.fail('it was not rejected'),
        (error: Error) => error.message,
      );
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const weak = { uuid: randomUUID(), pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    keys.push(weak);
    expect(await rejectionOf(await newHostedKey())).toContain('There is no key');
    expect(await rejectionOf(await newKey(), text(AUTHORITY.keyAlgorithm, 'P-384'))).toContain(
      'cannot be specified for a key in a token',
    );
    expect(await rejectionOf(weak)).toMatch(/^The key key-.*1024/);
    expect(await rejectionOf({ uuid: 'no-uuid', pem: '' })).toContain('must be specified by its UUID');
  });

  it('cannot be selected if the host does not provide token keys, and the form explains why', async () => {
    const params = { functionalGroup: 'authorityProvider', kind: 'SoftwareCA' } as const;
    const form = await apart.call(base.listAttributeDefinitions, { params });
    expect(JSON.stringify(form)).not.toContain(AUTHORITY.tokenKey);
    expect(JSON.stringify(form)).toContain('Keys in tokens are not available');
    await expect(createCa(apart.call, 'Apart', [named(await newKey())])).rejects.toMatchObject({ status: 422 });
  });
});
