// Labels and descriptions for data reported by connectors.
import type { AuthType, FunctionGroupCode } from '@signetry/contract';

/** Function group labels, and what a connector does in each group. */
export const functionGroupTexts: Readonly<
  Record<FunctionGroupCode, { readonly title: string; readonly text: string }>
> = {
  authorityProvider: {
    title: 'Authorities',
    text: 'Issues and revokes certificates through a certification authority.',
  },
  legacyAuthorityProvider: {
    title: 'Authorities (first generation)',
    text: 'Issues and revokes certificates through a certification authority, using the older interface.',
  },
  credentialProvider: {
    title: 'Credentials',
    text: 'Defines the credentials with which other connectors authenticate.',
  },
  discoveryProvider: { title: 'Discovery', text: 'Finds certificates that are in use.' },
  entityProvider: {
    title: 'Targets',
    text: 'Installs certificates on the systems that use them, such as servers and devices.',
  },
  complianceProvider: { title: 'Compliance', text: 'Checks certificates against rules.' },
  complianceProviderV2: { title: 'Compliance', text: 'Checks certificates and keys against rules.' },
  cryptographyProvider: { title: 'Keys', text: 'Generates and uses keys that never leave their token.' },
  notificationProvider: { title: 'Notifications', text: 'Sends notifications about events.' },
};

export const authTexts: Readonly<Record<AuthType, string>> = {
  none: 'None',
  basic: 'Username and password',
  certificate: 'Client certificate',
  apiKey: 'API key',
  jwt: 'Platform-issued token (JWT)',
};

/** Returns whether a connector is built in; built-in connectors have no URL to call. */
export const isBuiltIn = ({ url }: { readonly url: string }): boolean => url.startsWith('builtin:');

export const describeUrl = (connector: { readonly url: string }): string =>
  isBuiltIn(connector) ? 'Built into the platform' : connector.url;
