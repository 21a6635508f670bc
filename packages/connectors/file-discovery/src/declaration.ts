// The connector's declaration.
export const NAME = 'file-discovery';
export const KIND = 'Files';
