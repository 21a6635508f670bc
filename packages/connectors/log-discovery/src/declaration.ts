// The connector's declaration of itself.
export const NAME = 'log-discovery';
/** Logs that serve the API of c2sp.org/static-ct-api. */
export const KIND = 'CT-Static';
