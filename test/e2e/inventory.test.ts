// Finding certificates: filters, pages, and the data in the listed rows.
import type { SearchFilterRequestDto } from '@signetry/contract';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { issue, type IssuedCertificate } from './testing/certificates.ts';
import { createExternalAuthority } from './testing/external-authority.ts';
import { createAuthority, defaultProfile } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let client: Client;
/** Keyed by the first label of the name. */
const issued = new Map<string, IssuedCertificate>();

beforeAll(async () => {
  ({ client } = server);
  const path = await defaultProfile(client);
  const other = await createAuthority(client, { name: 'Second CA' });
  for (const [label, profile, keySpec] of [
    ['alpha', path, 'P-256'],
    ['beta', path, 'RSA-2048'],
    ['gamma', other, 'P-384'],
    ['delta', path, 'P-256'],
  ] as const) {
    const name = `${label}.search.example`;
    const request = await makeRequest({ subject: `CN=${name},O=Search`, dnsNames: [name, `www.${name}`], keySpec });
    issued.set(label, await issue(client, profile, request));
  }
  await client.clientOperations.revokeCertificate({
    params: { ...path, certificateUuid: issued.get('delta')?.uuid ?? '' },
    body: { reason: 'superseded', attributes: [] },
  });
});

const property = (
  fieldIdentifier: string,
  condition: SearchFilterRequestDto['condition'],
  value?: unknown,
): SearchFilterRequestDto => ({ fieldSource: 'property', fieldIdentifier, condition, value });

/** Names of the found certificates, without their common suffix, in alphabetical order. */
async function find(...filters: SearchFilterRequestDto[]): Promise<string[]> {
  const { certificates } = await client.certificates.listCertificates({ body: { filters, itemsPerPage: 1000 } });
  return certificates.map(({ commonName }) => commonName.replace('.search.example', '')).sort();
}

const ours = property('SUBJECTDN', 'CONTAINS', 'O=Search');

describe('a search for certificates', () => {
  const cases: readonly (readonly [string, () => SearchFilterRequestDto[], readonly string[]])[] = [
    ['the whole common name', () => [property('COMMON_NAME', 'EQUALS', 'beta.search.example')], ['beta']],
    ['a part of the common name', () => [property('COMMON_NAME', 'CONTAINS', 'ta.search')], ['beta', 'delta']],
    ['the beginning of the common name', () => [property('COMMON_NAME', 'STARTS_WITH', 'al'), ours], ['alpha']],
    [
      'a pattern over the common name',
      () => [property('COMMON_NAME', 'MATCHES', '^(alpha|gamma)\\..*$')],
      ['alpha', 'gamma'],
    ],
    [
      'the serial number',
      () => [property('SERIAL_NUMBER', 'EQUALS', issued.get('beta')?.x509.serialNumber.toLowerCase())],
      ['beta'],
    ],
    ['the fingerprint', () => [property('FINGERPRINT', 'EQUALS', fingerprintOf('gamma'))], ['gamma']],
    ['the state', () => [property('CERTIFICATE_STATE', 'EQUALS', ['revoked'])], ['delta']],
    [
      'not the state',
      () => [ours, property('CERTIFICATE_STATE', 'NOT_EQUALS', ['revoked'])],
      ['alpha', 'beta', 'gamma'],
    ],
    ['the issuer', () => [ours, property('ISSUER_COMMON_NAME', 'EQUALS', 'Second CA')], ['gamma']],
    ['the RA profile', () => [ours, property('RA_PROFILE_NAME', 'EQUALS', ['default'])], ['alpha', 'beta', 'delta']],
    ['the key algorithm', () => [ours, property('PUBLIC_KEY_ALGORITHM', 'EQUALS', ['RSA'])], ['beta']],
    ['an alternative name', () => [property('SUBJECT_ALTERNATIVE_NAMES', 'CONTAINS', 'www.gamma')], ['gamma']],
    ['the owner', () => [ours, property('OWNER', 'EQUALS', ['admin'])], ['alpha', 'beta', 'delta', 'gamma']],
    [
      'a time of expiry',
      () => [ours, property('NOT_AFTER', 'GREATER', new Date(Date.now() + 200 * 86_400_000).toISOString())],
      [],
    ],
    [
      'several things at once, which hold together',
      () => [property('COMMON_NAME', 'CONTAINS', 'a.search'), property('CERTIFICATE_STATE', 'EQUALS', ['issued'])],
      ['alpha', 'beta', 'gamma'],
    ],
  ];
  it.each(cases)('finds certificates by %s', async (_what, filters, expected) => {
    expect(await find(...filters())).toEqual(expected);
  });

  const fingerprintOf = (label: string): string =>
    issued.get(label)?.x509.fingerprint256.replaceAll(':', '').toLowerCase() ?? '';

  it('rejects an unknown field, and names it in the error message', async () => {
    await expect(find(property('NO_SUCH_FIELD', 'EQUALS', 'x'))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('NO_SUCH_FIELD'),
    });
  });

  it('returns pages that together contain every certificate exactly once', async () => {
    const seen: string[] = [];
    const first = await client.certificates.listCertificates({ body: { itemsPerPage: 2 } });
    for (let pageNumber = 1; pageNumber <= first.totalPages; pageNumber += 1) {
      const page = await client.certificates.listCertificates({ body: { itemsPerPage: 2, pageNumber } });
      expect(page).toMatchObject({ itemsPerPage: 2, pageNumber, totalItems: first.totalItems });
      seen.push(...page.certificates.map(({ uuid }) => uuid));
    }
    expect(seen).toHaveLength(first.totalItems);
    expect(new Set(seen).size).toBe(first.totalItems);
  });

  it('offers only searchable fields', async () => {
    const groups = await client.certificates.getCertificateSearchFields();
    const fields = groups.find(({ filterFieldSource }) => filterFieldSource === 'property')?.searchFieldData ?? [];
    expect(fields.length).toBeGreaterThan(20);
    for (const { fieldIdentifier, conditions } of fields) {
      const condition = conditions.find((one) => one === 'NOT_EMPTY') ?? conditions[0] ?? 'EQUALS';
      const value = condition === 'NOT_EMPTY' ? undefined : true;
      await expect(find(property(fieldIdentifier, condition, value)), fieldIdentifier).resolves.toBeInstanceOf(Array);
    }
  });
});

describe('an upload', () => {
  it('returns the existing certificate, regardless of who uploaded it', async () => {
    const known = issued.get('alpha');
    const upload = client.certificates.uploadCertificate({
      body: { certificate: known?.der.toString('base64') ?? '', customAttributes: [] },
    });
    await expect(upload).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/exists/) });
    expect(await find(property('COMMON_NAME', 'EQUALS', 'alpha.search.example'))).toEqual(['alpha']);
  });

  it('of a foreign root makes the root known but not trusted', async () => {
    const { der } = await createExternalAuthority('CN=Foreign Root');
    const { uuid } = await client.certificates.uploadCertificate({
      body: { certificate: Buffer.from(der).toString('base64'), customAttributes: [] },
    });
    const detail = await client.certificates.getCertificate({ params: { uuid } });
    expect(detail).toMatchObject({
      commonName: 'Foreign Root',
      state: 'issued',
      subjectType: 'rootCa',
      trustedCa: false,
    });
    const { resultStatus } = await client.certificates.getCertificateValidationResult({ params: { uuid } });
    expect(resultStatus).not.toBe('valid');
  });
});
