import { beforeEach, describe, expect, it } from 'vitest';
import { storeRequest } from '../../inventory/certificate/store-changes.ts';
import { readRequest } from '../read-request.ts';
import { insertRows } from '../testing/certificate-rows.ts';
import { makeCertificate, makeRequest, makeRoot, type TestCertificate } from '../testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../../inventory/testing/test-inventory.ts';
import { createNameRewriting } from './rewrite-names.ts';
import { WINDOW } from './store.ts';

const TYPE = '1.3.6.1.4.1.99999.1';
const OTHER_TYPE = '1.3.6.1.4.1.99999.2';

describe('stored distinguished names', () => {
  let test: TestInventory;
  let root: TestCertificate;
  let leaf: TestCertificate;
  let rewriting: ReturnType<typeof createNameRewriting>;

  beforeEach(async () => {
    test = await createTestInventory();
    rewriting = createNameRewriting(test.platform, test.oids);
    root = await makeRoot('Root', { attributes: [{ type: TYPE, value: '42' }] });
    leaf = await makeCertificate('leaf.test', { issuer: root, attributes: [{ type: OTHER_TYPE, value: 'x, y' }] });
  });

  /** Sets a code as the OID area does, and waits until every node sees it. */
  async function setCode(oid: string, code: string): Promise<void> {
    await test.platform.database.query(
      `INSERT INTO oid_entry (oid, display_name, category, code, created_at, updated_at)
       VALUES ($1, $2, 'rdnAttributeType', $2, now(), now())
       ON CONFLICT (oid) DO UPDATE SET code = EXCLUDED.code`,
      [oid, code],
    );
    test.clock.advance(5_000);
  }

  const rewrite = async (...types: string[]) => {
    for (const table of ['certificates', 'requests'] as const)
      expect(await rewriting.runSome({ types, table })).toBeUndefined();
  };
  const namesOf = async (uuid: string) => {
    const [row] = await test.platform.database.query<{ subject_dn: string; issuer_dn: string; text: string }>(
      `SELECT subject_dn, issuer_dn, text FROM certificate JOIN certificate_text ON certificate_uuid = uuid WHERE uuid = $1`,
      [uuid],
    );
    return row;
  };

  it('use the codes that exist when the certificate is parsed', async () => {
    await setCode(TYPE, 'COSTCENTRE');
    const uuid = await test.upload(leaf.der);
    expect(await namesOf(uuid)).toMatchObject({
      subject_dn: `CN=leaf.test, ${OTHER_TYPE}=x, y, O=Test`,
      issuer_dn: 'CN=Root, COSTCENTRE=42, O=Test',
    });
  });

  it('are updated when a code is added, changed or removed, in subjects, issuers and search text', async () => {
    const uuid = await test.upload(leaf.der);
    const rootUuid = await test.upload(root.der);
    await setCode(TYPE, 'COSTCENTRE');
    await setCode(OTHER_TYPE, 'Team');
    await rewrite(TYPE, OTHER_TYPE);
    expect(await namesOf(uuid)).toEqual({
      subject_dn: 'CN=leaf.test, Team=x, y, O=Test',
      issuer_dn: 'CN=Root, COSTCENTRE=42, O=Test',
      text: 'cn=leaf.test, team=x, y, o=test',
    });
    expect(await namesOf(rootUuid)).toMatchObject({ subject_dn: 'CN=Root, COSTCENTRE=42, O=Test' });
    await setCode(TYPE, 'KST');
    await rewrite(TYPE);
    expect((await namesOf(uuid))?.issuer_dn).toBe('CN=Root, KST=42, O=Test');
    await test.platform.database.query('DELETE FROM oid_entry');
    test.clock.advance(5_000);
    await rewrite(TYPE, OTHER_TYPE);
    expect((await namesOf(uuid))?.issuer_dn).toBe(`CN=Root, ${TYPE}=42, O=Test`);
  });

  it('are unchanged if they contain a different type, or only text that resembles it', async () => {
    const lookalike = await makeCertificate('plain', { attributes: [{ type: 'OU', value: `a,${TYPE}=b` }] });
    const uuid = await test.upload(lookalike.der);
    await test.platform.database.query(`UPDATE certificate SET subject_dn = 'left' WHERE uuid = $1`, [uuid]);
    await setCode(TYPE, 'COSTCENTRE');
    await rewrite(OTHER_TYPE);
    expect((await namesOf(uuid))?.subject_dn).toBe('left');
    await rewrite(TYPE);
    expect((await namesOf(uuid))?.subject_dn).toBe(`CN=plain, OU=a,${TYPE}=b, O=Test`);
  });

  it('in requested certificates and their CSRs are also updated', async () => {
    const keys = leaf.keys;
    const request = readRequest(await makeRequest('asked.test', keys, [{ type: TYPE, value: '7' }]), 'pkcs10');
    const [row] = await insertRows(test.platform.database, [
      {
        common_name: 'asked.test',
        subject_dn: request.subject_dn,
        subject_dn_normalized: request.subject_dn_normalized,
        state: 'requested',
        fingerprint: null,
        serial_number: null,
      },
    ]);
    const uuid = row?.uuid ?? expect.unreachable('a row was inserted');
    await storeRequest(test.platform.database.executor, uuid, request);
    await setCode(TYPE, 'COSTCENTRE');
    await rewrite(TYPE);
    expect((await namesOf(uuid))?.subject_dn).toBe('CN=asked.test, COSTCENTRE=7, O=Test');
    const requests = await test.platform.database.query('SELECT subject_dn FROM certificate_request');
    expect(requests).toEqual([{ subject_dn: 'CN=asked.test, COSTCENTRE=7, O=Test' }]);
  });

  it('are found beyond the first batch, and from the position where a previous run stopped', async () => {
    await insertRows(
      test.platform.database,
      Array.from({ length: WINDOW + 1 }, (_, index) => ({ common_name: `host-${index}` })),
    );
    const uuid = await test.upload(root.der);
    await setCode(TYPE, 'COSTCENTRE');
    const work = { types: [TYPE], table: 'certificates' } as const;
    expect(await rewriting.runSome(work, AbortSignal.abort())).toEqual(work);
    expect(await rewriting.runSome({ ...work, after: uuid })).toBeUndefined();
    expect((await namesOf(uuid))?.subject_dn).toContain(TYPE);
    expect(await rewriting.runSome(work)).toBeUndefined();
    expect((await namesOf(uuid))?.subject_dn).toBe('CN=Root, COSTCENTRE=42, O=Test');
  });

  it('are rewritten by jobs that are queued in the transaction that changes a code: one runs when every node knows the code, another later', async () => {
    const { jobs, database } = test.platform;
    rewriting.declare();
    await jobs.start();
    try {
      const changed = database.transaction(async (tx) => {
        await rewriting.enqueue(tx, [TYPE]);
        throw new Error('the change is refused');
      });
      await expect(changed).rejects.toThrow('refused');
      await database.transaction((tx) => rewriting.enqueue(tx, [TYPE]));
      const waiting = await database.query<{ data: object; delay: number }>(
        `SELECT data, extract(epoch FROM start_after - created_on)::int AS delay FROM job.job
         WHERE name = 'certificates.rewrite-names' ORDER BY start_after, data ->> 'table'`,
      );
      expect(waiting).toEqual([
        { data: { types: [TYPE], table: 'certificates' }, delay: 6 },
        { data: { types: [TYPE], table: 'requests' }, delay: 6 },
        { data: { types: [TYPE], table: 'certificates' }, delay: 300 },
        { data: { types: [TYPE], table: 'requests' }, delay: 300 },
      ]);
    } finally {
      await jobs.stop();
    }
  });

  it('and extended key usages are shown under the names that administrators specified', async () => {
    await test.platform.database.query(
      `INSERT INTO oid_entry (oid, display_name, category, created_at, updated_at)
       VALUES ('1.3.6.1.4.1.311.20.2.2', 'Signs in with a card', 'extendedKeyUsage', now(), now())`,
    );
    const usages = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.4.1.311.20.2.2', '1.2.3.4'];
    const uuid = await test.upload((await makeCertificate('usages.test', { extendedKeyUsage: usages })).der);
    expect((await test.inventory.detail(uuid, test.context)).extendedKeyUsage).toEqual([
      'TLS Web Server Authentication',
      'Signs in with a card',
      '1.2.3.4',
    ]);
  });
});
