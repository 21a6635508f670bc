// Limits per message. Real messages contain one request, one chain and a few info items.

/** Maximum size of a whole message, in bytes. A response with a CRL may need more (see `parsePkiMessage`). */
export const MAX_PKI_MESSAGE: number = 4 * 1024 * 1024;
export const MAX_CERTIFICATES = 64;
export const MAX_INFOS = 64;
/** Maximum number of algorithms, profiles, language tags or other values in one info item. */
export const MAX_VALUES = 256;
/** Maximum number of messages in a batch, and of original messages that an RA forwards. */
export const MAX_MESSAGES = 100;
/** Maximum number of requests, responses, revocations or confirmations in one message. */
export const MAX_TRANSACTIONS = 64;
