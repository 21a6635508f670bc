import { describe, expect, it } from 'vitest';
import { createRequestedValidity } from './requested-validity.ts';

const now = new Date('2026-11-20T12:00:00Z');
const { read } = createRequestedValidity({ raProfiles: { certificateDefinitions: () => expect.unreachable() } });

describe('the validity requested in an order', () => {
  it('is absent if the members are missing, null or the zero value in Go', () => {
    const none = { notBefore: null, notAfter: null };
    expect(read({}, now)).toEqual(none);
    expect(read({ notBefore: null, notAfter: null }, now)).toEqual(none);
    expect(read({ notBefore: '0001-01-01T00:00:00Z', notAfter: '0001-01-01T00:00:00Z' }, now)).toEqual(none);
  });

  it('is parsed according to RFC 3339, in any time zone', () => {
    expect(read({ notBefore: '2026-11-20T13:00:00Z', notAfter: '2026-12-20T14:00:00.5+02:00' }, now)).toEqual({
      notBefore: new Date('2026-11-20T13:00:00Z'),
      notAfter: new Date('2026-12-20T12:00:00.500Z'),
    });
  });

  it.each([
    [{ notAfter: '2026-11-20T12:00:00Z' }, '"notAfter" must be in the future.'],
    [{ notBefore: '2027-01-02T00:00:00Z', notAfter: '2027-01-02T00:00:00Z' }, '"notBefore" must be before "notAfter"'],
    [{ notAfter: '2027-01-02' }, '"notAfter" must be an RFC 3339 timestamp'],
    [{ notAfter: '2027-13-02T00:00:00Z' }, '"notAfter" must be an RFC 3339 timestamp'],
    [{ notBefore: 1_800_000_000 }, '"notBefore" must be an RFC 3339 timestamp'],
  ])('is rejected if it is %j', (request, message) => {
    expect(() => read(request, now)).toThrow(message);
  });
});
