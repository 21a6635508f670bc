// Bounds of one message. Real ones have a request, a chain and a handful of infos.

/** Octets of a whole message; a CRL in a response may need more, see `parsePkiMessage`. */
export const MAX_PKI_MESSAGE: number = 4 * 1024 * 1024;
export const MAX_CERTIFICATES = 64;
export const MAX_INFOS = 64;
/** Algorithms, profiles, language tags and others in one info. */
export const MAX_VALUES = 256;
/** In a batch, and in the original messages that an RA passes on. */
export const MAX_MESSAGES = 100;
/** Requests, responses, revocations and confirmations in one message. */
export const MAX_TRANSACTIONS = 64;
