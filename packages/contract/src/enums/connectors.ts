// Enumerations for connectors: capabilities, authentication and status.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

/** Groups of endpoints that connectors can implement. */
export const FunctionGroupCode = enumeration('FunctionGroupCode', {
  credentialProvider: 'Credential Provider',
  legacyAuthorityProvider: 'Legacy Authority Provider',
  authorityProvider: 'Authority Provider',
  discoveryProvider: 'Discovery Provider',
  entityProvider: 'Entity Provider',
  complianceProvider: 'Compliance Provider',
  complianceProviderV2: 'Compliance Provider V2',
  cryptographyProvider: 'Cryptography Provider',
  notificationProvider: 'Notification Provider',
});
export type FunctionGroupCode = z.output<typeof FunctionGroupCode>;

export const ConnectorStatus = enumeration('ConnectorStatus', {
  waitingForApproval: 'Waiting for approval',
  connected: 'Connected',
  failed: 'Failed',
  offline: 'Offline',
});
export type ConnectorStatus = z.output<typeof ConnectorStatus>;

/** How the platform authenticates to a connector. */
export const AuthType = enumeration('AuthType', {
  none: 'None',
  basic: 'Basic',
  certificate: 'Certificate',
  apiKey: 'API Key',
  jwt: 'JWT token',
});
export type AuthType = z.output<typeof AuthType>;

export const HealthStatus = enumeration('HealthStatus', {
  ok: 'ON',
  nok: 'OFF',
  unknown: 'Unknown',
});
export type HealthStatus = z.output<typeof HealthStatus>;
