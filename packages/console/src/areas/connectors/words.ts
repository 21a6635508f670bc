// Names and descriptions for what connectors report.
import type { AuthType, FunctionGroupCode } from '@signetry/contract';

/** What a connector does when it offers a function group. */
export const functionGroupWords: Readonly<
  Record<FunctionGroupCode, { readonly title: string; readonly text: string }>
> = {
  authorityProvider: { title: 'Authorities', text: 'Signs and revokes certificates at a certification authority.' },
  legacyAuthorityProvider: {
    title: 'Authorities (first generation)',
    text: 'Signs and revokes certificates at a certification authority, through the older interface.',
  },
  credentialProvider: { title: 'Credentials', text: 'Describes credentials that other connectors authenticate with.' },
  discoveryProvider: { title: 'Discovery', text: 'Finds certificates that are in use.' },
  entityProvider: {
    title: 'Entities',
    text: 'Installs certificates where they are used, such as on servers and devices.',
  },
  complianceProvider: { title: 'Compliance', text: 'Checks certificates against rules.' },
  complianceProviderV2: { title: 'Compliance', text: 'Checks certificates and keys against rules.' },
  cryptographyProvider: { title: 'Keys', text: 'Generates and uses keys that never leave their token.' },
  notificationProvider: { title: 'Notifications', text: 'Notifies people of events.' },
};

export const authWords: Readonly<Record<AuthType, string>> = {
  none: 'None',
  basic: 'User name and password',
  certificate: 'Client certificate',
  apiKey: 'API key',
  jwt: 'Tokens of the platform (JWT)',
};

/** Built-in connectors have no URL that could be called. */
export const isBuiltIn = ({ url }: { readonly url: string }): boolean => url.startsWith('builtin:');

export const addressOf = (connector: { readonly url: string }): string =>
  isBuiltIn(connector) ? 'Built into the platform' : connector.url;
