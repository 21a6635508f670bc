import { beforeAll, describe, expect, it } from 'vitest';
import {
  basicConstraintsExtension,
  customExtension,
  extKeyUsageExtension,
  keyUsageExtension,
} from '../x509/extension-parts.ts';
import { ca, end, failures, PATH_OPTIONS, validate } from '../testing/paths.ts';
import { DAY_MS, issue, NOW_MS, type TestEntity } from '../testing/authority.ts';
import { encodeDer, oidPart } from '../der/writer.ts';
import { fromHex } from '../bytes.ts';
import { OID } from '../oids.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { validatePath } from './validate.ts';

let root: TestEntity;
beforeAll(async () => {
  root = await issue({ subject: 'CN=Root' });
});

describe('a valid path', () => {
  it('passes every check, starting at the anchor', async () => {
    const middle = await ca('CN=Middle', root);
    const leaf = await end(middle, [keyUsageExtension(['digitalSignature'])]);
    const result = validate([leaf, middle, root]);
    expect(result.isValid).toBe(true);
    expect(result.certificates.map(({ checks }) => checks.signature.status)).toEqual(['passed', 'passed', 'passed']);
    expect(result.certificates[2]?.checks.nameChaining.status).toBe('notChecked');
  });

  it('can consist of the anchor, or end at an anchor signed by a different CA', async () => {
    expect(failures([root])).toEqual([]);
    const middle = await ca('CN=Middle', root);
    expect(failures([await end(middle), middle])).toEqual([]);
  });

  it('can mix key types', async () => {
    const middle = await ca('CN=PQ', root, { spec: 'ML-DSA-65' });
    const below = await ca('CN=Ed', middle, { spec: 'Ed25519' });
    expect(failures([await end(below), below, middle, root])).toEqual([]);
  });
});

describe('signature and name checks', () => {
  it('reject a signature by a different CA with the same name', async () => {
    const impostor = await issue({ subject: 'CN=Root' });
    expect(failures([await end(impostor), root])).toEqual(['0:signature']);
  });

  it('reject an issuer with a different name', async () => {
    const renamed = await issue({ subject: 'CN=Else', keys: root.keys });
    expect(failures([await end(root), renamed])).toEqual(['0:nameChaining']);
  });

  it('accept names that differ only in case and spaces', async () => {
    const spelled = await issue({ subject: 'CN=ROOT ', keys: root.keys });
    expect(failures([await end(root), spelled])).toEqual([]);
  });

  it('reject a certificate with a modified byte', async () => {
    const leaf = await end(root);
    const der = Uint8Array.from(leaf.certificate.der);
    der[20] = (der[20] ?? 0) ^ 1;
    const chain = [parseCertificate(der), root.certificate];
    expect(validatePath(chain, PATH_OPTIONS).certificates[0]?.checks.signature.status).toBe('failed');
  });
});

describe('the validity check', () => {
  it('includes the last second of the validity period and excludes the next', async () => {
    const leaf = await end(root);
    const { notAfterMs, notBeforeMs } = leaf.certificate;
    expect(failures([leaf], { nowMs: notAfterMs + 999 })).toEqual([]);
    expect(failures([leaf], { nowMs: notAfterMs + 1000 })).toEqual(['0:validity']);
    expect(failures([leaf], { nowMs: notBeforeMs })).toEqual([]);
    expect(failures([leaf], { nowMs: notBeforeMs - 1 })).toEqual(['0:validity']);
  });

  it('applies to every certificate', async () => {
    const old = await ca('CN=Old', root, { notAfterMs: NOW_MS - DAY_MS / 2 });
    expect(failures([await end(old), old, root])).toEqual(['1:validity']);
  });
});

describe('CA certificates', () => {
  it('must assert cA in basicConstraints', async () => {
    const leaf = await end(root);
    expect(failures([await end(leaf), leaf, root])).toEqual(['1:basicConstraints']);
    const denies = await ca('CN=No', root, { extensions: [basicConstraintsExtension({ ca: false })] });
    expect(failures([await end(denies), denies, root])).toEqual(['1:basicConstraints']);
  });

  it('must assert keyCertSign', async () => {
    const mute = await ca('CN=Mute', root, {
      extensions: [basicConstraintsExtension({ ca: true }), keyUsageExtension(['cRLSign'])],
    });
    expect(failures([await end(mute), mute, root])).toEqual(['1:keyUsage']);
  });

  it('must respect the path length, which does not count self-issued certificates', async () => {
    const caWithPathLength = (pathLength: number) =>
      ca('CN=L', root, { extensions: [basicConstraintsExtension({ ca: true, pathLength })] });
    const zero = await caWithPathLength(0);
    expect(failures([await end(zero), zero, root])).toEqual([]);
    const below = await ca('CN=Below', zero);
    expect(failures([await end(below), below, zero, root])).toEqual(['1:pathLength']);
    const rollover = await ca('CN=L', zero);
    expect(failures([await end(rollover), rollover, zero, root])).toEqual([]);
    expect(failures([below, zero, root])).toEqual([]); // The target does not count (RFC 5280 §6.1.4).
  });

  it('are rejected if they have unknown critical extensions, but not for other unknown extensions', async () => {
    const value = Uint8Array.of(5, 0);
    expect(failures([await end(root, [customExtension('1.2.3', { critical: true, value })]), root])).toEqual([
      '0:criticalExtensions',
    ]);
    expect(failures([await end(root, [customExtension('1.2.3', { critical: false, value })]), root])).toEqual([]);
    for (const oid of ['2.5.29.72', '2.5.29.73', '2.5.29.74'])
      expect(failures([await end(root, [customExtension(oid, { critical: true, value })]), root])).toEqual([]);
  });

  it('with malformed extensions fail only the checks that need those extensions, without an exception', async () => {
    const broken = await end(root, [customExtension(OID.keyUsage, { critical: true, value: Uint8Array.of(1, 2, 3) })]);
    expect(failures([broken, root])).toEqual(['0:keyUsage']);
  });
});

describe('key purposes', () => {
  it('must be allowed by the end-entity certificate and by all CAs that restrict them', async () => {
    const server = await end(root, [extKeyUsageExtension([OID.serverAuth])]);
    expect(failures([server, root], { purpose: OID.serverAuth })).toEqual([]);
    expect(failures([server, root], { purpose: OID.clientAuth })).toEqual(['0:extendedKeyUsage']);
    expect(failures([await end(root), root], { purpose: OID.clientAuth })).toEqual([]);
    const restricted = await ca('CN=R', root, { extra: [extKeyUsageExtension([OID.clientAuth])] });
    expect(
      failures([await end(restricted, [extKeyUsageExtension([OID.serverAuth])]), restricted, root], {
        purpose: OID.serverAuth,
      }),
    ).toEqual(['1:extendedKeyUsage']);
    const any = await end(root, [extKeyUsageExtension([OID.anyExtendedKeyUsage])]);
    expect(failures([any, root], { purpose: OID.codeSigning })).toEqual([]);
  });
});

describe('certificate algorithms', () => {
  it('are rejected if their digest is weak, unless the caller accepts it; an anchor can use any digest', async () => {
    const rsa = { spec: 'RSA-2048', algorithm: 'SHA1withRSA' } as const;
    const old = await issue({ subject: 'CN=Old', ...rsa });
    const leaf = await end(old);
    expect(failures([leaf, old])).toEqual(['0:algorithms']);
    expect(failures([leaf, old], { acceptsWeakDigests: true })).toEqual([]);
    expect(failures([await end(await issue({ subject: 'CN=MD5', ...rsa, algorithm: 'MD5withRSA' })), root])).toContain(
      '0:algorithms',
    );
    const renewed = await issue({ subject: 'CN=Old', spec: 'RSA-2048' });
    expect(failures([await end(renewed), old])).toEqual([]);
  });

  it('must use a named curve instead of explicit curve parameters', async () => {
    const explicit = parseCertificate(withExplicitCurve((await end(root)).certificate));
    const { checks } = validatePath([explicit, root.certificate], PATH_OPTIONS).certificates[0] ?? {};
    expect(checks?.algorithms).toMatchObject({ status: 'failed', message: expect.stringContaining('RFC 5480') });
  });
});

/**
 * The certificate with a SEQUENCE instead of the named curve; its signature no longer verifies, which is irrelevant
 * here.
 */
function withExplicitCurve(certificate: Certificate): Uint8Array {
  const curve = encodeDer(oidPart(OID.secp256r1));
  const hex = certificate.der.toHex();
  return fromHex(hex.replace(curve.toHex(), `30${curve.toHex().slice(2)}`));
}

describe('CA certificates without a subject name', () => {
  it('are rejected', async () => {
    const nameless = await ca('', root);
    expect(failures([await end(nameless), nameless, root])).toEqual(['1:nameChaining']);
    expect(failures([nameless, root])).toEqual(['0:nameChaining']);
  });
});

describe('a target that must be able to issue', () => {
  it('is checked for path length and key usage, unlike other targets', async () => {
    const narrow = await ca('CN=L', root, { extensions: [basicConstraintsExtension({ ca: true, pathLength: 0 })] });
    const below = await ca('CN=Below', narrow);
    expect(failures([below, narrow, root])).toEqual([]);
    expect(failures([below, narrow, root], { targetIssues: true })).toEqual(['0:pathLength']);
    const { message } =
      validate([below, narrow, root], { targetIssues: true }).certificates[0]?.checks.pathLength ?? {};
    expect(message).toMatch(/"CN=L" permits 0 CAs/);
    const mute = await ca('CN=Mute', root, {
      extensions: [basicConstraintsExtension({ ca: true }), keyUsageExtension(['cRLSign'])],
    });
    expect(failures([mute, root], { targetIssues: true })).toEqual(['0:keyUsage']);
  });
});

describe('the limits on chain length', () => {
  it('reject chains that are empty or too long', () => {
    expect(() => validatePath([], PATH_OPTIONS)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    const endless = Array.from({ length: 33 }, () => root.certificate);
    expect(() => validatePath(endless, PATH_OPTIONS)).toThrow(expect.objectContaining({ code: 'bound-exceeded' }));
  });
});
