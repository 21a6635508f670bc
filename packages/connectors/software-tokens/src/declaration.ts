// What the connector declares about itself.
export const NAME = 'software-tokens';
export const KIND = 'SOFT';

/** Prefix of what sealed and encrypted values are bound to. */
const purpose = (what: string, uuid: string): string => `${NAME}:${what}:${uuid}`;

export const dataKeyPurpose = (token: string): string => purpose('data-key', token);
export const unattendedDataKeyPurpose = (token: string): string => purpose('unattended-data-key', token);
/** Of the data key under the key that the activation code gives. */
export const wrappedDataKeyPurpose = (token: string): string => purpose('wrapped-data-key', token);
export const materialPurpose = (token: string, key: string): string => `${purpose('key', token)}:${key}`;
