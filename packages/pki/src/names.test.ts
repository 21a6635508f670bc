import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  attributeValues,
  buildName,
  commonName,
  equalNames,
  formatName,
  normalizeName,
  parseName,
  type NameCodes,
} from './names.ts';
import { bmpString, rawName } from './testing/raw-names.ts';
import { encodeDer, oidPart, printableStringPart, sequence, setOf, utf8StringPart } from './der/writer.ts';
import { formatNameRfc4514, parseNameText } from './name-text.ts';
import { OID } from './oids.ts';
import { TAG } from './der/tags.ts';

const name = buildName([
  { type: 'C', value: 'DE' },
  { type: 'DC', value: 'example' },
  { type: 'O', value: 'Müller, Söhne' },
  [
    { type: 'CN', value: 'Anna' },
    { type: 'EMAIL', value: 'anna@example.com' },
  ],
]);

describe('name building', () => {
  it("chooses each attribute's string type according to RFC 5280 appendix A", () => {
    const types = name.rdns.flat().map(({ type, tag }) => [type, tag]);
    expect(types).toContainEqual([OID.countryName, TAG.printableString]);
    expect(types).toContainEqual([OID.domainComponent, TAG.ia5String]);
    expect(types).toContainEqual([OID.emailAddress, TAG.ia5String]);
    expect(types).toContainEqual([OID.organizationName, TAG.utf8String]);
  });

  it('accepts codes in upper or lower case, OIDs, and codes defined by the platform', () => {
    const codes: NameCodes = { byOid: new Map([['1.2.3.4', 'SHOE']]), byCode: new Map([['SHOE', '1.2.3.4']]) };
    const built = buildName(
      [
        { type: 'shoe', value: '43' },
        { type: '2.5.4.3', value: 'x' },
      ],
      codes,
    );
    expect(formatName(built, codes)).toBe('CN=x, SHOE=43');
    expect(formatName(built)).toBe('CN=x, 1.2.3.4=43');
  });

  it.each([
    [[{ type: 'NOPE', value: 'x' }], 'bad-name'],
    [[{ type: 'CN', value: '' }], 'bad-name'],
    [[[]], 'bad-name'],
    [[{ type: 'C', value: 'Ä' }], 'bad-argument'],
    [[{ type: 'DC', value: 'ä' }], 'bad-argument'],
  ])('rejects %j', (rdns, code) => {
    expect(() => buildName(rdns)).toThrow(expect.objectContaining({ code }));
  });
});

describe('the interface form of a name', () => {
  it('reverses the order, joins the parts with a comma and a space, and escapes nothing', () => {
    expect(formatName(name)).toMatch(
      /^(CN=Anna\+EMAIL=anna@example\.com|EMAIL=anna@example\.com\+CN=Anna), O=Müller, Söhne, DC=example, C=DE$/,
    );
    expect(formatName(buildName([]))).toBe('');
  });

  it('shows values that are not text as hex, and NUL as a replacement character', () => {
    const odd = parseName(rawName([[OID.commonName, Uint8Array.of(2, 1, 5)]]));
    expect(formatName(odd)).toBe('CN=#020105');
    const nul = parseName(rawName([[OID.commonName, Uint8Array.of(0x0c, 3, 0x61, 0, 0x62)]]));
    expect(formatName(nul)).toBe('CN=a\uFFFDb');
  });

  it('reads old string types, and reads malformed ones as Latin-1', () => {
    const values = [
      Uint8Array.of(0x14, 1, 0xe9),
      bmpString('€'),
      Uint8Array.of(0x0c, 2, 0xc3, 0x28),
      Uint8Array.of(0x13, 1, 0xe9),
    ];
    const odd = parseName(rawName(values.map((value) => [OID.commonName, value])));
    expect(attributeValues(odd, OID.commonName)).toEqual(['é', '€', 'Ã(', 'é']);
  });
});

describe('the normalized form of a name', () => {
  it('sorts by OID, folds case, collapses whitespace, and escapes separators', () => {
    const mixed = buildName([
      { type: 'O', value: '  Example   Inc, LTD ' },
      { type: 'CN', value: 'Straße' },
      { type: 'C', value: 'DE' },
    ]);
    expect(normalizeName(mixed)).toBe('2.5.4.10=example inc\\, ltd,2.5.4.3=strasse,2.5.4.6=de');
  });

  it('is equal for names that differ only in string type, case and spaces', () => {
    const a = buildName([{ type: 'CN', value: 'Test  CA' }]);
    const b = parseName(
      encodeDer(sequence([setOf([sequence([oidPart(OID.commonName), printableStringPart('test ca')])])])),
    );
    expect(normalizeName(a)).toBe(normalizeName(b));
    expect(equalNames(a, b)).toBe(true);
  });

  it('is different if a value only looks like a different attribute', () => {
    const a = buildName([{ type: 'CN', value: 'a,2.5.4.6=de' }]);
    const b = buildName([
      { type: 'CN', value: 'a' },
      { type: 'C', value: 'DE' },
    ]);
    expect(normalizeName(a)).not.toBe(normalizeName(b));
  });
});

describe('name comparison', () => {
  it('depends on the order of RDNs, but not on the order within an RDN', () => {
    const [a, b] = [
      { type: 'CN', value: 'a' },
      { type: 'OU', value: 'b' },
    ] as const;
    expect(equalNames(buildName([a, b]), buildName([b, a]))).toBe(false);
    expect(equalNames(buildName([[a, b]]), buildName([[b, a]]))).toBe(true);
    expect(equalNames(buildName([[a, b]]), buildName([a, b]))).toBe(false);
  });

  it('uses the most specific common name', () => {
    expect(
      commonName(
        buildName([
          { type: 'CN', value: 'first' },
          { type: 'CN', value: 'last' },
        ]),
      ),
    ).toBe('last');
    expect(commonName(buildName([{ type: 'O', value: 'x' }]))).toBeUndefined();
  });
});

describe('RFC 4514 text', () => {
  it.each([
    ['CN=www.example.com,O=Example,C=DE', 'CN=www.example.com, O=Example, C=DE'],
    ['cn = a , o = b', 'CN=a, O=b'],
    ['CN=a\\, b,O=c', 'CN=a, b, O=c'],
    ['CN=Lu\\C4\\8Di\\C4\\87', 'CN=Lučić'],
    ['CN="a, b";O=c', 'CN=a, b, O=c'],
    ['OU=Sales+CN=J. Smith,DC=example,DC=net', 'OU=Sales+CN=J. Smith, DC=example, DC=net'],
    ['1.3.6.1.4.1.1466.0=#04024869', undefined],
    ['CN=#0c0161', 'CN=a'],
    ['OID.2.5.4.3=x', 'CN=x'],
    ['CN=\\ a\\ ', 'CN= a '],
    ['CN=a\\0Ab', 'CN=a\nb'],
    ['CN=a\\=b=c', 'CN=a=b=c'],
    ['', ''],
  ])('%j is parsed as %j', (text, expected) => {
    if (expected === undefined)
      expect(() => parseNameText(text)).toThrow(/has a hexadecimal value that is not a character string/);
    else expect(formatName(buildName(parseNameText(text)))).toBe(expected);
  });

  it.each([
    'CN',
    'CN=a,',
    'CN=a,b',
    '=a',
    'FOO=a',
    'CN="a',
    'CN="a"b',
    'CN=a"b',
    'CN=a\\',
    'CN=a\\x',
    'CN=#zz',
    'CN=#30',
    'CN=\\C3',
    'CN=a\\00',
    'CN=a+',
    `CN=${'a'.repeat(20_000)}`,
  ])('%j is rejected with our own error', (text) => {
    expect(() => buildName(parseNameText(text))).toThrow(
      expect.objectContaining({ name: expect.stringMatching(/^(Pki|Der)Error$/) }),
    );
  });

  it('every name round-trips', () => {
    const value = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 12 })
      .filter((text) => text.isWellFormed() && !text.includes('\0'));
    const attribute = fc.record({ type: fc.constantFrom('CN', 'O', 'OU', 'L', '1.2.3'), value });
    fc.assert(
      fc.property(
        fc.array(fc.array(attribute, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 4 }),
        (rdns) => {
          const built = buildName(rdns);
          const again = buildName(parseNameText(formatNameRfc4514(built)));
          expect(again.der).toEqual(built.der);
        },
      ),
    );
  });

  it('separators, leading and trailing spaces, and control characters are escaped', () => {
    const odd = buildName([{ type: 'CN', value: ' a+b,"c"<d>;#\\\n ' }]);
    expect(formatNameRfc4514(odd)).toBe('CN=\\ a\\+b\\,\\"c\\"\\<d\\>\\;#\\\\\\0a\\ ');
  });
});

describe('size limits', () => {
  it('reject names with many attributes', () => {
    const one = sequence([oidPart(OID.commonName), utf8StringPart('x')]);
    const huge = encodeDer(sequence(Array.from({ length: 257 }, () => setOf([one]))));
    expect(() => parseName(huge)).toThrow(expect.objectContaining({ code: 'too-many-elements' }));
  });

  it('allow an empty RDN, which some libraries write, but not a thousand of them', () => {
    expect(parseName(Uint8Array.of(0x30, 2, 0x31, 0)).rdns).toEqual([]);
    const many = encodeDer(sequence(Array.from({ length: 1000 }, () => setOf([]))));
    expect(() => parseName(many)).toThrow(expect.objectContaining({ code: 'too-many-elements' }));
  });
});

describe('normalization of hostile names', () => {
  it('takes linear time, even for long runs of combining marks', () => {
    const cost = (length: number): number => {
      const name = buildName([{ type: 'CN', value: `a${'\u0315'.repeat(length)}${'\u0316'.repeat(length)}` }]);
      const before = process.cpuUsage();
      normalizeName(name);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1e6;
    };
    expect(cost(40_000)).toBeLessThan(1); // 7.5 s if the marks are sorted as one run.
  });
});
