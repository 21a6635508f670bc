// How a stored verdict says that only trust is missing: a key beside the checks, which have codes of the interface.
export const TRUST_CHECK = 'trust';
export const TRUST_MISSING = 'missing';
