// Readable form of a public key.
import { hexValue, textValue, type ReadableValue } from './value.ts';
import type { PublicKey } from '../keys.ts';

export function describeKey(key: PublicKey): ReadableValue[] {
  const { name, algorithm, bits, curve, curveOid } = key;
  return [
    { label: 'Algorithm', text: name, oid: algorithm.oid },
    textValue('Size', `${bits} bits`),
    ...(curve === undefined ? [] : [{ label: 'Curve', text: curve, ...(curveOid && { oid: curveOid }) }]),
    hexValue('Key', key.keyBytes),
  ];
}
