// The connector's declaration of itself.
export const NAME = 'software-tokens';
export const KIND = 'SOFT';

/** Returns the context to which a sealed or encrypted value is bound. */
const purpose = (what: string, uuid: string): string => `${NAME}:${what}:${uuid}`;

export const dataKeyPurpose = (token: string): string => purpose('data-key', token);
export const unattendedDataKeyPurpose = (token: string): string => purpose('unattended-data-key', token);
/** Context for the data key encrypted under the key derived from the activation code. */
export const wrappedDataKeyPurpose = (token: string): string => purpose('wrapped-data-key', token);
export const materialPurpose = (token: string, key: string): string => `${purpose('key', token)}:${key}`;
