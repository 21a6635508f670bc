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

describe('building', () => {
  it('chooses the string type of each attribute as RFC 5280 appendix A asks', () => {
    const types = name.rdns.flat().map(({ type, tag }) => [type, tag]);
    expect(types).toContainEqual([OID.countryName, TAG.printableString]);
    expect(types).toContainEqual([OID.domainComponent, TAG.ia5String]);
    expect(types).toContainEqual([OID.emailAddress, TAG.ia5String]);
    expect(types).toContainEqual([OID.organizationName, TAG.utf8String]);
  });

  it('accepts codes in any case, identifiers, and codes of a platform', () => {
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
  ])('refuses %j', (rdns, code) => {
    expect(() => buildName(rdns)).toThrow(expect.objectContaining({ code }));
  });
});

describe('interface form', () => {
  it('reverses the order, joins with a comma and a space, and escapes nothing', () => {
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

  it('reads the old string types, and malformed ones as Latin-1', () => {
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

describe('normalized form', () => {
  it('sorts by identifier, folds case, collapses white space, and escapes separators', () => {
    const mixed = buildName([
      { type: 'O', value: '  Example   Inc, LTD ' },
      { type: 'CN', value: 'Straße' },
      { type: 'C', value: 'DE' },
    ]);
    expect(normalizeName(mixed)).toBe('2.5.4.10=example inc\\, ltd,2.5.4.3=strasse,2.5.4.6=de');
  });

  it('is equal for names that differ in string type, case and spaces only', () => {
    const a = buildName([{ type: 'CN', value: 'Test  CA' }]);
    const b = parseName(
      encodeDer(sequence([setOf([sequence([oidPart(OID.commonName), printableStringPart('test ca')])])])),
    );
    expect(normalizeName(a)).toBe(normalizeName(b));
    expect(equalNames(a, b)).toBe(true);
  });

  it('differs when a value only looks like another attribute', () => {
    const a = buildName([{ type: 'CN', value: 'a,2.5.4.6=de' }]);
    const b = buildName([
      { type: 'CN', value: 'a' },
      { type: 'C', value: 'DE' },
    ]);
    expect(normalizeName(a)).not.toBe(normalizeName(b));
  });
});

describe('comparing', () => {
  it('keeps the order of RDNs, not the order inside one', () => {
    const [a, b] = [
      { type: 'CN', value: 'a' },
      { type: 'OU', value: 'b' },
    ] as const;
    expect(equalNames(buildName([a, b]), buildName([b, a]))).toBe(false);
    expect(equalNames(buildName([[a, b]]), buildName([[b, a]]))).toBe(true);
    expect(equalNames(buildName([[a, b]]), buildName([a, b]))).toBe(false);
  });

  it('the common name is the most specific one', () => {
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
  ])('%j reads as %j', (text, expected) => {
    if (expected === undefined) expect(() => parseNameText(text)).toThrow(/no character string/);
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
  ])('refuses %j with an error of its own', (text) => {
    expect(() => buildName(parseNameText(text))).toThrow(
      expect.objectContaining({ name: expect.stringMatching(/^(Pki|Der)Error$/) }),
    );
  });

  it('every name reads back from its text', () => {
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

  it('escapes separators, leading and trailing spaces, and control characters', () => {
    const odd = buildName([{ type: 'CN', value: ' a+b,"c"<d>;#\\\n ' }]);
    expect(formatNameRfc4514(odd)).toBe('CN=\\ a\\+b\\,\\"c\\"\\<d\\>\\;#\\\\\\0a\\ ');
  });
});

describe('bounds', () => {
  it('refuses names of many attributes', () => {
    const one = sequence([oidPart(OID.commonName), utf8StringPart('x')]);
    const huge = encodeDer(sequence(Array.from({ length: 257 }, () => setOf([one]))));
    expect(() => parseName(huge)).toThrow(expect.objectContaining({ code: 'too-many-elements' }));
  });

  it('skips an empty RDN, as some libraries wrote, but not a thousand of them', () => {
    expect(parseName(Uint8Array.of(0x30, 2, 0x31, 0)).rdns).toEqual([]);
    const many = encodeDer(sequence(Array.from({ length: 1000 }, () => setOf([]))));
    expect(() => parseName(many)).toThrow(expect.objectContaining({ code: 'too-many-elements' }));
  });
});

describe('normalizing hostile names', () => {
  it('takes time in proportion to their length, also for endless runs of combining marks', () => {
    const cost = (length: number): number => {
      const name = buildName([{ type: 'CN', value: `a${'\u0315'.repeat(length)}${'\u0316'.repeat(length)}` }]);
      const before = process.cpuUsage();
      normalizeName(name);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1e6;
    };
    expect(cost(40_000)).toBeLessThan(1); // seven seconds and a half where marks are sorted as one run
  });
});
