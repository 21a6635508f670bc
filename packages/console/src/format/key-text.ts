// Key types as text: the name of a post-quantum algorithm is its parameter set, so its size is not repeated.

/** Names that include the parameter set: `ML-DSA-65`, `ML-KEM-768`, `SLH-DSA-SHA2-128S`, composites such as `MLDSA65-…`. */
const HAS_PARAMETER_SET = /^(?:ML-?DSA-?\d|ML-?KEM-?\d|(?:Hash)?SLH-DSA-|HashML-DSA-)/i;

/** Formats `RSA 2048`, `ECDSA 256` or `ML-DSA-65`. */
export const shortKeyText = (algorithm: string, size: number): string =>
  HAS_PARAMETER_SET.test(algorithm) ? algorithm : `${algorithm} ${size}`;

/** Formats `RSA, 2048 bits` or `ML-DSA-65`; `algorithm` can include the curve. */
export const keyText = (algorithm: string, size: number | undefined): string =>
  HAS_PARAMETER_SET.test(algorithm) ? algorithm : `${algorithm}, ${size ?? '?'} bits`;

/** Formats the algorithm and length of a key in a token: `RSA, 2,048 bits` or `ML-DSA-65`. */
export const keyItemText = (algorithm: string, length: number): string => {
  if (length <= 0) return algorithm;
  // Some providers report the size of the encoded key instead of the parameter set.
  const isParameterSet = /^(?:ML-DSA|ML-KEM|SLH-DSA)$/.test(algorithm) && length <= 1024;
  return isParameterSet ? `${algorithm}-${length}` : `${algorithm}, ${length.toLocaleString()} bits`;
};

/** Formats a key size that is counted over all algorithms: only ML-DSA has sizes as small as 44, 65 and 87. */
export const sizeText = (size: string): string =>
  ['44', '65', '87'].includes(size) ? `ML-DSA-${size}` : `${size} bits`;
