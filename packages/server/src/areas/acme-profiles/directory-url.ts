// Where a directory lies, in both families of addresses. The address of a profile is below its own name; an RA profile that a
// profile is activated on has an address below the name of the RA profile.
export type AcmeFamily = 'profile' | 'raProfile';

/**
 * `name`, which may be anything that a path holds, is that of the ACME profile or of the RA profile, after the family.
 */
export const acmeBaseUrl = (origin: string, { family, name }: { family: AcmeFamily; name: string }): string =>
  `${origin}/api/v1/protocols/acme/${family === 'profile' ? '' : `${FAMILY_WORD}/`}${encodeURIComponent(name)}`;

export const directoryUrl = (origin: string, directory: { family: AcmeFamily; name: string }): string =>
  `${acmeBaseUrl(origin, directory)}/directory`;

/** Begins the addresses of the family of RA profiles, so no ACME profile may be called so. */
export const FAMILY_WORD = 'raProfile';
