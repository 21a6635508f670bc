import { beforeAll, describe, expect, it } from 'vitest';
import {
  basicConstraintsExtension,
  certificatePoliciesExtension,
  customExtension,
  extKeyUsageExtension,
  inhibitAnyPolicyExtension,
  keyUsageExtension,
  nameConstraintsExtension,
  policyConstraintsExtension,
  subjectAltNameExtension,
  type ExtensionInput,
} from '../x509/extension-parts.ts';
import { buildName } from '../names.ts';
import { DAY_MS, issue, NOW_MS, type TestEntity, type TestEntityOptions } from '../testing/authority.ts';
import { ipAddressName, textOtherName, type GeneralName } from '../x509/general-names.ts';
import { nodeCrypto } from '../node/index.ts';
import { createBudget } from './budget.ts';
import { createPathWork } from './work.ts';
import { encodeDer, oidPart, sequence } from '../der/writer.ts';
import { fromHex } from '../bytes.ts';
import { OID } from '../oids.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { validatePath, type PathOptions, type PathResult } from './validate.ts';

const options: PathOptions = { nowMs: NOW_MS, verify: nodeCrypto.verify };
let root: TestEntity;
beforeAll(async () => {
  root = await issue({ subject: 'CN=Root' });
});

const ca = (subject: string, issuer: TestEntity, changes: Partial<TestEntityOptions> = {}): Promise<TestEntity> =>
  issue({ subject, issuer, ...changes });
const end = (issuer: TestEntity, extensions: readonly ExtensionInput[] = [], subject = 'CN=end'): Promise<TestEntity> =>
  issue({ subject, issuer, extensions });

const validate = (chain: readonly TestEntity[], changes: Partial<PathOptions> = {}): PathResult =>
  validatePath(
    chain.map(({ certificate }) => certificate),
    { ...options, ...changes },
  );

/** Failed checks, as `index:check`, end entity first. */
const failures = (chain: readonly TestEntity[], changes: Partial<PathOptions> = {}): string[] =>
  validate(chain, changes).certificates.flatMap(({ checks }, index) =>
    Object.entries(checks).flatMap(([check, { status }]) => (status === 'failed' ? [`${index}:${check}`] : [])),
  );

describe('a sound path', () => {
  it('passes every check, from the anchor down', async () => {
    const middle = await ca('CN=Middle', root);
    const leaf = await end(middle, [keyUsageExtension(['digitalSignature'])]);
    const result = validate([leaf, middle, root]);
    expect(result.isValid).toBe(true);
    expect(result.certificates.map(({ checks }) => checks.signature.status)).toEqual(['passed', 'passed', 'passed']);
    expect(result.certificates[2]?.checks.nameChaining.status).toBe('notChecked');
  });

  it('may be the anchor alone, or end at an anchor that another authority signed', async () => {
    expect(failures([root])).toEqual([]);
    const middle = await ca('CN=Middle', root);
    expect(failures([await end(middle), middle])).toEqual([]);
  });

  it('works across key types', async () => {
    const middle = await ca('CN=PQ', root, { spec: 'ML-DSA-65' });
    const below = await ca('CN=Ed', middle, { spec: 'Ed25519' });
    expect(failures([await end(below), below, middle, root])).toEqual([]);
  });
});

describe('signature and names', () => {
  it('a certificate of another authority with the same name fails by its signature', async () => {
    const impostor = await issue({ subject: 'CN=Root' });
    expect(failures([await end(impostor), root])).toEqual(['0:signature']);
  });

  it('an issuer with another name fails by its name', async () => {
    const renamed = await issue({ subject: 'CN=Else', keys: root.keys });
    expect(failures([await end(root), renamed])).toEqual(['0:nameChaining']);
  });

  it('names that differ in case and spaces chain', async () => {
    const spelled = await issue({ subject: 'CN=ROOT ', keys: root.keys });
    expect(failures([await end(root), spelled])).toEqual([]);
  });

  it('a changed octet fails by the signature', async () => {
    const leaf = await end(root);
    const der = Uint8Array.from(leaf.certificate.der);
    der[20] = (der[20] ?? 0) ^ 1;
    const chain = [parseCertificate(der), root.certificate];
    expect(validatePath(chain, options).certificates[0]?.checks.signature.status).toBe('failed');
  });
});

describe('validity', () => {
  it('includes the last second and excludes the next', async () => {
    const leaf = await end(root);
    const { notAfterMs, notBeforeMs } = leaf.certificate;
    expect(failures([leaf], { nowMs: notAfterMs + 999 })).toEqual([]);
    expect(failures([leaf], { nowMs: notAfterMs + 1000 })).toEqual(['0:validity']);
    expect(failures([leaf], { nowMs: notBeforeMs })).toEqual([]);
    expect(failures([leaf], { nowMs: notBeforeMs - 1 })).toEqual(['0:validity']);
  });

  it('is checked for every certificate', async () => {
    const old = await ca('CN=Old', root, { notAfterMs: NOW_MS - DAY_MS / 2 });
    expect(failures([await end(old), old, root])).toEqual(['1:validity']);
  });
});

describe('authorities', () => {
  it('must say that they are', async () => {
    const leaf = await end(root);
    expect(failures([await end(leaf), leaf, root])).toEqual(['1:basicConstraints']);
    const denies = await ca('CN=No', root, { extensions: [basicConstraintsExtension({ ca: false })] });
    expect(failures([await end(denies), denies, root])).toEqual(['1:basicConstraints']);
  });

  it('must be allowed to sign certificates', async () => {
    const mute = await ca('CN=Mute', root, {
      extensions: [basicConstraintsExtension({ ca: true }), keyUsageExtension(['cRLSign'])],
    });
    expect(failures([await end(mute), mute, root])).toEqual(['1:keyUsage']);
  });

  it('keep to the path length, which self-issued ones do not use up', async () => {
    const limited = (pathLength: number) =>
      ca('CN=L', root, { extensions: [basicConstraintsExtension({ ca: true, pathLength })] });
    const zero = await limited(0);
    expect(failures([await end(zero), zero, root])).toEqual([]);
    const below = await ca('CN=Below', zero);
    expect(failures([await end(below), below, zero, root])).toEqual(['1:pathLength']);
    const rollover = await ca('CN=L', zero);
    expect(failures([await end(rollover), rollover, zero, root])).toEqual([]);
    expect(failures([below, zero, root])).toEqual([]); // as the target it is no longer counted (RFC 5280 §6.1.4)
  });

  it('unknown critical extensions make certificates unusable, unknown others do not', async () => {
    const value = Uint8Array.of(5, 0);
    expect(failures([await end(root, [customExtension('1.2.3', { critical: true, value })]), root])).toEqual([
      '0:criticalExtensions',
    ]);
    expect(failures([await end(root, [customExtension('1.2.3', { critical: false, value })]), root])).toEqual([]);
  });

  it('malformed extensions fail the check that needs them and throw nothing', async () => {
    const broken = await end(root, [customExtension(OID.keyUsage, { critical: true, value: Uint8Array.of(1, 2, 3) })]);
    expect(failures([broken, root])).toEqual(['0:keyUsage']);
  });
});

describe('purposes', () => {
  it('must be allowed by the end entity and by authorities that restrict them', async () => {
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

describe('name constraints', () => {
  const uri = (value: string): GeneralName => ({ kind: 'uniformResourceIdentifier', value });
  const dns = (value: string): GeneralName => ({ kind: 'dNSName', value });
  const mail = (value: string): GeneralName => ({ kind: 'rfc822Name', value });
  const network = (...octets: number[]): GeneralName => ({ kind: 'iPAddress', octets: Uint8Array.from(octets) });
  const directory = (...parts: string[]): GeneralName => ({
    kind: 'directoryName',
    name: buildName(parts.map((part) => ({ type: part.split('=')[0] ?? '', value: part.split('=')[1] ?? '' }))),
  });

  it.each<[GeneralName, GeneralName, boolean]>([
    [dns('example.com'), dns('example.com'), true],
    [dns('example.com'), dns('a.b.Example.COM'), true],
    [dns('example.com'), dns('badexample.com'), false],
    [dns('.example.com'), dns('example.com'), false],
    [dns('.example.com'), dns('a.example.com'), true],
    [dns('example.com'), dns('*.example.com'), true],
    [dns(''), dns('anything'), true],
    [mail('example.com'), mail('a@example.com'), true],
    [mail('example.com'), mail('a@b.example.com'), false],
    [mail('.example.com'), mail('a@b.example.com'), true],
    [mail('a@example.com'), mail('a@EXAMPLE.com'), true],
    [mail('a@example.com'), mail('A@example.com'), false],
    [mail('example.com'), mail('no mailbox'), false],
    [mail('example.com'), textOtherName(OID.smtpUtf8Mailbox, 'ü@example.com'), true],
    [mail('example.com'), textOtherName(OID.smtpUtf8Mailbox, 'ü@other.com'), false],
    [uri('example.com'), uri('https://user@example.com:8443/x'), true],
    [uri('example.com'), uri('https://a.example.com/x'), false],
    [uri('.example.com'), uri('https://a.example.com'), true],
    [uri('example.com'), uri('https://192.0.2.1/'), false],
    [uri('example.com'), uri('urn:example.com'), false],
    [network(192, 0, 2, 0, 255, 255, 255, 0), ipAddressName('192.0.2.77'), true],
    [network(192, 0, 2, 0, 255, 255, 255, 0), ipAddressName('192.0.3.77'), false],
    [network(192, 0, 2, 0, 255, 255, 255, 0), ipAddressName('::1'), false],
    [directory('C=DE', 'O=Example'), directory('C=DE', 'O=example', 'CN=x'), true],
    [directory('C=DE', 'O=Example'), directory('O=Example', 'C=DE'), false],
    [{ kind: 'registeredID', oid: '1.2' }, { kind: 'registeredID', oid: '1.2' }, false],
  ])('permitting %j: %j is allowed: %s', async (base, name, isAllowed) => {
    const constrained = await ca('CN=N', root, { extra: [nameConstraintsExtension({ permitted: [base] })] });
    const leaf = await issue({ subject: '', issuer: constrained, extensions: [subjectAltNameExtension([name], true)] });
    expect(failures([leaf, constrained, root])).toEqual(isAllowed ? [] : ['0:nameConstraints']);
  });

  it.each<[GeneralName, GeneralName, boolean]>([
    [dns('example.com'), dns('a.example.com'), false],
    [dns('secret.example.com'), dns('*.example.com'), false],
    [dns('secret.example.com'), dns('s*.example.com'), false],
    [dns('a.b.example.com'), dns('*.example.com'), true],
    [dns('.secret.example.com'), dns('*.example.com'), true],
    [dns('.example.com'), dns('*.example.com'), false],
    [dns('example.com'), dns('*.example.com'), false],
    [dns('example.com'), dns('*.com'), false],
    [dns('*.example.com'), dns('www.example.com'), true],
    [dns('example.com'), dns('example.org'), true],
    [mail('example.com'), mail('broken'), false],
    [uri('example.com'), uri('urn:x'), false],
    [{ kind: 'registeredID', oid: '1.2' }, { kind: 'registeredID', oid: '9.9'.replace('9.9', '2.9') }, false],
  ])('excluding %j: %j is allowed: %s', async (base, name, isAllowed) => {
    const constrained = await ca('CN=N', root, { extra: [nameConstraintsExtension({ excluded: [base] })] });
    const leaf = await issue({ subject: '', issuer: constrained, extensions: [subjectAltNameExtension([name], true)] });
    expect(failures([leaf, constrained, root])).toEqual(isAllowed ? [] : ['0:nameConstraints']);
  });

  it('of each authority narrow those above, and hold for subject and its e-mail address', async () => {
    const first = await ca('O=E,CN=N', root, {
      extra: [nameConstraintsExtension({ permitted: [dns('example.com'), mail('example.com')] })],
    });
    const second = await ca('CN=M', first, {
      extra: [nameConstraintsExtension({ permitted: [dns('a.example.com')] })],
    });
    const chain = async (subject: string, ...names: GeneralName[]) => {
      const extensions = names.length === 0 ? [] : [subjectAltNameExtension(names)];
      return [await issue({ subject, issuer: second, extensions }), second, first, root];
    };
    expect(failures(await chain('CN=x', dns('b.a.example.com')))).toEqual([]);
    expect(failures(await chain('CN=x', dns('b.example.com')))).toEqual(['0:nameConstraints']);
    expect(failures(await chain('CN=x,EMAIL=a@example.com'))).toEqual([]);
    expect(failures(await chain('CN=x,EMAIL=a@other.com'))).toEqual(['0:nameConstraints']);
  });

  it('do not hold for self-issued authorities in between, but for a self-issued end', async () => {
    const constrained = await ca('CN=N', root, {
      extra: [nameConstraintsExtension({ permitted: [directory('CN=Good')] })],
    });
    const rollover = await ca('CN=N', constrained);
    const good = await end(rollover, [], 'CN=Good');
    expect(failures([good, rollover, constrained, root])).toEqual([]);
    expect(failures([rollover, constrained, root])).toEqual(['0:nameConstraints']);
  });

  it('that are empty make what is below unusable', async () => {
    const empty = await ca('CN=N', root, {
      extra: [customExtension(OID.nameConstraints, { critical: true, value: Uint8Array.of(0x30, 0) })],
    });
    expect(failures([await end(empty), empty, root])).toEqual(['1:nameConstraints']);
  });

  it('of many names and subtrees are looked up, not compared each with each', async () => {
    const deep = (last: string) => directory(...Array.from({ length: 17 }, (_, index) => `OU=é${index}`), `CN=${last}`);
    const many = (prefix: string) => Array.from({ length: 900 }, (_, index) => deep(`${prefix}${index}`));
    const constrained = await ca('CN=N', root, {
      extra: [nameConstraintsExtension({ permitted: [directory('CN=end'), ...many('x'), directory('OU=é0')] })],
    });
    const leaf = await end(constrained, [subjectAltNameExtension(many('y'))]);
    const work = createPathWork(createBudget(), nodeCrypto.verify);
    expect(failures([leaf, constrained, root], { work })).toEqual([]);
    expect(work.budget.spent).toBeLessThan(400_000); // 14 million RDNs, if each were compared with each
  });

  it('that cost more than one path may are refused', async () => {
    const networks = (count: number, length: number) =>
      Array.from({ length: count }, (_, index): GeneralName => {
        const octets = new Uint8Array(length).fill(255);
        if (length === 16) octets[0] = 0; // in none of the networks
        octets.set([index & 255, index >> 8], length - 2);
        return { kind: 'iPAddress', octets };
      });
    const constrained = await ca('CN=N', root, {
      extra: [nameConstraintsExtension({ excluded: networks(4000, 32) })],
    });
    const leaf = await end(constrained, [subjectAltNameExtension(networks(8000, 16))]);
    const before = process.cpuUsage();
    const message = validate([leaf, constrained, root]).certificates[0]?.checks.nameConstraints.message;
    expect(message).toMatch(/more work/);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2); // some 0.3 s, on a busy machine
  });
});

describe('algorithms', () => {
  it('of long ago do not protect a certificate, unless they are asked for; an anchor needs no protection', async () => {
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

  it('do not describe a curve in place of naming it', async () => {
    const explicit = parseCertificate(withExplicitCurve((await end(root)).certificate));
    const { checks } = validatePath([explicit, root.certificate], options).certificates[0] ?? {};
    expect(checks?.algorithms).toMatchObject({ status: 'failed', message: expect.stringContaining('RFC 5480') });
  });
});

/**
 * The certificate with a SEQUENCE where its key names the curve; the signature no longer fits, which is not looked at.
 */
function withExplicitCurve(certificate: Certificate): Uint8Array {
  const curve = encodeDer(oidPart(OID.secp256r1));
  const hex = certificate.der.toHex();
  return fromHex(hex.replace(curve.toHex(), `30${curve.toHex().slice(2)}`));
}

describe('authorities without a name', () => {
  it('are refused', async () => {
    const nameless = await ca('', root);
    expect(failures([await end(nameless), nameless, root])).toEqual(['1:nameChaining']);
    expect(failures([nameless, root])).toEqual(['0:nameChaining']);
  });
});

describe('a target that is to issue', () => {
  it('is held to path length and key usage, which spare other targets', async () => {
    const narrow = await ca('CN=L', root, { extensions: [basicConstraintsExtension({ ca: true, pathLength: 0 })] });
    const below = await ca('CN=Below', narrow);
    expect(failures([below, narrow, root])).toEqual([]);
    expect(failures([below, narrow, root], { targetIssues: true })).toEqual(['0:pathLength']);
    const { message } =
      validate([below, narrow, root], { targetIssues: true }).certificates[0]?.checks.pathLength ?? {};
    expect(message).toMatch(/"CN=L" allows 0 authorities/);
    const mute = await ca('CN=Mute', root, {
      extensions: [basicConstraintsExtension({ ca: true }), keyUsageExtension(['cRLSign'])],
    });
    expect(failures([mute, root], { targetIssues: true })).toEqual(['0:keyUsage']);
  });
});

describe('policies', () => {
  const policies = (...oids: string[]): ExtensionInput => certificatePoliciesExtension(oids.map((oid) => ({ oid })));
  const mapping = (from: string, to: string): ExtensionInput => ({
    oid: OID.policyMappings,
    critical: true,
    part: sequence([sequence([oidPart(from), oidPart(to)])]),
  });
  const path = async (middle: readonly ExtensionInput[], leaf: readonly ExtensionInput[]) => {
    const issuer = await ca('CN=P', root, { extra: middle });
    return [await end(issuer, leaf), issuer, root];
  };

  it('are what all certificates share', async () => {
    expect(validate(await path([policies('1.2.1', '1.2.2')], [policies('1.2.2', '1.2.3')])).policies).toEqual([
      '1.2.2',
    ]);
    expect(validate(await path([policies(OID.anyPolicy)], [policies('1.2.3')])).policies).toEqual(['1.2.3']);
    expect(validate(await path([], [policies('1.2.3')])).policies).toEqual([]);
  });

  it('must be one that is accepted, once a policy is required', async () => {
    const chain = await path([policies('1.2.1')], [policies('1.2.1')]);
    expect(failures(chain, { acceptedPolicies: ['1.2.1'], requireExplicitPolicy: true })).toEqual([]);
    expect(failures(chain, { acceptedPolicies: ['1.2.2'], requireExplicitPolicy: true })).toEqual(['0:policies']);
    expect(failures(chain, { acceptedPolicies: ['1.2.2'] })).toEqual([]);
    expect(failures(await path([], []), { requireExplicitPolicy: true })).toEqual(['0:policies', '1:policies']);
    const demanding = await path([policies('1.2.1'), policyConstraintsExtension({ requireExplicitPolicy: 0 })], []);
    expect(failures(demanding)).toEqual(['0:policies']);
  });

  it('map from one domain to another unless that is inhibited', async () => {
    const chain = await path([policies('1.2.1'), mapping('1.2.1', '1.2.9')], [policies('1.2.9')]);
    expect(validate(chain, { requireExplicitPolicy: true }).policies).toEqual(['1.2.1']);
    expect(failures(chain, { requireExplicitPolicy: true, inhibitPolicyMapping: true })).toEqual(['0:policies']);
    expect(failures(await path([policies('1.2.1'), mapping(OID.anyPolicy, '1.2.9')], []))).toEqual(['1:policies']);
  });

  it('any policy stops counting where it is inhibited', async () => {
    const extensions = [policies('1.2.1'), inhibitAnyPolicyExtension(0)];
    expect(validate(await path(extensions, [policies(OID.anyPolicy)])).policies).toEqual([]);
    expect(validate(await path([policies('1.2.1')], [policies(OID.anyPolicy)])).policies).toEqual(['1.2.1']);
  });

  it('do not grow exponentially with hostile mappings', async () => {
    const all = Array.from({ length: 30 }, (_, index) => `1.2.${index}`);
    const everything: ExtensionInput = {
      oid: OID.policyMappings,
      critical: false,
      part: sequence(all.flatMap((from) => all.map((to) => sequence([oidPart(from), oidPart(to)])))),
    };
    const chain = [root];
    for (let level = 0; level < 12; level++) {
      chain.unshift(await ca(`CN=L${level}`, chain[0] as TestEntity, { extra: [policies(...all), everything] }));
    }
    const started = performance.now();
    expect(validate(chain).isValid).toBe(true);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('bounds', () => {
  it('refuses an empty and an endless chain', () => {
    expect(() => validatePath([], options)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    const endless = Array.from({ length: 33 }, () => root.certificate);
    expect(() => validatePath(endless, options)).toThrow(expect.objectContaining({ code: 'bound-exceeded' }));
  });
});
