// What the connector declares about itself.
export const NAME = 'file-discovery';
export const KIND = 'Files';
