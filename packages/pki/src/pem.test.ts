import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { MAX_PEM_BLOCKS, PEM_LABELS, readDerOrPem, readPem, writePem, writePemChain } from './pem.ts';
import { expectOwnErrors } from './testing/arbitraries.ts';
import { toBase64 } from './base64.ts';

const der = Uint8Array.from([0x30, 0x82, 0x01, 0x00, ...new Uint8Array(256).map((_, index) => index)]);
const pem = writePem('CERTIFICATE', der);

describe('writing PEM', () => {
  it('uses lines of 64 characters and ends with a line break', () => {
    const lines = pem.split('\n');
    expect(lines[0]).toBe('-----BEGIN CERTIFICATE-----');
    expect(lines.slice(1, -3).every((line) => line.length === 64)).toBe(true);
    expect(lines.at(-2)).toBe('-----END CERTIFICATE-----');
    expect(lines.at(-1)).toBe('');
  });

  it('accepts an empty body and rejects invalid labels', () => {
    expect(readPem(writePem('X', new Uint8Array()))[0]?.der).toEqual(new Uint8Array());
    expect(() => writePem('A-----\n', der)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });
});

describe('reading PEM', () => {
  it.each([
    ['as written', pem],
    ['with CRLF', pem.replaceAll('\n', '\r\n')],
    ['unwrapped', `-----BEGIN CERTIFICATE-----\n${toBase64(der)}\n-----END CERTIFICATE-----`],
    ['on one line', `-----BEGIN CERTIFICATE-----${toBase64(der)}-----END CERTIFICATE-----`],
    ['with text around', `subject=CN = x\n-- not a block --\n${pem}trailing text`],
    ['indented', pem.replaceAll('\n', '\n   ')],
    ['with old header lines', pem.replace('\n', '\nProc-Type: 4,CLEAR\nX-Note: a,\n  b\n\n')],
  ])('accepts a block %s', (_, text) => {
    const blocks = readPem(text);
    expect(blocks.map(({ label }) => label)).toEqual(['CERTIFICATE']);
    expect(blocks[0]?.der).toEqual(der);
  });

  it('keeps the header lines of old encrypted keys', () => {
    const text =
      '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\nAQID\n-----END RSA PRIVATE KEY-----';
    expect(readPem(text)[0]?.headers.get('DEK-Info')).toBe('AES-128-CBC,00FF');
    expect(readPem(text)[0]?.der).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('returns multiple blocks in order', () => {
    expect(readPem(writePemChain([der, der.subarray(0, 3)])).map((block) => block.der.length)).toEqual([260, 3]);
  });

  it.each([
    ['-----BEGIN CERTIFICATE-----\nAQID', 'bad-pem'],
    ['-----BEGIN CERTIFICATE-----\nAQID\n-----END CRL-----', 'bad-pem'],
    ['-----BEGIN CERTIFICATE', 'bad-pem'],
    ['-----BEGIN -----\n-----END -----', 'bad-pem'],
    ['-----BEGIN CERTIFICATE-----\nA*ID\n-----END CERTIFICATE-----', 'bad-base64'],
    [`-----BEGIN ${'A'.repeat(100)}-----`, 'bad-pem'],
  ])('rejects %j', (text, code) => {
    expect(() => readPem(text)).toThrow(expect.objectContaining({ code }));
  });

  it('limits the number of blocks and the length, in linear time', () => {
    const many = '-----BEGIN A-----\n-----END A-----\n'.repeat(MAX_PEM_BLOCKS + 1);
    expect(() => readPem(many)).toThrow(expect.objectContaining({ code: 'bound-exceeded' }));
    expect(() => readPem(pem, { maxLength: 10 })).toThrow(expect.objectContaining({ code: 'bound-exceeded' }));
    const started = performance.now();
    expect(() => readPem('-----BEGIN '.repeat(100_000))).toThrow();
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('PEM header lines', () => {
  const block = (headers: string, body = toBase64(der)): string =>
    `-----BEGIN CERTIFICATE-----\n${headers}\n${body}\n-----END CERTIFICATE-----\n`;

  it('are parsed with their continuations, with or without an empty line after them', () => {
    const [first] = readPem(block('Proc-Type: 4,ENCRYPTED\nX-Note: one\n  two\n'));
    expect([...(first?.headers ?? [])]).toEqual([
      ['Proc-Type', '4,ENCRYPTED'],
      ['X-Note', 'one two'],
    ]);
    expect(readPem(block('X-Note: one'))[0]?.der).toEqual(der);
    const long = toBase64(new Uint8Array(60_000));
    expect(readPem(block('X-Note: one', long))[0]?.der.length).toBe(60_000);
  });

  it('are rejected early if there are millions of them', () => {
    const text = block('a:b\n'.repeat(4_000_000));
    const before = process.cpuUsage();
    expect(() => readPem(text)).toThrow(expect.objectContaining({ code: 'bound-exceeded' }));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(0.5); // About 20 ms, mostly spent finding the end line.
  });
});

describe('reading DER or PEM', () => {
  const labels = PEM_LABELS.certificate;

  it('accepts DER, PEM as bytes, PEM as text, and Base64 without a label', () => {
    const forms = [der, new TextEncoder().encode(pem), pem, toBase64(der), new TextEncoder().encode(toBase64(der))];
    for (const form of forms) expect(readDerOrPem(form, labels)).toEqual(der);
  });

  it('uses the first block with a matching label', () => {
    const text = writePem('PRIVATE KEY', Uint8Array.of(1)) + writePem('X509 CERTIFICATE', Uint8Array.of(2));
    expect(readDerOrPem(text, labels)).toEqual(Uint8Array.of(2));
  });

  it('reports what the input contains if nothing matches', () => {
    expect(() => readDerOrPem(writePem('PKCS7', der), labels)).toThrow(/"PKCS7".*"CERTIFICATE"/);
    expect(() => readDerOrPem('  ', labels)).toThrow(/empty/);
  });

  it('throws only our own errors for any text', () => {
    const piece = fc.constantFrom(
      '-----BEGIN ',
      '-----END ',
      '-----',
      'CERTIFICATE',
      '\n',
      '\r',
      'AQID',
      ':',
      ' ',
      '=',
      '0',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        expectOwnErrors(() => readDerOrPem(pieces.join(''), labels));
        expectOwnErrors(() => readDerOrPem(new TextEncoder().encode(pieces.join('')), labels));
      }),
    );
  });
});
