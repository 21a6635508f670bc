// What the connector declares about itself.
export const NAME = 'x509-rules';
export const KIND = 'x509';
