// Declaration of the connector.
export const NAME = 'network-discovery';
/** Same kind as the established provider for network discovery, so that existing forms remain usable. */
export const KIND = 'IP-Hostname';
