import { beforeAll, describe, expect, it } from 'vitest';
import { writePem, writePkcs7 } from '@signetry/pki';
import { makeCertificate, makeRoot, type TestCertificate } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

let test: TestInventory;
let many: TestCertificate[];

beforeAll(async () => {
  test = await createTestInventory();
  test.declareJobs();
  await test.platform.jobs.start();
  many = await Promise.all(Array.from({ length: 40 }, (_, index) => makeCertificate(`many${index}.import.test`)));
  return async () => {
    await test.platform.jobs.stop();
    await test.stopWork();
  };
});

const importFiles = (...contents: string[]) =>
  test.inventory.importMany(
    { files: contents.map((content, index) => ({ name: `file${index + 1}`, content })) },
    test.context,
  );
const countsOf = ({ imported, known, refused }: Awaited<ReturnType<typeof importFiles>>) => [imported, known, refused];
const rowsOf = (name: string) =>
  test.platform.database.query<{ uuid: string; issuer_certificate_uuid: string | null; validated_at: Date | null }>(
    `SELECT uuid, issuer_certificate_uuid, validated_at FROM certificate WHERE common_name = $1`,
    [name],
  );

describe('importing multiple certificates', () => {
  it('imports each new certificate once, in any file format, and counts those that are already known', async () => {
    const [first, second, third, fourth] = many as [TestCertificate, TestCertificate, TestCertificate, TestCertificate];
    const pkcs7 = Buffer.from(writePkcs7([second.der, third.der])).toString('base64');
    const report = await importFiles(
      first.pem + second.pem,
      pkcs7,
      third.base64,
      Buffer.from(fourth.pem).toString('base64'),
    );
    expect(report).toEqual({ imported: 4, known: 2, refused: 0, refusals: [], findings: [] });
    expect(countsOf(await importFiles(many.map(({ pem }) => pem).join('')))).toEqual([36, 4, 0]);
    expect(countsOf(await importFiles(many.map(({ pem }) => pem).join('')))).toEqual([0, 40, 0]);
    const [row] = await rowsOf('many0.import.test');
    expect(await test.inventory.detail(row?.uuid ?? '', test.context)).toMatchObject({
      state: 'issued',
      certificateContent: first.base64,
    });
    expect(await test.inventory.history(row?.uuid ?? '')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'Upload Certificate', message: 'Certificate imported from file1' }),
      ]),
    );
    const found = await test.inventory.search({ text: 'many17.import', itemsPerPage: 10, pageNumber: 1 }, test.context);
    expect(found.totalItems).toBe(1);
  });

  it('rejects unreadable entries, stating their positions and the reasons, and imports the rest', async () => {
    const good = await makeCertificate('good.import.test');
    const broken = writePem('CERTIFICATE', good.der.subarray(0, 200));
    const key = writePem('PRIVATE KEY', good.der);
    const text = `${broken}${good.pem}${key}-----BEGIN CERTIFICATE-----\nMIIB`;
    const report = await importFiles('this is no certificate', text);
    expect(countsOf(report)).toEqual([1, 0, 4]);
    expect(report.refusals).toEqual([
      expect.objectContaining({ file: 1, name: 'file1' }),
      expect.objectContaining({ file: 2, certificate: 1, offset: 0, reason: expect.any(String) }),
      expect.objectContaining({
        file: 2,
        certificate: 3,
        offset: text.indexOf(key),
        reason: expect.stringContaining('PRIVATE KEY'),
      }),
      expect.objectContaining({
        file: 2,
        certificate: 4,
        offset: text.lastIndexOf('-----BEGIN'),
        reason: expect.stringContaining('END'),
      }),
    ]);
    await expect(importFiles('-----BEGIN A-----\n-----END A-----\n'.repeat(30_000))).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
  });

  it('links issuers and validates afterwards; if two certificates have the same serial number, the later one is marked as a repeat', async () => {
    const root = await makeRoot('Import Root');
    const same = { issuer: root, serialNumber: '0123456789' };
    const [one, other] = [
      await makeCertificate('one-serial.test', same),
      await makeCertificate('same-serial.test', same),
    ];
    const leaf = await makeCertificate('leaf.import.test', { issuer: root });
    expect(countsOf(await importFiles(one.pem + other.pem + leaf.pem + root.pem))).toEqual([4, 0, 0]);
    await expect
      .poll(async () => (await rowsOf('leaf.import.test'))[0]?.validated_at, { timeout: 20_000 })
      .toBeInstanceOf(Date);
    const [rootRow] = await rowsOf('Import Root');
    expect((await rowsOf('leaf.import.test'))[0]?.issuer_certificate_uuid).toBe(rootRow?.uuid);
    const linked = [...(await rowsOf('one-serial.test')), ...(await rowsOf('same-serial.test'))];
    expect(linked.map((row) => row.issuer_certificate_uuid)).toEqual([rootRow?.uuid, rootRow?.uuid]);
    const [repeats] = await test.platform.database.query<{ count: number }>(
      'SELECT count(*) FROM certificate WHERE repeats_serial',
    );
    expect(repeats?.count).toBe(1);
  });

  it('records a nonstandard file format in the history, as an upload does, and reports it', async () => {
    const [uploaded, imported] = [await makeCertificate('wide-upload.test'), await makeCertificate('wide-import.test')];
    const wide = (pem: string): string => Buffer.from(`\uFEFF${pem}`, 'utf16le').toString('base64');
    const finding = 'The text is encoded in UTF-16 instead of ASCII.';
    const uuid = await test.inventory.upload({ certificate: wide(uploaded.pem), customAttributes: [] }, test.context);
    expect((await test.inventory.history(uuid)).map(({ message }) => message)).toContain(
      `Certificate uploaded. ${finding}`,
    );
    expect((await importFiles(wide(imported.pem))).findings).toEqual([
      { file: 1, name: 'file1', certificates: 1, finding },
    ]);
    const [row] = await rowsOf('wide-import.test');
    expect((await test.inventory.history(row?.uuid ?? '')).map(({ message }) => message)).toContain(
      `Certificate imported from file1. ${finding}`,
    );
  });

  it('handles simultaneous imports of the same certificates', async () => {
    const certificates = await Promise.all(
      Array.from({ length: 30 }, (_, index) => makeCertificate(`race${index}.test`)),
    );
    const forwards = certificates.map(({ pem }) => pem).join('');
    const backwards = certificates
      .toReversed()
      .map(({ pem }) => pem)
      .join('');
    const reports = await Promise.all([importFiles(forwards), importFiles(backwards), importFiles(forwards)]);
    expect(reports.reduce((sum, { imported }) => sum + imported, 0)).toBe(30);
    expect(reports.reduce((sum, { known }) => sum + known, 0)).toBe(60);
  });
});
