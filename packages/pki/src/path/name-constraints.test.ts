import { beforeAll, describe, expect, it } from 'vitest';
import { customExtension, nameConstraintsExtension, subjectAltNameExtension } from '../x509/extension-parts.ts';
import { buildName } from '../names.ts';
import { ca, end, failures, validate } from '../testing/paths.ts';
import { createBudget } from './budget.ts';
import { createPathWork } from './work.ts';
import { ipAddressName, textOtherName, type GeneralName } from '../x509/general-names.ts';
import { issue, type TestEntity } from '../testing/authority.ts';
import { nodeCrypto } from '../node/index.ts';
import { OID } from '../oids.ts';

let root: TestEntity;
beforeAll(async () => {
  root = await issue({ subject: 'CN=Root' });
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
    [uri('.example.com'), uri('https://a.example.com./x'), true],
    [uri('.good.example'), uri('https://evil.test\\.good.example/'), false],
    [uri('.good.example'), uri('https://evil.test\\@a.good.example/'), false],
    [uri('.good.example'), uri('https://evil.test%2f.good.example/'), false],
    [uri('.good.example'), uri('https://evil.test .good.example/'), false],
    [network(192, 0, 2, 0, 255, 255, 255, 0), ipAddressName('192.0.2.77'), true],
    [network(192, 0, 2, 0, 255, 255, 255, 0), ipAddressName('192.0.3.77'), false],
    [network(192, 0, 2, 0, 255, 255, 255, 0), ipAddressName('::1'), false],
    [directory('C=DE', 'O=Example'), directory('C=DE', 'O=example', 'CN=x'), true],
    [directory('C=DE', 'O=Example'), directory('O=Example', 'C=DE'), false],
    [{ kind: 'registeredID', oid: '1.2' }, { kind: 'registeredID', oid: '1.2' }, false],
  ])('that permit %j: name %j is allowed: %s', async (base, name, isAllowed) => {
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
    [uri('example.com'), uri('https://example.com./'), false],
    [uri('example.com'), uri('https://example.com\\.good.example/'), false],
    [{ kind: 'registeredID', oid: '1.2' }, { kind: 'registeredID', oid: '9.9'.replace('9.9', '2.9') }, false],
  ])('that exclude %j: name %j is allowed: %s', async (base, name, isAllowed) => {
    const constrained = await ca('CN=N', root, { extra: [nameConstraintsExtension({ excluded: [base] })] });
    const leaf = await issue({ subject: '', issuer: constrained, extensions: [subjectAltNameExtension([name], true)] });
    expect(failures([leaf, constrained, root])).toEqual(isAllowed ? [] : ['0:nameConstraints']);
  });

  it('of each CA restrict those of the CAs above it, and apply to the subject and its email address', async () => {
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

  it('do not apply to self-issued intermediates, but do apply to a self-issued target', async () => {
    const constrained = await ca('CN=N', root, {
      extra: [nameConstraintsExtension({ permitted: [directory('CN=Good')] })],
    });
    const rollover = await ca('CN=N', constrained);
    const good = await end(rollover, [], 'CN=Good');
    expect(failures([good, rollover, constrained, root])).toEqual([]);
    expect(failures([rollover, constrained, root])).toEqual(['0:nameConstraints']);
  });

  it('invalidate every certificate below if they are empty', async () => {
    const empty = await ca('CN=N', root, {
      extra: [customExtension(OID.nameConstraints, { critical: true, value: Uint8Array.of(0x30, 0) })],
    });
    expect(failures([await end(empty), empty, root])).toEqual(['1:nameConstraints']);
  });

  it('are checked with lookups instead of pairwise comparison if there are many names and subtrees', async () => {
    const deep = (last: string) => directory(...Array.from({ length: 17 }, (_, index) => `OU=é${index}`), `CN=${last}`);
    const many = (prefix: string) => Array.from({ length: 900 }, (_, index) => deep(`${prefix}${index}`));
    const constrained = await ca('CN=N', root, {
      extra: [nameConstraintsExtension({ permitted: [directory('CN=end'), ...many('x'), directory('OU=é0')] })],
    });
    const leaf = await end(constrained, [subjectAltNameExtension(many('y'))]);
    const work = createPathWork(createBudget(), nodeCrypto.verify);
    expect(failures([leaf, constrained, root], { work })).toEqual([]);
    expect(work.budget.spent).toBeLessThan(400_000); // 14 million RDNs with pairwise comparison.
  });

  it('are rejected if they exceed the budget for a path', async () => {
    const networks = (count: number, length: number) =>
      Array.from({ length: count }, (_, index): GeneralName => {
        const octets = new Uint8Array(length).fill(255);
        if (length === 16) octets[0] = 0; // In none of the networks.
        octets.set([index & 255, index >> 8], length - 2);
        return { kind: 'iPAddress', octets };
      });
    const constrained = await ca('CN=N', root, {
      extra: [nameConstraintsExtension({ excluded: networks(4000, 32) })],
    });
    const leaf = await end(constrained, [subjectAltNameExtension(networks(8000, 16))]);
    const before = process.cpuUsage();
    const message = validate([leaf, constrained, root]).certificates[0]?.checks.nameConstraints.message;
    expect(message).toMatch(/exceeds the work limit/);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2); // About 0.3 s, on a busy machine.
  });
});
