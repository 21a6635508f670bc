// Verification of ML-DSA signatures for a message that is already encoded (FIPS 204 algorithm 8, Verify_internal).
// node:crypto verifies only pure ML-DSA, whose encoding starts with another byte than that of HashML-DSA. All inputs
// are public, so the arithmetic need not run in constant time.
import { createHash } from 'node:crypto';
import { concatBytes, equalBytes } from '../bytes.ts';

const Q = 8_380_417;
/** Number of dropped bits of t. */
const D = 13;
const N = 256;

interface Parameters {
  /** Rows and columns of the matrix. */
  readonly k: number;
  readonly l: number;
  /** Number of coefficients ±1 in the challenge. */
  readonly tau: number;
  readonly gamma1: number;
  readonly gamma2: number;
  /** Maximum number of ones in the hint. */
  readonly omega: number;
  readonly eta: number;
  /** Length of the commitment hash in bytes (λ / 4). */
  readonly hashLength: number;
}

/** FIPS 204 table 1. */
const PARAMETERS: Readonly<Record<string, Parameters>> = {
  'ML-DSA-44': { k: 4, l: 4, tau: 39, gamma1: 2 ** 17, gamma2: (Q - 1) / 88, omega: 80, eta: 2, hashLength: 32 },
  'ML-DSA-65': { k: 6, l: 5, tau: 49, gamma1: 2 ** 19, gamma2: (Q - 1) / 32, omega: 55, eta: 4, hashLength: 48 },
  'ML-DSA-87': { k: 8, l: 7, tau: 60, gamma1: 2 ** 19, gamma2: (Q - 1) / 32, omega: 75, eta: 2, hashLength: 64 },
};

/** Coefficients of a polynomial, or of its transform, in 0 to Q - 1. */
type Polynomial = Int32Array;

const shake = (bits: 128 | 256, length: number, ...data: readonly Uint8Array[]): Uint8Array => {
  const hashing = createHash(`shake${bits}`, { outputLength: length });
  for (const piece of data) hashing.update(piece);
  return hashing.digest();
};

const modulo = (value: number): number => ((value % Q) + Q) % Q;
/** Returns a product; both factors are below 2^23, so it is exact. */
const times = (a: number, b: number): number => (a * b) % Q;

/** Powers of the root of unity 1753, in bit-reversed order (FIPS 204 appendix B). */
const ZETAS = Array.from({ length: N }, (_, index) => {
  const reversed = Number.parseInt(index.toString(2).padStart(8, '0').split('').toReversed().join(''), 2);
  let power = 1;
  for (let count = 0; count < reversed; count++) power = times(power, 1753);
  return power;
});

/** FIPS 204 algorithm 41, in place. */
function transform(w: Polynomial): Polynomial {
  let m = 0;
  for (let length = 128; length >= 1; length /= 2) {
    for (let start = 0; start < N; start += 2 * length) {
      const zeta = ZETAS[++m] ?? 0;
      for (let j = start; j < start + length; j++) {
        const t = times(zeta, w[j + length] ?? 0);
        const low = w[j] ?? 0;
        w[j + length] = modulo(low - t);
        w[j] = modulo(low + t);
      }
    }
  }
  return w;
}

/** 256 to the power of -1 modulo Q. */
const INVERSE_OF_256 = 8_347_681;

/** FIPS 204 algorithm 42, in place. */
function invert(w: Polynomial): Polynomial {
  let m = N;
  for (let length = 1; length < N; length *= 2) {
    for (let start = 0; start < N; start += 2 * length) {
      const zeta = Q - (ZETAS[--m] ?? 0);
      for (let j = start; j < start + length; j++) {
        const low = w[j] ?? 0;
        const high = w[j + length] ?? 0;
        w[j] = modulo(low + high);
        w[j + length] = times(zeta, modulo(low - high));
      }
    }
  }
  return w.map((value) => times(value, INVERSE_OF_256));
}

/** Reads integers of a fixed number of bits, least significant bit first (FIPS 204 algorithm 17). */
function unpack(octets: Uint8Array, bits: number): number[] {
  const values: number[] = [];
  let buffer = 0;
  let filled = 0;
  for (const octet of octets) {
    buffer += octet * 2 ** filled;
    filled += 8;
    while (filled >= bits) {
      values.push(buffer % 2 ** bits);
      buffer = Math.floor(buffer / 2 ** bits);
      filled -= bits;
    }
  }
  return values;
}

function pack(values: Iterable<number>, bits: number): Uint8Array {
  const octets: number[] = [];
  let buffer = 0;
  let filled = 0;
  for (const value of values) {
    buffer += value * 2 ** filled;
    filled += bits;
    while (filled >= 8) {
      octets.push(buffer % 256);
      buffer = Math.floor(buffer / 256);
      filled -= 8;
    }
  }
  return Uint8Array.from(octets);
}

/** Samples an element of the matrix (FIPS 204 algorithm 30); almost all groups of three bytes are below Q. */
function matrixElement(seed: Uint8Array, row: number, column: number): Polynomial {
  for (let length = 1008; ; length *= 2) {
    const stream = shake(128, length, seed, Uint8Array.of(column, row));
    const values: number[] = [];
    for (let at = 0; at + 2 < stream.length && values.length < N; at += 3) {
      const value = (stream[at] ?? 0) | ((stream[at + 1] ?? 0) << 8) | (((stream[at + 2] ?? 0) & 0x7f) << 16);
      if (value < Q) values.push(value);
    }
    if (values.length === N) return Int32Array.from(values);
  }
}

/** FIPS 204 algorithm 29. */
function challengeOf(seed: Uint8Array, tau: number): Polynomial {
  const c = new Int32Array(N);
  for (let length = 272; ; length *= 2) {
    const stream = shake(256, length, seed);
    let signs = stream.subarray(0, 8).reduceRight((value, octet) => (value << 8n) | BigInt(octet), 0n);
    c.fill(0);
    let at = 8;
    let i = N - tau;
    for (; i < N && at < stream.length; at++) {
      const j = stream[at] ?? 0;
      if (j > i) continue;
      c[i] = c[j] ?? 0;
      c[j] = (signs & 1n) === 1n ? Q - 1 : 1;
      signs >>= 1n;
      i++;
    }
    if (i === N) return c;
  }
}

/** Reads the hint; `undefined` if its encoding is not the only valid one (FIPS 204 algorithm 21). */
function readHint(octets: Uint8Array, { k, omega }: Parameters): boolean[][] | undefined {
  const hint = Array.from({ length: k }, () => Array.from({ length: N }, () => false));
  let index = 0;
  for (const [row, ones] of hint.entries()) {
    const end = octets[omega + row] ?? 0;
    if (end < index || end > omega) return undefined;
    for (let first = index; index < end; index++) {
      if (index > first && (octets[index - 1] ?? 0) >= (octets[index] ?? 0)) return undefined;
      ones[octets[index] ?? 0] = true;
    }
  }
  return octets.subarray(index, omega).every((octet) => octet === 0) ? hint : undefined;
}

/** FIPS 204 algorithm 40 with algorithm 36. */
function useHint(isSet: boolean, value: number, gamma2: number): number {
  const m = (Q - 1) / (2 * gamma2);
  let low = value % (2 * gamma2);
  if (low > gamma2) low -= 2 * gamma2;
  const isTop = value - low === Q - 1;
  const high = isTop ? 0 : (value - low) / (2 * gamma2);
  if (isTop) low -= 1;
  if (!isSet) return high;
  return low > 0 ? (high + 1) % m : (high - 1 + m) % m;
}

interface Signature {
  readonly commitment: Uint8Array;
  readonly z: readonly Polynomial[];
  readonly hint: boolean[][];
}

/** Decodes a signature and checks the norm of its response; `undefined` if either fails (FIPS 204 algorithm 27). */
function readSignature(octets: Uint8Array, parameters: Parameters): Signature | undefined {
  const { k, l, gamma1, tau, eta, omega, hashLength } = parameters;
  const bits = Math.log2(gamma1) + 1;
  const rowLength = 32 * bits;
  if (octets.length !== hashLength + l * rowLength + omega + k) return undefined;
  const rows = Array.from({ length: l }, (_, row) => {
    const start = hashLength + row * rowLength;
    return unpack(octets.subarray(start, start + rowLength), bits).map((value) => gamma1 - value);
  });
  const limit = gamma1 - tau * eta;
  if (rows.some((row) => row.some((value) => Math.abs(value) >= limit))) return undefined;
  const hint = readHint(octets.subarray(hashLength + l * rowLength), parameters);
  if (hint === undefined) return undefined;
  const z = rows.map((row) => Int32Array.from(row, modulo));
  return { commitment: octets.subarray(0, hashLength), z, hint };
}

export interface EncodedMaterial {
  readonly keyBytes: Uint8Array;
  /** The message M′, including its separator and context. */
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/** Returns whether the signature is valid. Returns false for an unknown parameter set and for wrong lengths. */
export function verifyEncodedMlDsa(parameterSet: string, input: EncodedMaterial): boolean {
  const parameters = PARAMETERS[parameterSet];
  if (parameters === undefined) return false;
  const { k, l, tau, gamma2, hashLength } = parameters;
  const { keyBytes, message } = input;
  if (keyBytes.length !== 32 + 320 * k) return false;
  const signature = readSignature(input.signature, parameters);
  if (signature === undefined) return false;
  const seed = keyBytes.subarray(0, 32);
  const mu = shake(256, 64, shake(256, 64, keyBytes), message);
  const c = transform(challengeOf(signature.commitment, tau));
  const z = signature.z.map((row) => transform(row));
  const packed: Uint8Array[] = [];
  for (let row = 0; row < k; row++) {
    const t1 = unpack(keyBytes.subarray(32 + 320 * row, 32 + 320 * (row + 1)), 10);
    const t = transform(Int32Array.from(t1, (value) => value * 2 ** D));
    const sum = t.map((value, i) => modulo(-times(value, c[i] ?? 0)));
    for (let column = 0; column < l; column++) {
      const a = matrixElement(seed, row, column);
      for (let i = 0; i < N; i++) sum[i] = modulo((sum[i] ?? 0) + times(a[i] ?? 0, z[column]?.[i] ?? 0));
    }
    const w1 = Array.from(invert(sum), (value, i) => useHint(signature.hint[row]?.[i] ?? false, value, gamma2));
    packed.push(pack(w1, gamma2 === (Q - 1) / 88 ? 6 : 4));
  }
  return equalBytes(shake(256, hashLength, mu, concatBytes(packed)), signature.commitment);
}
