// What the connector declares about itself.
export const NAME = 'network-discovery';
/** The kind under which the field's own provider of this sort is known, so that its forms fit. */
export const KIND = 'IP-Hostname';
