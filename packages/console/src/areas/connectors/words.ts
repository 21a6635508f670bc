// Connectors in plain words.
import type { AuthType, FunctionGroupCode } from '@signetry/contract';

/** What a connector does when it offers a function group. */
export const functionGroupWords: Readonly<
  Record<FunctionGroupCode, { readonly title: string; readonly text: string }>
> = {
  authorityProvider: { title: 'Authorities', text: 'Signs and revokes certificates at a certification authority.' },
  legacyAuthorityProvider: {
    title: 'Authorities (first generation)',
    text: 'Signs and revokes certificates at a certification authority, by an older interface.',
  },
  credentialProvider: { title: 'Credentials', text: 'Describes credentials that other connectors sign in with.' },
  discoveryProvider: { title: 'Discovery', text: 'Finds certificates that are in use somewhere.' },
  entityProvider: { title: 'Entities', text: 'Puts certificates where they are used, such as servers and devices.' },
  complianceProvider: { title: 'Compliance', text: 'Judges certificates by rules.' },
  complianceProviderV2: { title: 'Compliance', text: 'Judges certificates and keys by rules.' },
  cryptographyProvider: { title: 'Keys', text: 'Makes and uses keys that never leave their token.' },
  notificationProvider: { title: 'Notifications', text: 'Tells people what happened.' },
};

export const authWords: Readonly<Record<AuthType, string>> = {
  none: 'None',
  basic: 'User name and password',
  certificate: 'Client certificate',
  apiKey: 'API key',
  jwt: 'JWT',
};

/** Connectors of the platform itself have no address that anybody could call. */
export const isBuiltIn = ({ url }: { readonly url: string }): boolean => url.startsWith('builtin:');

export const addressOf = (connector: { readonly url: string }): string =>
  isBuiltIn(connector) ? 'Built into the platform' : connector.url;
