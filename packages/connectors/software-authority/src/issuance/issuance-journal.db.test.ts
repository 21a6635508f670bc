import { randomBytes, randomUUID } from 'node:crypto';
import type { QueryOptions } from '@signetry/connector-sdk';
import { nodeCrypto } from '@signetry/pki/node';
import { parseCertificate, parseCrl, type CertificateList } from '@signetry/pki';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AUTHORITY, PROFILE } from '../index.ts';
import { isReservation, isSignature, watchedStorage } from '../testing/faulty-storage.ts';
import { newHostedKey, tokenHost } from '../testing/token-host.ts';
import {
  createCa,
  crlOf,
  integer,
  issue,
  issueDer,
  lines,
  makeCsr,
  startTestAuthority,
  text,
  type TestAuthority,
} from '../testing/test-authority.ts';

let ours: TestAuthority;
let authority = '';
beforeAll(async () => {
  ours = await startTestAuthority();
  authority = await createCa(ours.call, 'Journal');
});
afterEach(() => {
  vi.restoreAllMocks();
  ours.setTime(undefined);
});

const table = (name: string): string => `connector_software_authority.${name}`;
async function entriesUnder(key: string): Promise<{ serial: Buffer; tbs: Buffer; signature: Buffer | null }[]> {
  const { rows } = await ours.pool.query<{ serial: Buffer; tbs: Buffer; signature: Buffer | null }>(
    `SELECT i.serial, i.tbs, s.signature FROM ${table('issuance')} i
     LEFT JOIN ${table('issuance_signature')} s ON s.issuance_id = i.id WHERE i.idempotency_key = $1`,
    [key],
  );
  return rows;
}

const getCrl = async (call: TestAuthority['call'], uuid: string): Promise<CertificateList> =>
  parseCrl(await crlOf(call, uuid));

/** Restarts the connector with storage that the hooks can interrupt. */
const withHooks = (hooks: Parameters<typeof watchedStorage>[1]) =>
  ours.restart({ storage: watchedStorage(ours.context.storage, hooks) });

describe('the issuance journal', () => {
  it('commits the entry before the key is used, and the signature before the response', async () => {
    const events: string[] = [];
    const watched = await withHooks({
      after: (statement) => {
        if (isReservation(statement)) events.push('entry committed');
        if (isSignature(statement)) events.push('signature committed');
      },
    });
    const sign = nodeCrypto.sign;
    const request = await makeCsr();
    vi.spyOn(nodeCrypto, 'sign').mockImplementation((key, input) => {
      events.push('key used');
      return sign(key, input);
    });
    await issueDer(watched.call, { authority, request });
    events.push('answer');
    expect(events).toEqual(['entry committed', 'key used', 'signature committed', 'answer']);
  });

  it("does not wait for a signature to be committed if the caller's own record makes it durable", async () => {
    const committed = Promise.withResolvers<void>();
    const durabilities: unknown[] = [];
    const { storage } = ours.context;
    const held = {
      ...storage,
      isSharedWithCaller: true,
      query: async <Row>(statement: string, values?: readonly unknown[], options?: QueryOptions) => {
        if (isReservation(statement) || isSignature(statement)) durabilities.push(options?.durability);
        if (isSignature(statement)) await committed.promise;
        return storage.query<Row>(statement, values, options);
      },
    };
    const shared = await ours.restart({ storage: held });
    const [key, request] = [randomUUID(), await makeCsr()];
    const answered = await issueDer(shared.call, { authority, request, key });
    expect((await entriesUnder(key))[0]?.signature).toBeNull();
    committed.resolve();
    await vi.waitFor(async () => expect((await entriesUnder(key))[0]?.signature).not.toBeNull());
    expect(await issueDer(shared.call, { authority, request, key })).toEqual(answered);
    // The repeated call also tried to create an entry.
    expect(durabilities).toEqual(['withAnswer', 'withAnswer', 'withAnswer']);
  });

  it('is written while the caller commits its intent; nothing is signed before that commit or if it fails', async () => {
    const shared = await ours.restart({ storage: { ...ours.context.storage, isSharedWithCaller: true } });
    const [key, refusedKey, request] = [randomUUID(), randomUUID(), await makeCsr()];
    const intent = Promise.withResolvers<void>();
    const sign = vi.spyOn(nodeCrypto, 'sign');
    const answer = issueDer(shared.call, { authority, request, key, committed: intent.promise });
    await vi.waitFor(async () => expect(await entriesUnder(key)).toHaveLength(1));
    const refused = issueDer(shared.call, {
      authority,
      request,
      key: refusedKey,
      committed: Promise.reject(new Error('refused')),
    });
    await expect(refused).rejects.toThrow();
    await vi.waitFor(async () => expect(await entriesUnder(refusedKey)).toMatchObject([{ signature: null }]));
    expect(sign).not.toHaveBeenCalled();
    intent.resolve();
    const issued = parseCertificate(await answer);
    expect(sign).toHaveBeenCalledTimes(1);
    expect(issued.serialNumber).toBe((await entriesUnder(key))[0]?.serial.toString('hex'));
  });

  it('waits for its own commits if the key is in a token, where others can see that it was used', async () => {
    const hosted = await newHostedKey();
    const durabilities: unknown[] = [];
    const { storage } = ours.context;
    const watched = {
      ...storage,
      isSharedWithCaller: true,
      query: <Row>(statement: string, values?: readonly unknown[], options?: QueryOptions) => {
        if (isReservation(statement) || isSignature(statement)) durabilities.push(options?.durability);
        return storage.query<Row>(statement, values, options);
      },
    };
    const { tokenKeys } = tokenHost([hosted]);
    const shared = await ours.restart({ storage: watched, tokenKeys });
    const inToken = await createCa(shared.call, 'In a token', [text(AUTHORITY.tokenKey, hosted.uuid)]);
    durabilities.length = 0;
    await issueDer(shared.call, { authority: inToken, request: await makeCsr() });
    expect(durabilities).toEqual(['atOnce', 'atOnce']);
  });

  it('signs with slow keys off the main thread', async () => {
    const slow = await createCa(ours.call, 'Slow', [text(AUTHORITY.keyAlgorithm, 'RSA-2048')]);
    const request = await makeCsr();
    const [here, elsewhere] = [vi.spyOn(nodeCrypto, 'sign'), vi.spyOn(nodeCrypto, 'signAsync')];
    await issueDer(ours.call, { authority: slow, request });
    expect([here.mock.calls.length, elsewhere.mock.calls.length]).toEqual([0, 1]);
  });

  it('does not use the key if the entry cannot be written', async () => {
    const broken = await withHooks({
      before: (statement) => {
        if (isReservation(statement)) throw new Error('disk full');
      },
    });
    const request = await makeCsr();
    const sign = vi.spyOn(nodeCrypto, 'sign');
    await expect(issueDer(broken.call, { authority, request })).rejects.toMatchObject({ status: 500 });
    expect(sign).not.toHaveBeenCalled();
  });

  it('does not use the key to sign content that violates certificate rules', async () => {
    const request = await makeCsr({ subject: [{ type: 'CN', value: 'x'.repeat(65) }] });
    const sign = vi.spyOn(nodeCrypto, 'sign');
    await expect(issueDer(ours.call, { authority, request })).rejects.toMatchObject({ status: 422 });
    expect(sign).not.toHaveBeenCalled();
  });

  it('finishes work interrupted after the entry, with the same serial number and bytes', async () => {
    const [key, request] = [randomUUID(), await makeCsr()];
    const dying = await withHooks({
      before: (statement) => {
        if (isSignature(statement)) throw new Error('killed');
      },
    });
    await expect(issueDer(dying.call, { authority, request, key })).rejects.toMatchObject({ status: 500 });
    const [entry] = await entriesUnder(key);
    expect(entry?.signature).toBeNull();
    const revived = await ours.restart();
    const certificate = await issue(revived.call, { authority, request, key });
    expect(Buffer.from(certificate.tbs).equals(entry?.tbs ?? Buffer.alloc(0))).toBe(true);
    expect(await entriesUnder(key)).toHaveLength(1);
  });

  it('returns the identical certificate after a restart', async () => {
    const [key, request] = [randomUUID(), await makeCsr()];
    const first = await issueDer(ours.call, { authority, request, key });
    const revived = await ours.restart();
    expect(await issueDer(revived.call, { authority, request, key })).toEqual(first);
  });

  it('returns the identical certificate for concurrent calls to multiple nodes', async () => {
    const [key, request] = [randomUUID(), await makeCsr()];
    const nodes = await Promise.all([1, 2, 3].map(() => ours.restart()));
    const answers = await Promise.all(nodes.map((node) => issueDer(node.call, { authority, request, key })));
    expect(new Set(answers.map((der) => Buffer.from(der).toString('hex'))).size).toBe(1);
    expect(await entriesUnder(key)).toHaveLength(1);
  });

  it('returns the same certificate even if the profile has become stricter', async () => {
    const [key, request] = [randomUUID(), await makeCsr()];
    const first = await issueDer(ours.call, { authority, request, key });
    const stricter = [lines(PROFILE.dnsSuffixes, 'other.test'), integer(PROFILE.validityDays, 1)];
    expect(await issueDer(ours.call, { authority, request, key, profile: stricter })).toEqual(first);
    await expect(
      issueDer(ours.call, { authority, request, key: randomUUID(), profile: stricter }),
    ).rejects.toMatchObject({ status: 422 });
  });

  it('rejects an idempotency key that is reused with a different request or different attributes', async () => {
    const [key, request] = [randomUUID(), await makeCsr()];
    await issueDer(ours.call, { authority, request, key });
    await expect(issueDer(ours.call, { authority, request: await makeCsr(), key })).rejects.toMatchObject({
      status: 422,
    });
    await expect(
      issueDer(ours.call, { authority, request, key, attributes: [text('data_subject', 'CN=Other')] }),
    ).rejects.toMatchObject({
      problems: [`The idempotency key ${key} was already used for a different request.`],
    });
  });

  it('treats the same idempotency key as independent for different authorities', async () => {
    const other = await createCa(ours.call, 'Other journal');
    const [key, request] = [randomUUID(), await makeCsr()];
    const [one, two] = [
      await issue(ours.call, { authority, request, key }),
      await issue(ours.call, { authority: other, request, key }),
    ];
    expect(one.serialNumber).not.toBe(two.serialNumber);
  });

  it('generates a new serial number if one is already in use, and stops if the generator repeats itself', async () => {
    const fixed = Buffer.alloc(16, 7);
    let draws = 0;
    const stuttering = await ours.restart({
      randomBytes: (n) => (n === 16 && (draws += 1) <= 2 ? fixed : randomBytes(n)),
    });
    const serials = [
      (await issue(stuttering.call, { authority })).serialNumber,
      (await issue(stuttering.call, { authority })).serialNumber,
    ];
    expect(serials[0]).toBe('47070707070707070707070707070707');
    expect(serials[1]).not.toBe(serials[0]);
    const stuck = await ours.restart({ randomBytes: (n) => Buffer.alloc(n, 7) });
    const request = await makeCsr();
    const sign = vi.spyOn(nodeCrypto, 'sign');
    await expect(issue(stuck.call, { authority, request })).rejects.toMatchObject({ status: 500 });
    expect(sign).not.toHaveBeenCalled();
  });

  it('replaces one of two equal serial numbers in the same batch', async () => {
    let draws = 0;
    const fixed = Buffer.alloc(16, 9);
    const twins = await ours.restart({ randomBytes: (n) => (n === 16 && (draws += 1) <= 2 ? fixed : randomBytes(n)) });
    const requests = await Promise.all([makeCsr(), makeCsr()]);
    const issued = await Promise.all(requests.map((request) => issue(twins.call, { authority, request })));
    expect(new Set(issued.map(({ serialNumber }) => serialNumber)).size).toBe(2);
    expect(new Set(issued.map(({ spki }) => Buffer.from(spki).toString('hex'))).size).toBe(2);
  });

  it('uses serial numbers that are positive and have 16 bytes', async () => {
    const { serialBytes } = await issue(ours.call, { authority });
    expect(serialBytes).toHaveLength(16);
    expect((serialBytes[0] ?? 0xff) & 0xc0).toBe(0x40);
  });

  it('lets concurrent requests share commits', async () => {
    let statements = 0;
    const counted = await withHooks({ after: (statement) => void (isReservation(statement) && (statements += 1)) });
    const request = await makeCsr();
    await issueDer(counted.call, { authority, request });
    statements = 0;
    await Promise.all(Array.from({ length: 60 }, () => issueDer(counted.call, { authority, request })));
    expect(statements).toBeLessThan(10);
  });

  it('records everything that CA keys sign, including the CA certificate itself', async () => {
    const { rows } = await ours.pool.query<{ operation: string; tbs: Buffer }>(
      `SELECT i.operation, i.tbs FROM ${table('issuance')} i JOIN ${table('issuance_signature')} s ON s.issuance_id = i.id
       WHERE i.operation = 'root' AND i.authority_uuid = $1`,
      [authority],
    );
    const { rows: authorities } = await ours.pool.query<{ certificate: Buffer }>(
      `SELECT certificate FROM ${table('authority')} WHERE uuid = $1`,
      [authority],
    );
    const tbs = parseCertificate(new Uint8Array(authorities[0]?.certificate ?? [])).tbs;
    expect(rows.map((row) => row.tbs.equals(tbs))).toEqual([true]);
  });

  describe('while the clock is behind the recorded time', () => {
    const YEAR_MS = 365 * 86_400_000;

    it('signs nothing, and reports which clock is behind, by how much, and what to do', async () => {
      await issueDer(ours.call, { authority, request: await makeCsr() });
      const revived = await ours.restart();
      ours.setTime(new Date(Date.now() - 2 * 3_600_000 - 3 * 60_000));
      const request = await makeCsr();
      const refused = issueDer(revived.call, { authority, request });
      await expect(refused).rejects.toMatchObject({ status: 503 });
      await expect(refused).rejects.toThrow(/clock of this node .* 2 h \d min before .*--accept-clock \d{4}-/);
      expect(await revived.running.health?.()).toMatchObject({
        status: 'nok',
        parts: { clock: { status: 'nok', description: expect.stringMatching(/--accept-clock/) } },
      });
      ours.setTime(undefined);
      await issueDer(revived.call, { authority, request });
      expect(await revived.running.health?.()).toMatchObject({ status: 'ok', parts: { clock: { status: 'ok' } } });
    });

    it('continues if an operator specifies exactly the incorrect recorded time; CRLs get new dates', async () => {
      const ahead = await createCa(ours.call, 'Ahead');
      ours.setTime(new Date(Date.now() + YEAR_MS));
      await issueDer(ours.call, { authority: ahead, request: await makeCsr() });
      await getCrl(ours.call, ahead);
      const { rows } = await ours.pool.query<{ at: Date }>(`SELECT max(prepared_at) AS at FROM ${table('issuance')}`);
      const wrong = rows[0]?.at ?? new Date(0);
      ours.setTime(undefined);
      const request = await makeCsr();
      const other = await ours.restart({ acceptedClock: new Date(wrong.getTime() - 1) });
      await expect(issueDer(other.call, { authority: ahead, request })).rejects.toMatchObject({ status: 503 });
      const accepting = await ours.restart({ acceptedClock: wrong });
      await issueDer(accepting.call, { authority: ahead, request });
      const crl = await getCrl(accepting.call, ahead);
      expect(crl.thisUpdateMs).toBeLessThanOrEqual(Date.now());
      // An accepted time applies only once: afterwards, no operator action is needed, and a clock that falls back is
      // detected again.
      const later = await ours.restart();
      await issueDer(later.call, { authority: ahead, request: await makeCsr() });
      ours.setTime(new Date(Date.now() - 10 * 60_000));
      const fallen = await ours.restart({ acceptedClock: wrong });
      await expect(issueDer(fallen.call, { authority: ahead, request })).rejects.toMatchObject({ status: 503 });
    });

    it('continues automatically once an operator has corrected another node and that node has signed', async () => {
      ours.setTime(new Date(Date.now() + YEAR_MS));
      const one = await ours.restart();
      await issueDer(one.call, { authority, request: await makeCsr() });
      const { rows } = await ours.pool.query<{ at: Date }>(`SELECT max(prepared_at) AS at FROM ${table('issuance')}`);
      ours.setTime(undefined);
      const request = await makeCsr();
      await expect(issueDer(one.call, { authority, request })).rejects.toMatchObject({ status: 503 });
      const other = await ours.restart({ acceptedClock: rows[0]?.at });
      await issueDer(other.call, { authority, request: await makeCsr() });
      await issueDer(one.call, { authority, request });
    });
  });
});
