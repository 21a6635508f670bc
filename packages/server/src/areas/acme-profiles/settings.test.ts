import { describe, expect, it } from 'vitest';
import { portOf, problemsOfSettings, resolverOf } from './settings.ts';

const settings = {
  dnsResolverIp: '',
  dnsResolverPort: '53',
  retryInterval: 30,
  validity: 36_000,
  requireContact: false,
  requireTermsOfService: false,
  issueCertificateAttributes: [],
  revokeCertificateAttributes: [],
};

const offer = (name: string) => ({ name, description: 'For tests', raProfileUuid: 'any' });

describe('the settings of an ACME profile', () => {
  it('are valid if they are the defaults or zeros', () => {
    expect(problemsOfSettings(settings)).toEqual([]);
    expect(problemsOfSettings({ ...settings, retryInterval: 0, validity: 0, authorizationReuse: 0 })).toEqual([]);
  });

  it.each([
    ['retryInterval', -1],
    ['validity', -1],
    ['authorizationReuse', -1],
    ['dnsResolverIp', 'dns.example'],
    ['dnsResolverIp', '1.2.3'],
    ['dnsResolverIp', '[::1]'],
    ['dnsResolverPort', '0'],
    ['dnsResolverPort', '65536'],
    ['dnsResolverPort', '53a'],
    ['dnsResolverPort', '-1'],
    ['termsOfServiceUrl', 'ftp://example.org'],
    ['websiteUrl', 'example.org'],
    ['termsOfServiceChangeUrl', 'javascript:alert(1)'],
    ['termsOfServiceUrl', 'https://example.org/>; rel="up"'],
    ['websiteUrl', 'https://example.org/a\r\nSet-Cookie: x'],
    ['websiteUrl', 'https://'],
    ['caaIdentities', ['ca.example', 'not a name']],
    ['caaIdentities', ['-ca.example']],
    ['caaIdentities', ['ca..example']],
    ['namePolicy', { allowedDnsSuffixes: ['example.com', 'not a name'] }],
    ['namePolicy', { deniedDnsSuffixes: ['*'] }],
    ['offeredProfiles', [offer('short lived')]],
    ['offeredProfiles', [offer('__proto__')]],
    ['offeredProfiles', [offer('twice'), offer('twice')]],
    ['offeredProfiles', Array.from({ length: 51 }, (_, at) => offer(`p${at}`))],
    ['namePolicy', { allowedIpRanges: ['10.0.0.0/33'] }],
    ['namePolicy', { deniedIpRanges: Array.from({ length: 501 }, (_, at) => `10.0.${at >> 8}.${at & 255}`) }],
  ])('are rejected for %s %j, with an error that names the field', (field, value) => {
    expect(problemsOfSettings({ ...settings, [field]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${field}: `)),
    ]);
  });

  it('are rejected if both CAA identities and the use of the default are specified', () => {
    expect(problemsOfSettings({ ...settings, caaByDefault: true, caaIdentities: [] })).toEqual([
      'caaIdentities: must be absent if caaByDefault is true',
    ]);
    expect(problemsOfSettings({ ...settings, caaByDefault: false, caaIdentities: [] })).toEqual([]);
  });

  it('are rejected with all problems in one error', () => {
    expect(problemsOfSettings({ ...settings, retryInterval: -1, validity: -1, websiteUrl: 'x' })).toHaveLength(3);
  });

  it('can contain IPv4 and IPv6 addresses, URLs and CAA names', () => {
    expect(
      problemsOfSettings({
        ...settings,
        dnsResolverIp: '2001:db8::1',
        dnsResolverPort: '5353',
        termsOfServiceUrl: 'https://example.org/terms?v=2#top',
        websiteUrl: 'http://[2001:db8::1]:8080/~pki/%20',
        caaIdentities: ['ca.example', 'CA-1.example'],
      }),
    ).toEqual([]);
  });

  it("use the system resolver if the field is empty or contains that resolver's name", () => {
    expect([resolverOf(''), resolverOf('System Default'), resolverOf('192.0.2.1')]).toEqual([null, null, '192.0.2.1']);
    expect([portOf(''), portOf('5353')]).toEqual([53, 5353]);
  });
});
