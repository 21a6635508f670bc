// Declaration of the connector.
export const NAME = 'network-discovery';
/** Kind of the established provider for network discovery, so that forms for it remain usable. */
export const KIND = 'IP-Hostname';
