import { describe, expect, it } from 'vitest';
import { scepUrl } from './scep-url.ts';

describe('the SCEP URL', () => {
  it.each([
    ['profile', 'routers', 'https://pki.test/api/v1/protocols/scep/routers/pkiclient.exe'],
    ['raProfile', 'devices', 'https://pki.test/api/v1/protocols/scep/raProfile/devices/pkiclient.exe'],
    ['raProfile', 'a/../b c', 'https://pki.test/api/v1/protocols/scep/raProfile/a%2F..%2Fb%20c/pkiclient.exe'],
  ] as const)('of the %s %s ends as clients expect', (family, name, url) => {
    expect(scepUrl('https://pki.test', { family, name })).toBe(url);
  });
});
