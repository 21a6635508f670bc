// What the connector declares about itself.
export const NAME = 'log-discovery';
/** Logs that serve the interface of c2sp.org/static-ct-api. */
export const KIND = 'CT-Static';
