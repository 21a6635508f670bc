// Names of what a new installation begins with.

/** The user that the first sign-in link and the token of the command line belong to. */
export const ADMINISTRATOR = 'admin';
export const ROOT_AUTHORITY = 'Signetry Root';
export const DEFAULT_RA_PROFILE = 'default';
export const DEFAULT_ACME_PROFILE = 'default';
