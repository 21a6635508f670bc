// Declaration of the connector.
export const NAME = 'x509-rules';
export const KIND = 'x509';
