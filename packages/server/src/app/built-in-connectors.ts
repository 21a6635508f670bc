// Built-in connectors. Each runs inside the platform, or on its own port with `signetry connector NAME`.
import { commonCredentials } from '@signetry/common-credentials';
import type { Connector } from '@signetry/connector-sdk';
import { emailNotifications } from '@signetry/email-notifications';
import { fileDiscovery } from '@signetry/file-discovery';
import { fileEntities } from '@signetry/file-entities';
import { logDiscovery } from '@signetry/log-discovery';
import { networkDiscovery } from '@signetry/network-discovery';
import { pkcs11Tokens } from '@signetry/pkcs11-tokens';
import { softwareAuthority, softwareAuthorityLegacy } from '@signetry/software-authority';
import { softwareTokens } from '@signetry/software-tokens';
import { webhookNotifications } from '@signetry/webhook-notifications';
import { x509Rules } from '@signetry/x509-rules';

/** The first connector's authority signs the first certificate. */
export const builtInConnectors = [
  softwareAuthority,
  softwareAuthorityLegacy,
  commonCredentials,
  softwareTokens,
  pkcs11Tokens,
  networkDiscovery,
  x509Rules,
  fileEntities,
  logDiscovery,
  fileDiscovery,
  emailNotifications,
  webhookNotifications,
] as const satisfies readonly [Connector, ...Connector[]];
