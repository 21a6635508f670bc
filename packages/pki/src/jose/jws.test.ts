import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { base64url, joseKey, signJws } from './testing/jose-keys.ts';
import { expectOwnErrors } from '../testing/arbitraries.ts';
import { parseJws } from './jws.ts';

const by = joseKey('P-256');
const header = { alg: 'ES256', kid: 'https://ca.example/acct/1', nonce: 'bm9uY2U', url: 'https://ca.example/order/1' };
const good = signJws(by, { header, payload: '{"a":1}' });
const withHeader = (members: object): object => ({ ...good, protected: base64url(JSON.stringify(members)) });
const malformed = expect.objectContaining({ name: 'JoseError', reason: 'malformed' }) as Error;

describe('a flattened JWS', () => {
  it('is split into its parts', () => {
    const jws = parseJws(good);
    expect(jws.header).toEqual(header);
    expect(Buffer.from(jws.payload).toString()).toBe('{"a":1}');
    expect(Buffer.from(jws.signingInput).toString()).toBe(`${good.protected}.${good.payload}`);
    expect(jws.signature).toHaveLength(64);
  });

  it('can contain a POST-as-GET, as distinct from an empty object', () => {
    expect(parseJws({ ...good, payload: '' }).payload).toHaveLength(0);
    expect(Buffer.from(parseJws({ ...good, payload: 'e30' }).payload).toString()).toBe('{}');
  });

  it('can have additional members, and additional header parameters', () => {
    expect(parseJws({ ...good, resource: 'new-order' })).toEqual(parseJws(good));
    const { header: read } = parseJws(
      withHeader({ ...header, typ: 'JOSE', jku: 'http://169.254.169.254/', x5c: ['!'] }),
    );
    expect(read).toEqual(header);
  });

  it('can have whitespace in its header, which some clients send', () => {
    expect(parseJws({ ...good, protected: base64url(JSON.stringify(header, undefined, 2)) }).header).toEqual(header);
  });

  it('can have a header of up to 16 KiB', () => {
    const padded = (length: number): object => {
      const empty = JSON.stringify({ ...header, x5c: '' }).length;
      return withHeader({ ...header, x5c: 'A'.repeat(length - empty) });
    };
    expect(parseJws(padded(16_384)).header).toEqual(header);
    expect(() => parseJws(padded(16_385))).toThrow(malformed);
    expect(() => parseJws(padded(1_000_000))).toThrow(malformed);
  });
});

describe('the JWS parser', () => {
  const { protected: protectedHeader, payload, signature } = good;
  const jwk = by.publicJwk;

  it.each<[string, unknown]>([
    ['no object', 'eyJhbGciOiJub25lIn0..'],
    ['an array', [good]],
    ['the general form', { payload, signatures: [{ protected: protectedHeader, signature }] }],
    ['the general form beside the flattened one', { ...good, signatures: [{ protected: protectedHeader, signature }] }],
    ['an empty list of signatures', { ...good, signatures: [] }],
    ['an unprotected header', { ...good, header: { kid: 'x' } }],
    ['an empty unprotected header', { ...good, header: {} }],
    ['an unprotected header that is null', { ...good, header: null }],
    ['only an unprotected header', { payload, signature, header: { alg: 'ES256' } }],
    ['no protected header', { payload, signature }],
    ['an empty protected header', { ...good, protected: '' }],
    ['no payload', { protected: protectedHeader, signature }],
    ['a payload that is an object', { ...good, payload: { a: 1 } }],
    ['no signature', { protected: protectedHeader, payload }],
    ['a signature that is null', { ...good, signature: null }],
    ['a padded header', { ...good, protected: `${base64url('{"alg":"x"}')}=` }],
    ['a padded payload', { ...good, payload: 'e30=' }],
    ['a padded signature', { ...good, signature: `${signature}==` }],
    ['plain base64', { ...good, payload: 'a+b/' }],
    ['a line break', { ...good, payload: 'e30\n' }],
    ['stray bits in the signature', { ...good, signature: `${signature.slice(0, -1)}_` }],
    ['a header that is no UTF-8', { ...good, protected: base64url(Buffer.of(0x7b, 0xff, 0x7d)) }],
    ['a header that is no JSON', { ...good, protected: base64url('alg=ES256') }],
    ['a header that is an array', withHeader([header])],
    ['a header that is null', { ...good, protected: base64url('null') }],
    ['alg twice', { ...good, protected: base64url('{"alg":"none","alg":"ES256"}') }],
    ['a member of jwk twice', { ...good, protected: base64url('{"alg":"ES256","jwk":{"kty":"EC","kty":"RSA"}}') }],
    ['no alg', withHeader({ ...header, alg: undefined })],
    ['an alg that is no string', withHeader({ ...header, alg: ['ES256'] })],
    ['jwk and kid', withHeader({ ...header, jwk })],
    ['jwk and an empty kid', withHeader({ ...header, jwk, kid: '' })],
    ['jwk and a kid that is null', withHeader({ ...header, jwk, kid: null })],
    ['a jwk that is text', withHeader({ alg: 'ES256', jwk: JSON.stringify(jwk) })],
    ['a kid that is a number', withHeader({ ...header, kid: 1 })],
    ['a url that is a list', withHeader({ ...header, url: [header.url] })],
    ['a nonce that is a number', withHeader({ ...header, nonce: 1 })],
    ['a nonce with padding', withHeader({ ...header, nonce: 'bm9uY2U=' })],
    ['a nonce with white space', withHeader({ ...header, nonce: 'bm9u Y2U' })],
    ['critical extensions', withHeader({ ...header, crit: ['exp'], exp: 1 })],
    ['an empty list of critical extensions', withHeader({ ...header, crit: [] })],
    ['critical extensions that are null', withHeader({ ...header, crit: null })],
    ['b64 false', withHeader({ ...header, b64: false })],
    ['b64 true', withHeader({ ...header, b64: true })],
  ])('rejects a JWS with %s as malformed', (_, value) => {
    // Through JSON, as received: undefined members are absent.
    expect(() => parseJws(JSON.parse(JSON.stringify(value)))).toThrow(malformed);
  });

  it('rejects a header nested 5,000 levels deep', () => {
    const nested = `{"alg":"ES256","a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    expect(() => parseJws({ ...good, protected: base64url(nested) })).toThrow(malformed);
  });

  it('rejects all other input, using only our own errors', () => {
    const text = fc.oneof(
      fc.constantFrom('', 'e30', 'AA', 'e30=', good.protected, good.signature),
      fc.json().map(base64url),
      fc.record({ alg: fc.anything(), jwk: fc.anything(), kid: fc.anything() }).map((value) => {
        return base64url(JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? null : member)));
      }),
      fc.string(),
    );
    const value = fc.oneof(
      fc.record({ protected: text, payload: text, signature: text }),
      fc.dictionary(fc.constantFrom('protected', 'payload', 'signature', 'header', 'signatures'), fc.anything()),
      fc.anything(),
    );
    fc.assert(
      fc.property(value, (each) => expectOwnErrors(() => parseJws(each))),
      { numRuns: 3000 },
    );
  });
});
