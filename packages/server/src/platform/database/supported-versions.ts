// The versions of PostgreSQL that the platform works with.

/** The oldest one; its statements use nothing that came later. */
export const OLDEST_SUPPORTED_VERSION = 15;
