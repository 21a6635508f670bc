// PostgreSQL versions that the platform supports.

/** Oldest supported version; the platform's statements use no features of later versions. */
export const OLDEST_SUPPORTED_VERSION = 15;
