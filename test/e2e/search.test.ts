// Free-text search, sorting and CSV export, over real HTTP.
import type { Client } from '@signetry/client';
import type { AuditLogDto, CertificateSearch } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { issue, rejectionOf, type IssuedCertificate } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';
import { send } from './testing/raw-request.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let client: Client;
/** By the first label of the name, in order of issuance. */
const issued = new Map<string, IssuedCertificate>();

beforeAll(async () => {
  ({ client } = server);
  const path = await defaultProfile(client);
  for (const label of ['Golf', 'hotel', 'india']) {
    const name = `${label}.words.example`;
    const request = await makeRequest({
      subject: `CN=${name},O=Words`,
      dnsNames: [name, `www.${name}`],
      keySpec: 'P-256',
    });
    issued.set(label, await issue(client, path, request));
  }
});

const certificateOf = (label: string): IssuedCertificate => issued.get(label) ?? expect.fail(`${label} was not issued`);

async function search(body: Partial<CertificateSearch>): Promise<string[]> {
  const { certificates } = await client.certificateSearch.searchCertificates({ body });
  return certificates.map(({ commonName }) => commonName.replace('.words.example', ''));
}

describe('a search', () => {
  it('finds words in names, regardless of case, and lists the newest first', async () => {
    expect(await search({ text: 'WORDS.example' })).toEqual(['india', 'hotel', 'Golf']);
    expect(await search({ text: 'words www.golf' })).toEqual(['Golf']);
    expect(await search({ text: 'words kilo' })).toEqual([]);
  });

  it('finds serial numbers and fingerprints in the formats that other programs print', async () => {
    const { uuid, x509 } = certificateOf('hotel');
    for (const text of [
      x509.serialNumber,
      x509.serialNumber.replaceAll(/(..)(?=.)/g, '$1:').toLowerCase(),
      x509.fingerprint256,
      uuid,
    ])
      expect([text, await search({ text })]).toEqual([text, ['hotel']]);
  });

  it('sorts across pages', async () => {
    const sort: CertificateSearch['sort'] = [{ field: 'commonName', direction: 'desc' }];
    expect(await search({ text: 'words', sort })).toEqual(['india', 'hotel', 'Golf']);
    const second = await client.certificateSearch.searchCertificates({
      body: { text: 'words', sort: [{ field: 'commonName' }], itemsPerPage: 2, pageNumber: 2 },
    });
    expect(second).toMatchObject({
      totalItems: 3,
      totalPages: 2,
      totalIsExact: true,
      certificates: [{ commonName: 'india.words.example' }],
    });
  });

  it('can be paginated with cursors, and rejects a cursor from a different search', async () => {
    const { searchCertificates } = client.certificateSearch;
    const body = { text: 'words', sort: [{ field: 'serialNumber' as const }], itemsPerPage: 2 };
    const first = await searchCertificates({ body });
    const cursor = first.nextCursor ?? expect.fail('there is no next page');
    const second = await searchCertificates({ body: { ...body, cursor } });
    expect([...first.certificates, ...second.certificates].map(({ uuid }) => uuid)).toEqual(
      (await searchCertificates({ body: { ...body, itemsPerPage: 10 } })).certificates.map(({ uuid }) => uuid),
    );
    expect([second.pageNumber, second.totalItems, second.nextCursor]).toEqual([2, 3, undefined]);
    expect(await rejectionOf(searchCertificates({ body: { ...body, text: 'www', cursor } }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('cursor'),
    });
  });

  it('uses the text index of the embedded database', async () => {
    await vi.waitFor(async () => {
      const found = await server.running.platform.database.query(
        `SELECT FROM pg_indexes WHERE indexname = 'certificate_text_trigrams'`,
      );
      expect(found).toHaveLength(1);
    });
    expect(await search({ text: 'words' })).toHaveLength(3);
  });

  it('rejects unknown parameters, and names them', async () => {
    const body = { sort: [{ field: 'colour' }] } as unknown as CertificateSearch;
    expect(await rejectionOf(client.certificateSearch.searchCertificates({ body }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('sort'),
    });
    expect(
      await rejectionOf(client.certificateSearch.searchCertificates({ body: { text: 'x'.repeat(501) } })),
    ).toMatchObject({ status: 400 });
  });

  it('requires authentication', async () => {
    expect(await rejectionOf(server.clientOf().certificateSearch.searchCertificates({ body: {} }))).toMatchObject({
      status: 401,
    });
    expect(await rejectionOf(server.clientOf().certificateSearch.exportCertificates({ body: {} }))).toMatchObject({
      status: 401,
    });
  });
});

describe('the export', () => {
  it('is a CSV file with the certificates that were found, and is audited', async () => {
    const answer = await send(server.ready.http, '/api/x/v1/certificates/export', {
      method: 'POST',
      headers: { authorization: `Bearer ${server.ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'words', sort: [{ field: 'commonName' }] }),
    });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [, fileName = ''] =
      /^attachment; filename="(certificates_[\dT-]+\.csv)"$/.exec(answer.headers['content-disposition'] ?? '') ?? [];
    expect(fileName).not.toBe('');
    const lines = answer.text
      .replace(/^\u{feff}/u, '')
      .trimEnd()
      .split('\r\n');
    expect(lines.map((line) => line.split(',', 1)[0])).toEqual([
      'commonName',
      'Golf.words.example',
      'hotel.words.example',
      'india.words.example',
    ]);
    expect(lines[1]).toContain(certificateOf('Golf').uuid);

    const { items } = await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 1 } });
    expect(items[0]).toMatchObject({
      module: 'certificates',
      operation: 'export',
      operationResult: 'success',
      resource: { type: 'certificates' },
      operationData: { text: 'words', certificates: 3, file: fileName },
    } satisfies Partial<AuditLogDto>);
  });

  it('is returned by the client as bytes', async () => {
    const bytes = await client.certificateSearch.exportCertificates({ body: { text: 'golf.words' } });
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes).split('\r\n')).toHaveLength(3);
  });
});
