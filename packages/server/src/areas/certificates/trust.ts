// A stored validation result records that only trust is missing by means of an additional key, next to the checks,
// whose names are API codes.
export const TRUST_CHECK = 'trust';
export const TRUST_MISSING = 'missing';
