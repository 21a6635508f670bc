import { parseCertificate } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { requestFor } from '../../protocols/est/testing/est-requests.ts';
import { readRequest } from '../certificates/read-request.ts';
import { makeCertificate } from '../certificates/testing/test-certificates.ts';
import {
  describeExcessNames,
  describeMissingNames,
  namesOfCertificate,
  namesOfSecret,
  type BoundNames,
} from './bound-names.ts';

let ofRouter: BoundNames;
beforeAll(async () => {
  await generateKeyPair('P-256');
  const { der } = await makeCertificate('router-7', { dnsNames: ['router-7.example', 'Admin.Example'] });
  ofRouter = namesOfCertificate(parseCertificate(der));
});

const readRequested = async (subject: string, dnsNames: readonly string[] = []) =>
  readRequest(Buffer.from(await requestFor(subject, { dnsNames })).toString('base64'), 'pkcs10');

describe('a certificate used for client authentication', () => {
  it.each([
    ['its names', 'CN=router-7,O=Test', ['router-7.example', 'admin.example']],
    ['some of them', 'CN=router-7,O=Test', ['ADMIN.example']],
    ['no SANs', 'CN=router-7,O=Test', []],
    ['its common name as a SAN', 'CN=router-7,O=Test', ['router-7']],
    ['no subject', '', ['router-7.example']],
    ['a name with a trailing dot', 'CN=router-7,O=Test', ['router-7.example.']],
  ])('covers a request for %s', async (_what, subject, dnsNames) => {
    expect(describeExcessNames(ofRouter, await readRequested(subject, dnsNames))).toBeUndefined();
  });

  it.each([
    ['a different subject', 'CN=bank,O=Test', [], 'the subject CN=bank, O=Test; the certificate CN=router-7, O=Test does not cover that name'],
    ['a different SAN', 'CN=router-7,O=Test', ['bank.example'], 'dNSName bank.example; the certificate'],
    ['a wildcard', 'CN=router-7,O=Test', ['*.example'], 'dNSName *.example;'],
    ['a subdomain of its own name', 'CN=router-7,O=Test', ['a.router-7.example'], 'dNSName a.router-7.example;'],
    ['a different subject and SAN', 'CN=bank', ['bank.example'], 'the subject CN=bank, dNSName bank.example;'],
  ])('does not cover a request for %s', async (_what, subject, dnsNames, names) => {
    expect(describeExcessNames(ofRouter, await readRequested(subject, dnsNames))).toContain(`The request contains ${names}`);
  }); // prettier-ignore

  it('reports names that a renewal omits', async () => {
    expect(describeMissingNames(ofRouter, await readRequested('CN=router-7,O=Test', ['router-7.example']))).toBe(
      'The request omits dNSName admin.example; a renewal must contain all subject alternative names of the certificate CN=router-7, O=Test.',
    );
    expect(
      describeMissingNames(ofRouter, await readRequested('CN=router-7,O=Test', ['admin.example', 'router-7.example'])),
    ).toBeUndefined();
  });
});

describe('a one-time secret', () => {
  it('without names is valid for all names that the RA profile allows', () => {
    expect(namesOfSecret(undefined, {}, 'r')).toBeUndefined();
  });

  it.each([
    ['CN=router-7', {}, 'CN=router-7', ['router-7'], true],
    ['CN=router-7', {}, 'CN=router-7', ['bank.example'], false],
    ['CN=router-7', {}, 'CN=router-8', [], false],
    ['CN=router-7', { dnsNames: ['R7.example'] }, 'CN=router-7', ['r7.example', 'router-7'], true],
    ['CN=router-7', { dnsNames: ['r7.example'] }, 'CN=router-7', ['r8.example'], false],
    [undefined, { dnsNames: ['r7.example'] }, 'CN=r7.example', ['r7.example'], true],
    [undefined, { dnsNames: ['r7.example'] }, '', ['r7.example'], true],
    [undefined, { dnsNames: ['r7.example'] }, 'CN=bank.example', ['r7.example'], false],
    [undefined, { dnsNames: ['r7.example'] }, 'CN=r7.example,O=Bank', [], false],
    [undefined, { dnsNames: ['Bücher.example.'] }, 'CN=xn--bcher-kva.example', ['xn--bcher-kva.example'], true],
    [undefined, { emails: ['a+b@example.org'] }, 'CN=a\\+b@example.org', [], true],
    [undefined, { ipAddresses: ['192.0.2.1'] }, 'CN=192.0.2.1', [], true],
    [undefined, { emails: ['anna@Example.org'] }, 'CN=anna@example.org', [], true],
  ])('for %s and %j accepts %s with %j: %s', async (subject, written, requested, dnsNames, isTaken) => {
    const bound = namesOfSecret(subject, written, 'r') ?? expect.fail('it is bound');
    expect(describeExcessNames(bound, await readRequested(requested, dnsNames)) === undefined).toBe(isTaken);
  });
});

describe('names in different notations', () => {
  const ofSecret = namesOfSecret(
    'CN=r',
    { dnsNames: ['R.example'], ipAddresses: ['2001:DB8:0:0::1'], emails: ['Anna@Example.org'] },
    'r',
  );
  const isPermitted = (kind: string, name: string): boolean =>
    describeExcessNames(ofSecret ?? expect.fail('it is bound'), {
      subject_dn: 'CN=r',
      subject_dn_normalized: [...(ofSecret?.subjects ?? [])][0] ?? '',
      subject_alternative_names: { [kind]: [name] },
    }) === undefined;

  it.each([
    ['dNSName', 'r.EXAMPLE', true],
    ['iPAddress', '2001:db8::1', true],
    ['rfc822Name', 'Anna@example.org', true],
    ['rfc822Name', 'anna@example.org', false],
    ['uniformResourceIdentifier', 'r.example', false],
  ])('of type %s are compared as their standards require: %s is accepted: %s', (kind, name, expected) => {
    expect(isPermitted(kind, name)).toBe(expected);
  });
});
