// What the connector declares about itself.
export const NAME = 'file-entities';
export const KIND = 'PEM';

/** What the secrets of an entity are bound to. */
export const secretsPurpose = (entity: string): string => `${NAME}:secrets:${entity}`;
