// What the connector declares about itself.
export const NAME = 'file-entities';
/** What the locations of an entity are: files in PEM, or key stores (PKCS#12, JKS). */
export const KINDS = ['PEM', 'Keystore'] as const;
export type Kind = (typeof KINDS)[number];

/** What the secrets of an entity are bound to. */
export const secretsPurpose = (entity: string): string => `${NAME}:secrets:${entity}`;
