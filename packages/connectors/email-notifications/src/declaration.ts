// The connector's declaration.
export const NAME = 'email-notifications';
export const KIND = 'EMAIL';
