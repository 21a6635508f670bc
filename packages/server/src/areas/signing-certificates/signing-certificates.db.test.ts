import type { KeyTransport } from '@signetry/pki';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform, type FakeClock } from '@signetry/testkit/services';
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { coreActor, coreContext, noPermissions, type RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { insertRows, type RowFacts } from '../certificates/testing/certificate-rows.ts';
import { makeCertificate, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import type { Keys } from '../keys/index.ts';
import { createSigningCertificatesArea, type SigningCertificates } from './index.ts';
import { findOne, findSuccessors } from './store.ts';

const EC = { families: ['ECDSA'] } as const;
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface EncryptedKey {
  readonly transport: KeyTransport;
  readonly encrypted: Uint8Array;
}

let database: Database;
let clock: FakeClock;
let area: SigningCertificates;
let content: TestCertificate;
/** Fingerprints of public keys that are in a token. */
const inTokens = new Set<string>();
/** Error thrown when a key is looked up, if any. */
let refusal: unknown;
/** Certificates whose content no longer exists. */
const gone = new Set<string>();
let chainsRead = 0;

beforeAll(async () => {
  database = await testDatabase();
  clock = createFakeClock();
  content = await makeCertificate('ra.test');
  area = createSigningCertificatesArea(testPlatform(database, { clock }), {
    keys: {
      findByPublicKey: async (fingerprint: string) =>
        inTokens.has(fingerprint) ? { uuid: 'k', items: [] } : undefined,
      signing: {
        find: async () => (refusal === undefined ? { uuid: 'k' } : Promise.reject(refusal)),
        formOf: () => ({ algorithm: 'ecdsa-with-SHA256', attributes: [] }),
        sign: async (_key: unknown, { data }: { data: Uint8Array }) => sign('sha256', data, pair.privateKey),
        decrypt: async (_key: unknown, { transport, encrypted }: EncryptedKey) =>
          transport.kind === 'rsa-oaep' ? encrypted : encrypted.toReversed(),
      },
    } as unknown as Keys,
    inventory: {
      chainOf: async (uuid: string) => {
        chainsRead += 1;
        return gone.has(uuid) ? [] : [content.der];
      },
      // The other columns are not read.
      presentListed: async (uuids: readonly string[]) => uuids.map((uuid) => ({ uuid })) as never,
    },
  });
});
beforeEach(() => {
  refusal = undefined;
});

/** Adds a certificate whose key is in a token, unless the facts specify otherwise. */
async function add(facts: Partial<RowFacts> & { readonly inToken?: boolean } = {}): Promise<string> {
  const { inToken = true, ...rest } = facts;
  const [row] = await insertRows(database, [{ common_name: 'ra.test', ...rest }]);
  const fingerprint = row?.public_key_fingerprint ?? expect.unreachable('it was inserted');
  if (inToken) inTokens.add(fingerprint);
  return row?.uuid ?? '';
}

async function keyItem(certificateUuid: string, facts: { type?: string; state?: string } = {}): Promise<void> {
  const row = await findOne(database.executor, certificateUuid);
  const key = newUuid();
  await database.query(
    `INSERT INTO key (uuid, name, created_at, updated_at) VALUES ($1::uuid, $1::uuid::text, now(), now())`,
    [key],
  );
  await database.query(
    `INSERT INTO key_item (uuid, key_uuid, name, type, algorithm, format, length, public_key_fingerprint, usages,
       enabled, state, created_at, updated_at)
     VALUES ($1, $2, 'k', $3, 'ECDSA', 'Custom', 256, $4, 1, true, $5, now(), now())`,
    [newUuid(), key, facts.type ?? 'Private', row?.public_key_fingerprint, facts.state ?? 'active'],
  );
}

const succeed = (successor: string, predecessor: string) =>
  database.query(`INSERT INTO certificate_relation VALUES ($1, $2, 'renewal', now())`, [successor, predecessor]);

describe('a usable signing certificate', () => {
  it('signs and decrypts with its key', async () => {
    const reached = await area.reach(await add(), EC);
    expect(reached.chain).toEqual([content.der]);
    const data = Buffer.from('to be signed');
    expect(verify('sha256', data, pair.publicKey, await reached.sign(data))).toBe(true);
    expect(await reached.decrypt({ kind: 'rsa-pkcs1' }, Uint8Array.of(1, 2))).toEqual(Uint8Array.of(2, 1));
    const oaep = { kind: 'rsa-oaep', digest: 'sha256', label: new Uint8Array() } as const;
    expect(await reached.decrypt(oaep, Uint8Array.of(1, 2))).toEqual(Uint8Array.of(1, 2));
  });

  it('is cached for four seconds per type of use, and then checked again', async () => {
    const uuid = await add();
    const before = chainsRead;
    await area.reach(uuid, EC);
    await area.reach(uuid, EC);
    expect(chainsRead - before).toBe(1);
    await area.reach(uuid, { families: ['ECDSA', 'RSA'] });
    expect(chainsRead - before).toBe(2);
    await database.query(`UPDATE certificate SET state = 'revoked' WHERE uuid = $1`, [uuid]);
    clock.advance(4_000);
    await expect(area.reach(uuid, EC)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The platform cannot do this now: Certificate ra.test is revoked. Choose a different certificate.',
    });
  });
});

describe('an unusable signing certificate', () => {
  it('is reported with the reason, is not available to protocol servers, and is checked again on the next request', async () => {
    const uuid = await add({ archived: true });
    const problem = 'Certificate ra.test is archived. Unarchive it first.';
    expect(await area.problemOf(uuid, EC)).toBe(problem);
    await expect(area.reach(uuid, EC)).rejects.toMatchObject({ code: 'unavailable' });
    await database.query(`UPDATE certificate SET archived = false WHERE uuid = $1`, [uuid]);
    expect(await area.problemOf(uuid, EC)).toBeUndefined();
    expect((await area.reach(uuid, EC)).algorithm).toBe('ecdsa-with-SHA256');
  });

  it.each([
    ['is unknown', newUuid(), undefined],
    ['has a malformed identifier', "'; DROP TABLE certificate", undefined],
    ['has an identifier that is far too long', 'x'.repeat(5_000), 'x'.repeat(100)],
  ])('%s', async (_why, uuid, shown) => {
    expect(await area.problemOf(uuid, EC)).toBe(`Certificate ${shown ?? uuid} does not exist.`);
    await expect(area.reach(uuid, EC)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('was deleted while it was being loaded', async () => {
    const uuid = await add();
    gone.add(uuid);
    await expect(area.reach(uuid, EC)).rejects.toMatchObject({
      code: 'unavailable',
      parameters: { reason: expect.stringContaining(`Certificate ${uuid} was deleted`) },
    });
  });
});

describe('the successor of a certificate', () => {
  it('is the usable certificate with the latest expiry', async () => {
    const uuid = await add();
    const until = (year: number) => new Date(Date.UTC(year, 0, 1));
    const [short, long] = [await add({ not_after: until(2031) }), await add({ not_after: until(2032) })];
    const unfit = [
      await add({ not_after: until(2033), state: 'revoked' }),
      await add({ not_after: until(2034), archived: true }),
      await add({ not_after: until(2035), inToken: false }),
      await add({ not_after: until(2036), public_key_algorithm: 'RSA' }),
    ];
    for (const each of [short, long, ...unfit]) await succeed(each, uuid);
    const found = await findSuccessors(database.executor, uuid);
    expect(found.map((row) => row.uuid)).toEqual([unfit[3], unfit[2], long, short]);
    expect(await area.successorOf(uuid, EC)).toBe(await area.reach(long, EC));
    expect(await area.successorOf(long, EC)).toBeUndefined();
  });

  it('is undefined while no key can sign', async () => {
    const uuid = await add();
    await succeed(await add(), uuid);
    refusal = rejected('The key signer is disabled; enable it first.');
    expect(await area.successorOf(uuid, EC)).toBeUndefined();
  });
});

describe('the choice of certificates', () => {
  const everybody = coreContext('test');
  const nobody: RequestContext = { ...everybody, actor: { ...coreActor, type: 'user', permissions: noPermissions } };

  it('contains those that have an active private key in a token and that the caller can list, sorted by name', async () => {
    const [b, a] = [await add({ common_name: 'b choice' }), await add({ common_name: 'a choice' })];
    const unfit = [
      await add({ common_name: 'c choice', archived: true }),
      await add({ common_name: 'c choice', state: 'revoked' }),
      await add({ common_name: 'c choice', validation_status: 'expired' }),
    ];
    for (const uuid of [a, b, ...unfit]) await keyItem(uuid);
    const [onlyPublic, destroyed, keyless] = [await add(), await add(), await add()];
    await keyItem(onlyPublic, { type: 'Public' });
    await keyItem(destroyed, { state: 'destroyed' });
    expect((await area.list(EC, everybody)).map(({ uuid }) => uuid)).toEqual([a, b]);
    expect((await area.list({ families: ['RSA'] }, everybody)).map(({ uuid }) => uuid)).toEqual([]);
    expect(await area.list(EC, nobody)).toEqual([]);
    expect(await area.present(keyless)).toEqual({ uuid: keyless });
  });
});
