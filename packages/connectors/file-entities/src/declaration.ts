// The connector's declaration.
export const NAME = 'file-entities';
/** Contents of an entity's locations: PEM files, or key stores (PKCS #12, JKS). */
export const KINDS = ['PEM', 'Keystore'] as const;
export type Kind = (typeof KINDS)[number];

/** Returns the purpose to which an entity's sealed secrets are bound. */
export const secretsPurpose = (entity: string): string => `${NAME}:secrets:${entity}`;
