import { authorityProviderOperations as operations, type RequestAttributeDto } from '@signetry/contract';
import { buildName, OID, readCertificate, signatureAlgorithm, toBase64, type RdnInput } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { AUTHORITY, ISSUE, PROFILE } from '../index.ts';
import { CA_KEY_ALGORITHMS } from '../attributes/authority-attributes.ts';
import { openssl, certificatePem, verifyChain } from '../testing/openssl.ts';
import {
  attribute,
  chainOf,
  createCa,
  dns,
  flag,
  integer,
  issue,
  issueDer,
  lines,
  makeCsr,
  revoke,
  startTestAuthority,
  text,
  type TestAuthority,
} from '../testing/test-authority.ts';

let ours: TestAuthority;
let root = '';
beforeAll(async () => {
  ours = await startTestAuthority();
  root = await createCa(ours.call, 'Signetry Root');
});

const problemsOf = async (attempt: Promise<unknown>): Promise<readonly string[]> => {
  await expect(attempt).rejects.toMatchObject({ status: 422 });
  return attempt.then(
    () => [],
    (error: { problems: readonly string[] }) => error.problems,
  );
};

describe.each(CA_KEY_ALGORITHMS)('a CA with a %s key', (algorithm) => {
  it('issues certificates that another implementation verifies', async () => {
    const authority = await createCa(ours.call, `CA ${algorithm}`, [text(AUTHORITY.keyAlgorithm, algorithm)]);
    const der = await issueDer(ours.call, { authority });
    const chain = await chainOf(ours.call, authority);
    const issuer = new X509Certificate(chain[0] ?? new Uint8Array());
    expect(new X509Certificate(der).verify(issuer.publicKey)).toBe(true);
    expect(issuer.verify(issuer.publicKey)).toBe(true);
    // The system's OpenSSL 3.0 does not support ML-DSA; Node bundles a newer version.
    if (!algorithm.startsWith('ML-DSA')) expect(verifyChain(der, chain, ['-purpose', 'sslserver'])).toContain('OK');
  });
});

describe('issuance', () => {
  it('certifies keys of every type, with the usages that each supports', async () => {
    const profile = [attribute(PROFILE.keyUsages, 'string', 'digitalSignature', 'keyEncipherment')];
    const usages: Record<string, unknown> = {};
    for (const spec of ['RSA-2048', 'P-384', 'P-521', 'Ed25519', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'] as const) {
      const certificate = await issue(ours.call, { authority: root, profile, request: await makeCsr({ spec }) });
      usages[spec] = certificate.keyUsage;
    }
    expect(usages['RSA-2048']).toEqual(['digitalSignature', 'keyEncipherment']);
    expect(new Set(Object.values({ ...usages, 'RSA-2048': ['digitalSignature'] }).map(String))).toEqual(
      new Set(['digitalSignature']),
    );
  });

  it('rejects CSRs that are signed with SHA-1', async () => {
    const request = await makeCsr({ spec: 'RSA-2048', algorithm: signatureAlgorithm('SHA1withRSA') });
    expect(await problemsOf(issue(ours.call, { authority: root, request }))).toEqual([
      'The CSR was rejected: it is signed with SHA-1, which is broken; sign it with SHA-256 or stronger.',
    ]);
  });

  it('certifies RSA keys with an exponent other than 65537 only if the profile allows them', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 65_539 });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const request = await makeCsr({ keyPair: { privateKey, spki } });
    expect(await problemsOf(issue(ours.call, { authority: root, request }))).toEqual([
      expect.stringMatching(/public exponents other than 65537.*Generate a key with public exponent 65537/),
    ]);
    const profile = [flag(PROFILE.otherRsaExponents, true)];
    const certificate = await issue(ours.call, { authority: root, profile, request });
    expect(certificate.publicKey.exponent).toEqual(Uint8Array.of(1, 0, 3));
  });

  it('rejects more SANs than the profile allows, and reports the limit', async () => {
    const names = (count: number) => dns(...Array.from({ length: count }, (_, index) => `n${index}.example.com`));
    const request = async (count: number) =>
      makeCsr({ subject: [{ type: 'O', value: 'Example' }], altNames: names(count) });
    expect((await issue(ours.call, { authority: root, request: await request(100) })).subjectAltNames).toHaveLength(
      100,
    );
    expect(await problemsOf(issue(ours.call, { authority: root, request: await request(101) }))).toEqual([
      expect.stringMatching(/at most 100 subject alternative names \(data_maxAltNames\); 101 were requested/),
    ]);
    const profile = [integer(PROFILE.maxAltNames, 101)];
    const more = await issue(ours.call, { authority: root, profile, request: await request(101) });
    expect(more.subjectAltNames).toHaveLength(101);
  });

  it.each([
    ['the request', { subject: [{ type: 'O', value: 'Example\r\nSet-Cookie: a' }] }, []],
    [
      'a directory name',
      { altNames: [{ kind: 'directoryName', name: buildName([{ type: 'O', value: 'a\u202eb' }]) }] },
      [attribute(PROFILE.altNameTypes, 'string', 'directoryName', 'dns')],
    ],
    ['the profile', {}, [text(PROFILE.fixedSubject, 'O=Exam\\09ple')]],
  ] as const)('rejects hidden characters from %s', async (_from, facts, profile) => {
    const request = await makeCsr(facts);
    expect(await problemsOf(issue(ours.call, { authority: root, request, profile }))).toEqual([
      expect.stringMatching(/character U\+/),
    ]);
  });

  it("applies the profile's settings", async () => {
    const profile = [
      integer(PROFILE.validityDays, 30),
      lines(PROFILE.crlUrls, 'http://pki.example/a.crl'),
      lines(PROFILE.deltaCrlUrls, 'http://pki.example/d.crl'),
      lines(PROFILE.ocspUrls, 'http://pki.example/ocsp'),
      lines(PROFILE.caIssuersUrls, 'http://pki.example/ca.crt'),
      lines(PROFILE.policies, '2.23.140.1.2.1 https://pki.example/cps'),
      attribute(PROFILE.extendedKeyUsages, 'string', OID.serverAuth),
      flag(PROFILE.mustStaple, true),
      text(PROFILE.fixedSubject, 'O=Example, C=DE'),
    ];
    const subject: RdnInput[] = [
      { type: 'O', value: 'Wrong' },
      { type: 'CN', value: 'a.example.com' },
    ];
    const request = await makeCsr({ subject, altNames: dns('a.example.com', 'b.example.com') });
    const der = await issueDer(ours.call, { authority: root, profile, request });
    const shown = openssl(['x509', '-noout', '-text', '-nameopt', 'RFC2253', '-in', 'c.pem'], {
      'c.pem': certificatePem(der),
    });
    expect(shown).toContain('Subject: CN=a.example.com,O=Example,C=DE');
    expect(shown).toContain('DNS:a.example.com, DNS:b.example.com');
    expect(shown).toContain('URI:http://pki.example/a.crl');
    expect(shown).toMatch(/Freshest CRL: \s+Full Name:\s+URI:http:\/\/pki\.example\/d\.crl/);
    expect(shown).toContain('OCSP - URI:http://pki.example/ocsp');
    expect(shown).toContain('CA Issuers - URI:http://pki.example/ca.crt');
    expect(shown).toContain('Policy: 2.23.140.1.2.1');
    expect(shown).toContain('TLS Feature: \n                status_request');
    expect(shown).toContain('X509v3 Extended Key Usage: \n                TLS Web Server Authentication');
    expect(shown).not.toContain('TLS Web Client Authentication');
    expect(shown).toContain('CA:FALSE');
    const { notBeforeMs, notAfterMs } = readCertificate(der);
    expect((notAfterMs + 1000 - notBeforeMs) / 86_400_000).toBe(30);
  });

  it('issues OCSP responder certificates', async () => {
    const profile = [attribute(PROFILE.extendedKeyUsages, 'string', OID.ocspSigning), flag(PROFILE.ocspNoCheck, true)];
    const der = await issueDer(ours.call, { authority: root, profile, request: await makeCsr({ altNames: [] }) });
    const shown = openssl(['x509', '-noout', '-text', '-in', 'c.pem'], { 'c.pem': certificatePem(der) });
    expect(shown).toContain('OCSP Signing');
    expect(shown).toContain('OCSP No Check');
    expect(readCertificate(der).subjectAltNames).toEqual([]);
  });

  it('adds a DNS name in the common name to the SANs, under the same rules', async () => {
    const request = await makeCsr({ subject: [{ type: 'CN', value: 'only.example.com' }], altNames: [] });
    const certificate = await issue(ours.call, { authority: root, request });
    expect(certificate.subjectAltNames).toEqual(dns('only.example.com'));
    const suffix = lines(PROFILE.dnsSuffixes, 'other.test');
    for (const profile of [[suffix], [suffix, flag(PROFILE.commonNameAsAltName, false)]]) {
      const problems = await problemsOf(issue(ours.call, { authority: root, request, profile }));
      expect(problems).toEqual([
        'The subject alternative name "only.example.com" does not match the DNS suffixes and patterns that the profile allows.',
      ]);
    }
  });

  it('adds the hosts in the common names even if the profile replaces the subject', async () => {
    const subject: RdnInput[] = [
      { type: 'CN', value: 'b.example.com' },
      { type: 'CN', value: 'a.example.com' },
    ];
    const request = await makeCsr({ subject, altNames: dns('c.example.com') });
    const { subjectAltNames } = await issue(ours.call, {
      authority: root,
      request,
      profile: [flag(PROFILE.copySubject, false)],
    });
    expect(subjectAltNames.slice(0, 1)).toEqual(dns('c.example.com'));
    expect(subjectAltNames).toHaveLength(3);
    expect(subjectAltNames).toEqual(expect.arrayContaining([...dns('a.example.com', 'b.example.com')]));
  });

  it('removes trailing dots and converts internationalized names to A-labels', async () => {
    const attributes = [lines(ISSUE.altNames, 'dns:a.example.com.', 'bücher.example.com', '*.Straße.example.com.')];
    expect((await issue(ours.call, { authority: root, attributes })).subjectAltNames.slice(0, 3)).toEqual(
      dns('a.example.com', 'xn--bcher-kva.example.com', '*.xn--strae-oqa.example.com'),
    );
  });

  it('rejects underscores in DNS names unless the profile allows them', async () => {
    const attributes = [lines(ISSUE.altNames, 'my_host.example.com')];
    expect(await problemsOf(issue(ours.call, { authority: root, attributes }))).toEqual([
      'The subject alternative name "my_host.example.com" is not a DNS name: it contains an underscore, which host names do not permit; use a hyphen, or allow underscores in the RA profile.',
    ]);
    const profile = [flag(PROFILE.allowUnderscores, true)];
    const issued = await issue(ours.call, { authority: root, attributes, profile });
    expect(issued.subjectAltNames).toEqual(expect.arrayContaining([...dns('my_host.example.com')]));
  });

  it('includes each name once, in its first spelling', async () => {
    const subject: RdnInput[] = [{ type: 'CN', value: 'A.example.com' }];
    const request = await makeCsr({ subject, altNames: dns('a.example.com', 'b.example.com', 'A.EXAMPLE.com') });
    const expected = dns('a.example.com', 'b.example.com');
    expect((await issue(ours.call, { authority: root, request })).subjectAltNames).toEqual(expected);
    const profile = [integer(PROFILE.maxAltNames, 2)];
    expect((await issue(ours.call, { authority: root, request, profile })).subjectAltNames).toEqual(expected);
    const attributes = [lines(ISSUE.altNames, 'dns:a.example.com', 'b.example.com', 'dns:A.Example.com')];
    expect((await issue(ours.call, { authority: root, attributes })).subjectAltNames.slice(0, 2)).toEqual(expected);
  });

  it('marks the SAN extension as critical if the subject is empty', async () => {
    const der = await issueDer(ours.call, { authority: root, profile: [flag(PROFILE.copySubject, false)] });
    expect(readCertificate(der).subject.rdns).toEqual([]);
    expect(readCertificate(der).extensions.find(({ oid }) => oid === OID.subjectAltName)?.critical).toBe(true);
    expect(verifyChain(der, await chainOf(ours.call, root))).toContain('OK');
  });

  it('grants values requested in addition to the CSR, within the limits', async () => {
    const certificate = await issue(ours.call, {
      authority: root,
      profile: [integer(PROFILE.maxValidityDays, 200)],
      attributes: [
        text(ISSUE.subject, 'CN=Anna, O=Example'),
        lines(ISSUE.altNames, 'dns:x.example.com', '192.0.2.7'),
        integer(ISSUE.validityDays, 200),
      ],
    });
    expect(certificate.subject.rdns.flat().map(({ value }) => value)).toEqual(['Example', 'Anna']);
    expect(certificate.subjectAltNames.map(({ kind }) => kind)).toEqual(['dNSName', 'iPAddress']);
    const problems = await problemsOf(
      issue(ours.call, {
        authority: root,
        attributes: [integer(ISSUE.validityDays, 91), lines(ISSUE.altNames, 'upn:x@y')],
      }),
    );
    expect(problems).toHaveLength(2);
  });

  it('does not issue certificates that outlive the CA', async () => {
    const short = await createCa(ours.call, 'Short', [integer(AUTHORITY.validityYears, 1)]);
    const end = readCertificate((await chainOf(ours.call, short))[0] ?? new Uint8Array()).notAfterMs;
    const certificate = await issue(ours.call, { authority: short, profile: [integer(PROFILE.validityDays, 1000)] });
    expect(certificate.notAfterMs).toBe(end);
  });

  it.each<[string, RequestAttributeDto[], () => Promise<string>, RegExp]>([
    ['a weak key', [integer(PROFILE.minRsaBits, 3072)], () => makeCsr({ spec: 'RSA-2048' }), /at least 3072/],
    ['a key type that is not allowed', [text(PROFILE.keyAlgorithms, 'RSA')], () => makeCsr(), /not allowed/],
    ['a curve that is not allowed', [text(PROFILE.curves, 'P-384')], () => makeCsr(), /P-256/],
    [
      'a common name that does not match the pattern',
      [text(PROFILE.commonNamePattern, 'web\\d+')],
      () => makeCsr(),
      /does not match/,
    ],
    [
      'a CSR without the required SAN',
      [flag(PROFILE.requireAltName, true), flag(PROFILE.commonNameAsAltName, false)],
      () => makeCsr({ altNames: [] }),
      /requires/,
    ],
    [
      'a CSR that results in neither a subject nor a SAN',
      [flag(PROFILE.copySubject, false), flag(PROFILE.commonNameAsAltName, false)],
      () => makeCsr({ altNames: [] }),
      /neither a subject/,
    ],
    ['an unreplaced placeholder', [lines(PROFILE.crlUrls, '{{publicUrl}}/a.crl')], () => makeCsr(), /placeholder/],
    ['a subject that is too long', [], () => makeCsr({ subject: [{ type: 'CN', value: 'x'.repeat(65) }] }), /64|long/],
    [
      'a country name instead of a country code',
      [],
      () => makeCsr({ subject: [{ type: 'C', value: 'Germany' }] }),
      /ountry/,
    ],
    ['a CA below a CA with path length 0', [flag(PROFILE.isCa, true)], () => makeCsr(), /path length/],
  ])('rejects %s before anything is written', async (_, profile, request, problem) => {
    const authority = await createCa(ours.call, 'Strict', [integer(AUTHORITY.pathLength, 0)]);
    const rows = () =>
      ours.pool.query('SELECT FROM connector_software_authority.issuance').then(({ rowCount }) => rowCount);
    const before = await rows();
    const problems = await problemsOf(issue(ours.call, { authority, profile, request: await request() }));
    expect(problems.join(' ')).toMatch(problem);
    expect(await rows()).toBe(before);
  });

  it('rejects a CSR whose signature does not verify', async () => {
    const bytes = Buffer.from(await makeCsr(), 'base64');
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
    const problems = await problemsOf(issue(ours.call, { authority: root, request: bytes.toString('base64') }));
    expect(problems).toEqual(['The signature of the CSR is invalid.']);
  });

  it("rejects a CSR with the CA's own key", async () => {
    const keyPair = await generateKeyPair('P-256');
    const pem = openssl(
      [
        'req',
        '-x509',
        '-key',
        'k.pem',
        '-subj',
        '/CN=Own',
        '-days',
        '10',
        '-addext',
        'keyUsage=critical,keyCertSign,cRLSign',
      ],
      {
        'k.pem': keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      },
    );
    const file = Buffer.from(`${pem}${String(keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }))}`);
    const authority = await createCa(ours.call, 'Own', [
      text(AUTHORITY.source, 'import'),
      attribute(AUTHORITY.keyStore, 'file', {
        content: file.toString('base64'),
        fileName: 'own.pem',
        mimeType: 'application/x-pem-file',
      }),
    ]);
    const problems = await problemsOf(issue(ours.call, { authority, request: await makeCsr({ keyPair }) }));
    expect(problems.join(' ')).toContain("the CA's own key");
  });

  it('issues CA certificates under a CA profile', async () => {
    const request = await makeCsr({ subject: [{ type: 'CN', value: 'Below' }], altNames: [] });
    const der = await issueDer(ours.call, {
      authority: root,
      request,
      profile: [flag(PROFILE.isCa, true), integer(PROFILE.pathLength, 2)],
    });
    expect(readCertificate(der).basicConstraints).toEqual({ ca: true, pathLength: 2 });
    expect(verifyChain(der, await chainOf(ours.call, root))).toContain('OK');
  });
});

describe('renewal', () => {
  const renew = async (old: Uint8Array, request: string, key?: string) => {
    const answer = await ours.call(operations.renewCertificate, {
      params: { uuid: root },
      body: { request, format: 'pkcs10', raProfileAttributes: [], certificate: toBase64(old), meta: [] },
      idempotencyKey: key,
    });
    return readCertificate(answer.certificateData);
  };

  it('keeps names that were requested in addition to the previous CSR', async () => {
    const request = await makeCsr();
    const old = await issueDer(ours.call, {
      authority: root,
      request,
      attributes: [lines(ISSUE.altNames, 'kept.example.com')],
    });
    expect((await renew(old, request)).subjectAltNames.map((name) => 'value' in name && name.value)).toContain(
      'kept.example.com',
    );
  });

  it('uses the names of the old certificate if the new CSR has none', async () => {
    const old = await issueDer(ours.call, {
      authority: root,
      request: await makeCsr({ altNames: dns('old.example.com') }),
    });
    const renewed = await renew(old, await makeCsr({ subject: [], altNames: [] }));
    expect(renewed.subjectAltNames).toContainEqual({ kind: 'dNSName', value: 'old.example.com' });
    expect(renewed.subject.rdns).toHaveLength(1);
  });

  it('returns the same certificate for the same idempotency key', async () => {
    const old = await issueDer(ours.call, { authority: root });
    const request = await makeCsr();
    expect((await renew(old, request, 'renewal-1')).der).toEqual((await renew(old, request, 'renewal-1')).der);
  });

  it('rejects a revoked certificate', async () => {
    const old = await issueDer(ours.call, { authority: root });
    await revoke(ours.call, { authority: root, certificate: old });
    await expect(renew(old, await makeCsr())).rejects.toMatchObject({ status: 422 });
  });
});

describe('identification', () => {
  const identify = (certificate: Uint8Array, profile: RequestAttributeDto[] = []) =>
    ours.call(operations.identifyCertificate, {
      params: { uuid: root },
      body: { certificate: toBase64(certificate), raProfileAttributes: profile },
    });

  it('returns the metadata of a certificate issued by this CA', async () => {
    const der = await issueDer(ours.call, { authority: root });
    const { meta } = await identify(der);
    expect(meta[0]?.content).toEqual([{ data: readCertificate(der).serialNumber }]);
  });

  it('returns 422 if the certificate does not match the profile', async () => {
    const der = await issueDer(ours.call, { authority: root });
    await expect(identify(der, [lines(PROFILE.dnsSuffixes, 'other.test')])).rejects.toMatchObject({ status: 422 });
    await expect(identify(der, [flag(PROFILE.isCa, true)])).rejects.toMatchObject({ status: 422 });
    await expect(identify(der, [integer(PROFILE.validityDays, 10)])).rejects.toMatchObject({ status: 422 });
  });

  it('returns 404 for a certificate that only resembles one issued by this CA', async () => {
    const der = Buffer.from(await issueDer(ours.call, { authority: root }));
    der[der.length - 3] = (der[der.length - 3] ?? 0) ^ 1;
    await expect(identify(der)).rejects.toMatchObject({ status: 404 });
  });
});
