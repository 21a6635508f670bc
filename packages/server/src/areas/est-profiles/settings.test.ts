import { EstProfileEditRequestDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { estUrl } from './protocol.ts';
import { estSettings, problemsOfSettings } from './settings.ts';

const settings = (facts: object = {}): EstProfileEditRequestDto => EstProfileEditRequestDto.parse(facts);
const RANGE = 'retryAfter: must be between 1 and 86400 seconds';
const KEYS = 'serverKeys: generated keys are not stored, so requests cannot wait for approval; turn manualApproval off';

describe('the settings of an EST profile', () => {
  it.each([
    ['the defaults', {}],
    ['a second to wait', { retryAfter: 1 }],
    ['a day to wait', { retryAfter: 86_400 }],
    ['keys of the server', { serverKeys: true }],
    ['a person who decides', { manualApproval: true }],
  ])('can be %s', (_what, facts) => {
    expect(problemsOfSettings(settings(facts))).toEqual([]);
  });

  it.each([
    ['no time to wait', { retryAfter: 0 }, [RANGE]],
    ['a time before now', { retryAfter: -1 }, [RANGE]],
    ['more than a day to wait', { retryAfter: 86_401 }, [RANGE]],
    ['keys of the server for requests that wait for a person', { serverKeys: true, manualApproval: true }, [KEYS]],
    [
      'several of them together',
      { retryAfter: 0, serverKeys: true, manualApproval: true, requestedAttributes: { attributes: ['x'] } },
      [RANGE, KEYS, 'requestedAttributes: "x" is not an object identifier in dotted-decimal notation'],
    ],
  ])('cannot be %s', (_what, facts, problems) => {
    expect(problemsOfSettings(settings(facts))).toEqual(problems);
  });

  it("accept certificates from the profile's authority and one-time passwords by default, but no renewal by password", () => {
    expect(estSettings.columns(settings(), estSettings.initial)).toEqual({
      description: null,
      is_default: false,
      own_certificates: true,
      trusted_certificate_uuids: [],
      one_time_passwords: true,
      passwords_renew: false,
      renewals_keep_names: true,
      bind_names: true,
      require_linking: false,
      requested_attributes: {},
      manual_approval: false,
      server_keys: false,
      retry_after_s: 60,
    });
  });

  it('are stored without duplicates or plain-text passwords', () => {
    const uuid = '00000000-0000-7000-8000-00000000ABCD';
    const columns = estSettings.columns(
      settings({
        trustedCertificateUuids: [uuid, uuid.toLowerCase()],
        users: [{ username: 'door', password: 'canary of the door' }],
        description: '',
      }),
      estSettings.initial,
    );
    expect(columns).toMatchObject({
      trusted_certificate_uuids: [uuid.toLowerCase()],
      description: null,
    });
    expect(JSON.stringify(columns)).not.toContain('canary');
  });
});

describe('the client URL', () => {
  it.each([
    ['profile', 'devices', 'https://pki.test/.well-known/est/devices'],
    ['profile', 'a b', 'https://pki.test/.well-known/est/a%20b'],
    ['raProfile', 'ra/1', 'https://pki.test/api/v1/protocols/est/raProfile/ra%2F1'],
  ] as const)('of the %s %s is %s', (family, name, url) => {
    expect(estUrl('https://pki.test', { family, name })).toBe(url);
  });
});
