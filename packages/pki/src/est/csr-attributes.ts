// CsrAttrs: what an EST server tells clients of the requests they are to make (RFC 7030 §4.5.2).
import { encodeDer, integerPart, oidPart, sequence, setOf, type DerPart } from '../der/writer.ts';
import { OID } from '../oids.ts';

/** A key type: the size of an RSA modulus in bits, or the object identifier of a curve. */
export type RequestedKey = { readonly rsaBits: number } | { readonly curve: string };

export interface RequestedCsrAttributes {
  /** Of attributes and extensions, in dotted form. */
  readonly identifiers: readonly string[];
  readonly key?: RequestedKey | undefined;
}

/** DER of CsrAttrs, identifiers first. */
export function buildCsrAttributes({ identifiers, key }: RequestedCsrAttributes): Uint8Array<ArrayBuffer> {
  return encodeDer(sequence([...identifiers.map(oidPart), key && keyPart(key)]));
}

/** An attribute whose type is the algorithm and whose value is its parameter, as in the example of §4.5.2. */
const keyPart = (key: RequestedKey): DerPart =>
  'curve' in key
    ? sequence([oidPart(OID.ecPublicKey), setOf([oidPart(key.curve)])])
    : sequence([oidPart(OID.rsaEncryption), setOf([integerPart(key.rsaBits)])]);
