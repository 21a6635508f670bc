// The connector's declaration of itself.
export const NAME = 'email-notifications';
export const KIND = 'EMAIL';
