// Key types as text: post-quantum keys are named by their parameter set, all others by their size.

/** Names that include the parameter set: `ML-DSA-65`, `SLH-DSA-SHA2-128S`, composites such as `MLDSA65-…`. */
const HAS_PARAMETER_SET = /^(?:MLDSA\d|ML-KEM-\d|(?:Hash)?(?:ML-DSA|SLH-DSA)-)/;
/** Families, to which the parameter set is added. */
const POST_QUANTUM_FAMILY = /^(?:ML-KEM|(?:Hash)?(?:ML-DSA|SLH-DSA))$/;
/** Some providers report the size of the encoded key, which is larger, instead of the parameter set. */
const MAX_PARAMETER_SET = 1024;

/** Returns the name of a post-quantum key, or `undefined` for other keys. */
function parameterSetText(algorithm: string, size: number | undefined): string | undefined {
  if (HAS_PARAMETER_SET.test(algorithm)) return algorithm;
  if (size === undefined || size > MAX_PARAMETER_SET) return undefined;
  if (algorithm === 'Composite') return `Composite ML-DSA-${size}`;
  return POST_QUANTUM_FAMILY.test(algorithm) ? `${algorithm}-${size}` : undefined;
}

/** Formats `RSA 2048`, `ECDSA 256` or `ML-DSA-65`. */
export const shortKeyText = (algorithm: string, size: number): string =>
  parameterSetText(algorithm, size) ?? `${algorithm} ${size}`;

/** Formats `RSA, 2048 bits` or `ML-DSA-65`; `algorithm` can include the curve. */
export const keyText = (algorithm: string, size: number | undefined): string =>
  parameterSetText(algorithm, size) ?? `${algorithm}, ${size ?? '?'} bits`;

/** Formats the algorithm and length of a key in a token: `RSA, 2048 bits` or `ML-DSA-65`. */
export const keyItemText = (algorithm: string, length: number): string =>
  length <= 0 ? algorithm : (parameterSetText(algorithm, length) ?? `${algorithm}, ${length} bits`);

/** Formats a key size that is counted over all algorithms: only ML-DSA has sizes as small as 44, 65 and 87. */
export const sizeText = (size: string): string =>
  ['44', '65', '87'].includes(size) ? `ML-DSA-${size}` : `${size} bits`;
