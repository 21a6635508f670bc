// The connector's declaration.
export const NAME = 'x509-rules';
export const KIND = 'x509';
