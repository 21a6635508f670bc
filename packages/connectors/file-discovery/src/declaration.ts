// The connector's declaration of itself.
export const NAME = 'file-discovery';
export const KIND = 'Files';
