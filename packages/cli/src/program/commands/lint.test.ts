// Lint rules applied to files, without a platform.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePem, writePemChain, writePkcs7 } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeAuthority } from '../testing/fake-authority.ts';
import { run, temporaryFolder } from '../testing/fake-platform.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return name;
};
const lint = (...args: readonly string[]) => run(['lint', ...args], { cwd: folder });
const authority = await createFakeAuthority();
const { certificate } = await authority.issueForServer([{ kind: 'dNSName', value: 'www.example.com' }]);
const underscored = await authority.issueForServer([{ kind: 'dNSName', value: 'a..example.com' }]);
const [good = new Uint8Array(), bad = new Uint8Array()] = [certificate, underscored.certificate];

describe('lint', () => {
  it('reads PEM, DER, PKCS #7 and public keys, and checks certificates against their issuer', async () => {
    const key = await generateKeyPair('P-256');
    const names = [
      file('chain.pem', writePemChain([good, authority.root])),
      file('leaf.der', good),
      file('both.p7b', writePkcs7([good, authority.root])),
      file('key.pem', writePem('PUBLIC KEY', key.spki)),
    ];
    const { out, code } = await lint(...names, '--json');
    const report = JSON.parse(out);
    expect(report.objects.map(({ file: name, kind }: { file: string; kind: string }) => [name, kind])).toEqual([
      ['chain.pem', 'certificate'],
      ['chain.pem', 'certificate'],
      ['leaf.der', 'certificate'],
      ['both.p7b', 'certificate'],
      ['both.p7b', 'certificate'],
      ['key.pem', 'key'],
    ]);
    expect(code).toBe(report.errors === 0 ? 0 : 1);
  });

  it('shows each problem with its field, clause and remedy, with errors first', async () => {
    const { code, out, err } = await lint(file('bad.pem', writePem('CERTIFICATE', bad)));
    expect(code).toBe(1);
    expect(out).toMatch(/^Severity +Rule +Field +Source$/m);
    expect(out).toMatch(
      /^error +san-dns-syntax +extensions\.subjectAltName: a\.\.example\.com +RFC 5280 §4\.2\.1\.6; RFC 1034/m,
    );
    expect(out).toContain(
      'san-dns-syntax: The alternative name "a..example.com" is not a host name. Use letters, digits and hyphens',
    );
    expect(out.indexOf('\nerror')).toBeLessThan(out.indexOf('\nnotice'));
    expect(err).toMatch(/^\d+ errors?, \d+ warnings? and \d+ notices? in 1 object\.$/);
  });

  it('applies only the rules of the requested groups', async () => {
    const { code, out } = await lint(
      file('bad.pem', writePem('CERTIFICATE', bad)),
      '--groups',
      'apple,post-quantum',
      '--json',
    );
    const sets = JSON.parse(out).objects[0].findings.map(({ set }: { set: string }) => set);
    expect([code, new Set(sets)]).toEqual([0, new Set(['post-quantum'])]);
  });

  it('counts an unreadable file as an error, and rejects a missing file', async () => {
    const unreadable = await lint(file('noise.der', 'no certificate'));
    expect([unreadable.code, unreadable.out]).toEqual([1, expect.stringContaining('noise.der: unreadable: ')]);
    expect(await lint('absent.pem')).toMatchObject({ code: 2, err: expect.stringContaining('absent.pem') });
    expect(await lint(file('leaf.der', good), '--groups', 'aple')).toMatchObject({
      code: 2,
      err: expect.stringContaining('unknown group "aple"'),
    });
  });
});
