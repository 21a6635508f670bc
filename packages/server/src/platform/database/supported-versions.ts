// PostgreSQL versions that the platform supports.

/** Oldest supported version; the platform's statements use no newer features. */
export const OLDEST_SUPPORTED_VERSION = 15;
