import { CSR_ATTRIBUTES, type RequestAttributeDto } from '@signetry/contract';
import { extensionValue, formatName, parseName, readAltNames, formatGeneralName, type Name } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { requestedNames } from './csr-attributes.ts';

type Key = keyof typeof CSR_ATTRIBUTES;

const values = (texts: Partial<Record<Key, readonly string[]>>): RequestAttributeDto[] =>
  // Keys of the object itself.
  (Object.entries(texts) as [Key, readonly string[]][]).map(([key, each]) => ({
    ...CSR_ATTRIBUTES[key],
    contentType: 'string',
    content: each.map((data) => ({ data })),
  }));

const read = (texts: Partial<Record<Key, readonly string[]>>) => {
  const { subject, extensions } = requestedNames(values(texts));
  const names = extensions.flatMap((extension) => readAltNames(extensionValue(extension)).map(formatGeneralName));
  return { subject: formatName(subject instanceof Uint8Array ? parseName(subject) : (subject as Name)), names };
};

describe('the names in a request', () => {
  it('contain the subject in the order of the form, with the country first in the encoding', () => {
    const { subject } = read({
      country: ['DE'],
      commonName: ['app.example'],
      organization: ['Example, Inc. + "Söhne"'],
      organizationalUnit: ['IT'],
      locality: ['Köln'],
      state: ['NRW'],
    });
    expect(subject).toBe('CN=app.example, OU=IT, O=Example, Inc. + "Söhne", L=Köln, ST=NRW, C=DE');
  });

  it('include every kind of SAN', () => {
    const { names } = read({
      commonName: ['app.example'],
      dnsNames: ['app.example', '*.app.example'],
      ipAddresses: ['192.0.2.1', '2001:db8::1'],
      emailAddresses: ['me@app.example'],
      uris: ['urn:app'],
    });
    expect(names).toEqual(['app.example', '*.app.example', '192.0.2.1', '2001:db8::1', 'me@app.example', 'urn:app']);
  });

  it('omit empty fields', () => {
    expect(read({ commonName: [' app.example '], organization: [' '], dnsNames: [] })).toEqual({
      subject: 'CN=app.example',
      names: [],
    });
  });

  it.each([
    [{}, 'Common Name'],
    [{ commonName: ['x'.repeat(65)] }, 'must not be longer than 64 characters'],
    [{ commonName: ['x'], country: ['de'] }, 'must be a two-letter uppercase ISO 3166 code'],
    [{ commonName: ['x', 'y'] }, 'accepts one value; 2 were sent'],
    [{ commonName: ['x'], ipAddresses: ['none'] }, '"none" is not an IP address'],
    [{ commonName: ['x'], dnsNames: ['bü cher.example'] }, 'csrAttributes: '],
  ])('are rejected: %j', (texts, message) => {
    expect(() => read(texts)).toThrow(message);
  });
});
