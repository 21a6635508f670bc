// Limits per message. Real messages contain one request, one chain and a handful of infos.

/** Bytes in a whole message. A CRL in a response may need more, see `parsePkiMessage`. */
export const MAX_PKI_MESSAGE: number = 4 * 1024 * 1024;
export const MAX_CERTIFICATES = 64;
export const MAX_INFOS = 64;
/** Algorithms, profiles, language tags and other values in one info. */
export const MAX_VALUES = 256;
/** Messages in a batch, and original messages forwarded by an RA. */
export const MAX_MESSAGES = 100;
/** Requests, responses, revocations and confirmations in one message. */
export const MAX_TRANSACTIONS = 64;
