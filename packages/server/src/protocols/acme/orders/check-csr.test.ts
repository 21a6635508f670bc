import { readDerOrPem } from '@signetry/pki';
import { makeSigningRequest } from '@signetry/testkit/acme';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCsr } from './check-csr.ts';

const account = { spki: new Uint8Array() };
const namesIn = (der: Uint8Array) => readCsr(Buffer.from(der).toString('base64url'), account).names;
const recorded = (file: string) =>
  readDerOrPem(readFileSync(join(import.meta.dirname, '../testing/recorded', file)), ['CERTIFICATE REQUEST']);

describe('the names in a CSR', () => {
  it('include a common name that is missing from the SANs, as in requests from the client of OpenBSD', () => {
    expect(namesIn(recorded('csr-cn-not-in-san.pem'))).toEqual(['dns:a.example.test', 'dns:b.example.test']);
  });

  it('are read whatever the version of the CSR, which certbot set to 2 until version 1.28', () => {
    expect(namesIn(recorded('csr-version-2-certbot-1.21.pem')).length).toBeGreaterThan(0);
  });

  it.each([
    ['a trailing dot', { names: ['a.example.'] }, ['dns:a.example']],
    ['several common names', { names: ['a.example'], subject: 'CN=b.example,CN=c.example' }, ['dns:a.example', 'dns:b.example', 'dns:c.example']],
    ['a common name in Unicode', { names: ['a.example'], commonName: 'bücher.example' }, ['dns:a.example', 'dns:xn--bcher-kva.example']],
    ['a common name that is not a host', { names: ['a.example'], commonName: 'Firewall 7' }, ['dns:a.example']],
    ['only a common name that is not a host', { commonName: 'Firewall 7' }, ['dns:firewall 7']],
    ['an IP address as the common name', { names: ['a.example'], commonName: '192.0.2.1' }, ['dns:a.example', 'ip:192.0.2.1']],
  ])('are canonical with %s', async (_what, options, names) => {
    expect(namesIn((await makeSigningRequest(options)).der)).toEqual(names);
  }); // prettier-ignore
});

describe('the form of a CSR', () => {
  it.each([
    ['-----BEGIN CERTIFICATE REQUEST-----\nMIIB', /it is PEM; "csr" must be DER in base64url without padding/],
    [Buffer.from('-----BEGIN NEW CERTIFICATE REQUEST-----').toString('base64url'), /it contains PEM instead of DER;/],
    ['MIIB+/8=', /it is standard Base64;/],
    ['MIIB', /it is not a PKCS #10 certification request: /],
    [1, /"csr" must be DER in base64url/],
  ])('is explained if it is rejected: %s', (csr, reason) => {
    expect(() => readCsr(csr, account)).toThrow(reason);
  });
});
