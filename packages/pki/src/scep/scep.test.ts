import { describe, expect, it } from 'vitest';
import { encodeDer, printableStringPart, octetStringPart } from '../der/writer.ts';
import { OID } from '../oids.ts';
import type { Attribute } from '../x509/attributes.ts';
import { matchesNonce, readScepAttributes, scepAttributes } from './attributes.ts';
import {
  buildIssuerAndSerialNumber,
  buildIssuerAndSubject,
  readIssuerAndSerialNumber,
  readIssuerAndSubject,
} from './messages.ts';

const setOf = (list: readonly Attribute[]) => ({ der: new Uint8Array(), list });
const NAME = Uint8Array.of(0x30, 0x00);
const NONCE = new Uint8Array(16).fill(7);

describe('SCEP message attributes', () => {
  it('round-trip', () => {
    const facts = {
      messageType: 'CertRep',
      transactionId: 'a1',
      senderNonce: NONCE,
      recipientNonce: NONCE,
      status: 'failure',
      failInfo: 'badCertId',
      failInfoText: 'Unbekannt: ü',
    } as const;
    expect(readScepAttributes(setOf(scepAttributes(facts)))).toEqual(facts);
    expect(matchesNonce({ recipientNonce: NONCE }, { senderNonce: NONCE })).toBe(true);
    expect(matchesNonce({ recipientNonce: undefined }, { senderNonce: NONCE })).toBe(false);
  });

  it.each(['id_1', 'ü', ''.padEnd(40, '*')])(
    'preserve a transaction ID even if it is not a PrintableString: %s',
    (id) => {
      const facts = { messageType: 'CertRep', transactionId: id, senderNonce: NONCE } as const;
      expect(readScepAttributes(setOf(scepAttributes(facts)))).toMatchObject(facts);
    },
  );

  it('must include a transaction ID', () => {
    expect(() => readScepAttributes(undefined)).toThrow(expect.objectContaining({ code: 'bad-value' }));
    const long = scepAttributes({ messageType: 'PKCSReq', transactionId: 'a'.repeat(256), senderNonce: NONCE });
    expect(() => readScepAttributes(setOf(long))).toThrow(expect.objectContaining({ code: 'bad-value' }));
  });

  it('can have an unknown message type', () => {
    const list = [
      { type: OID.scepTransactionId, values: [encodeDer(printableStringPart('a'))] },
      { type: OID.scepMessageType, values: [encodeDer(printableStringPart('99'))] },
    ];
    expect(readScepAttributes(setOf(list)).messageType).toBeUndefined();
  });

  it('must be strings where strings are expected', () => {
    const list = [{ type: OID.scepTransactionId, values: [encodeDer(octetStringPart(NONCE))] }];
    expect(() => readScepAttributes(setOf(list))).toThrow(expect.objectContaining({ code: 'unexpected-tag' }));
  });
});

describe('SCEP message contents', () => {
  it('round-trip', () => {
    const poll = { issuer: NAME, subject: NAME };
    expect(readIssuerAndSubject(buildIssuerAndSubject(poll))).toEqual(poll);
    const wanted = { issuer: NAME, serialBytes: Uint8Array.of(0, 0x80) };
    expect(readIssuerAndSerialNumber(buildIssuerAndSerialNumber(wanted))).toEqual(wanted);
    expect(() => readIssuerAndSubject(buildIssuerAndSerialNumber(wanted))).toThrow();
  });
});
