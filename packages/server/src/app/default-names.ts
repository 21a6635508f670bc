// Names of the initial objects in a new installation.

/** Owner of the first sign-in link and of the command line's access token. */
export const ADMINISTRATOR = 'admin';
export const ROOT_AUTHORITY = 'Signetry Root';
export const DEFAULT_RA_PROFILE = 'default';
export const DEFAULT_ACME_PROFILE = 'default';
