import { describe, expect, it } from 'vitest';
import { ipAddressName, type GeneralName } from '../x509/general-names.ts';
import { issue } from '../testing/authority.ts';
import { matchesHost } from './host-names.ts';
import { subjectAltNameExtension } from '../x509/extension-parts.ts';

const dns = (value: string): GeneralName => ({ kind: 'dNSName', value });

async function certificateOf(names: readonly GeneralName[], subject = 'CN=cn.example.com') {
  const extensions = names.length === 0 ? [] : [subjectAltNameExtension(names)];
  return (await issue({ subject, extensions })).certificate;
}

describe('matching a certificate to a host (RFC 9525)', () => {
  it.each([
    ['www.example.com', 'www.example.com', true],
    ['www.example.com', 'WWW.Example.COM.', true],
    ['WWW.Example.com', 'www.example.com', true],
    ['example.com', 'www.example.com', false],
    ['www.example.com', 'example.com', false],
    ['localhost', 'localhost', true],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example', true],
    ['xn--mnchen-3ya.example', 'münchen.example', false],
    ['my_host.example.com', 'my_host.example.com', true],
    ['*.example.com', 'www.example.com', true],
    ['*.example.com', 'xn--mnchen-3ya.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'a.b.example.com', false],
    ['*.example.com', '*.example.com', false],
    ['*.b.example.com', 'a.b.example.com', true],
    ['a.*.example.com', 'a.b.example.com', false],
    ['w*.example.com', 'www.example.com', false],
    ['*w.example.com', 'www.example.com', false],
    ['*.com', 'example.com', false],
    ['*', 'localhost', false],
    ['*.', 'localhost', false],
    ['*.*.example.com', 'a.b.example.com', false],
    ['', '', false],
    ['.example.com', 'www.example.com', false],
    ['www..example.com', 'www..example.com', false],
    ['192.0.2.1', '192.0.2.1', false],
    ['*.0.2.1', '192.0.2.1', false],
    ['1.2.3', '1.2.3', false],
    ['www.example.com\0.evil.test', 'www.example.com', false],
  ])('name %j, host %j: %s', async (name, host, expected) => {
    expect(matchesHost(await certificateOf([dns(name)]), host)).toBe(expected);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', true],
    ['2001:db8::1', '[2001:db8::1]', true],
    ['::ffff:192.0.2.1', '192.0.2.1', false],
    ['192.0.2.1', '192.0.2.01', false],
    ['192.0.2.1', '3221225985', false],
  ])('IP address %s, host %s: %s', async (address, host, expected) => {
    expect(matchesHost(await certificateOf([ipAddressName(address)]), host)).toBe(expected);
  });

  it('accepts any of multiple names', async () => {
    const certificate = await certificateOf([dns('a.test'), ipAddressName('192.0.2.1'), dns('b.test')]);
    expect(['b.test', '192.0.2.1', 'c.test'].map((host) => matchesHost(certificate, host))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('ignores the common name, and names of other types', async () => {
    expect(matchesHost(await certificateOf([]), 'cn.example.com')).toBe(false);
    const uri: GeneralName = { kind: 'uniformResourceIdentifier', value: 'https://www.example.com/' };
    const mail: GeneralName = { kind: 'rfc822Name', value: 'a@www.example.com' };
    expect(matchesHost(await certificateOf([uri, mail]), 'www.example.com')).toBe(false);
  });
});
