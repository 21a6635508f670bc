// Encoding errors name the field, determined from the offset in real objects with one damaged octet.
import { describe, expect, it } from 'vitest';
import { parseCertificationRequest } from '../csr.ts';
import { DerError } from '../errors.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { withFieldNames, type DerField } from './field-names.ts';
import { openDer, readIntegerBytes } from './reader.ts';

const der = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex');

const messageOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
  return expect.unreachable('it was read');
};

const PAIR: DerField = {
  name: 'pair',
  fields: [
    { name: 'version', tag: 0xa0, optional: true },
    { name: 'first' },
    { name: 'list', each: { name: 'member', fields: [{ name: 'number' }] } },
  ],
};

function readPair(octets: Uint8Array): void {
  const cursor = openDer(octets);
  cursor.optional(0xa0);
  readIntegerBytes(cursor.next());
  const list = cursor.open(0x30);
  while (!list.atEnd) readIntegerBytes(list.open(0x30).next());
  cursor.finish();
}

describe('an encoding error', () => {
  it.each([
    ['an element of the wrong type', '3008 0c0101 3003 020101', 'first: The element has an unexpected type (byte 2)'],
    ['a field after an absent optional one', '3005 a003 020101', 'first: A required element is missing (byte 7)'],
    ['the end of the enclosing element', '3003 020101', 'list: A required element is missing (byte 5)'],
    ['a member of a list', '300d 020101 3008 3003 020101 3001 05', 'list[1].number: '],
    ['a field of a member', '300f 020101 300a 3003 020101 3003 0c0101', 'list[1].number: '],
    ['a length beyond the end', '3005 020901 3000', 'first: The length exceeds the enclosing element (byte 2)'],
  ])('names the field: %s', (_what, hex, message) => {
    expect(messageOf(() => withFieldNames(der(hex), PAIR, readPair))).toContain(message);
  });

  it('names no field if the error concerns the whole object', () => {
    expect(messageOf(() => withFieldNames(der('0500'), PAIR, readPair))).toBe(
      'The element has an unexpected type (byte 0)',
    );
    expect(messageOf(() => withFieldNames(der('3000 00'), PAIR, readPair))).toMatch(/^Unexpected bytes/);
  });

  it('names the field that an inner reader has already named', () => {
    const inner = new DerError('bad-time', 2).inField('notAfter');
    const read = () => withFieldNames(der('3003 020101'), PAIR, () => { throw inner; }); // prettier-ignore
    expect(messageOf(read)).toMatch(/^notAfter: /);
  });
});

it('a certificate and a request name their fields', () => {
  // SEQUENCE { SEQUENCE { INTEGER 1, BOOLEAN } … }
  const halfCertificate = der('300a 3006 020101 010101 0000');
  expect(messageOf(() => parseCertificate(halfCertificate))).toMatch(/^(tbsCertificate|signatureAlgorithm)/);
  const request = der('300f 3005 020100 0500 3003 0c0141 030100');
  expect(messageOf(() => parseCertificationRequest(request))).toMatch(/^signatureAlgorithm/);
});
