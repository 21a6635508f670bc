// Every command, in the order of help.
import type { Command } from '../command-line/command.ts';
import { completion } from './completion.ts';
import { showAcmeDirectory } from './acme.ts';
import { verifyAudit } from './audit.ts';
import { checkConnectorCommand } from './check-connector.ts';
import {
  declareNotIssued,
  renewCertificate,
  requestCertificate,
  revokeCertificate,
  showCertificate,
} from './certificates.ts';
import { createEabKey, listEabKeys, revokeEabKey, showEabKey } from './eab-keys.ts';
import { approveConnector, listConnectors, reconnectConnector, showConnector } from './connectors.ts';
import { rotateKeysAtRest, showKeysAtRest } from './keys-at-rest.ts';
import { listCertificates } from './list-certificates.ts';
import { login } from './login.ts';
import { config, connector, start } from './servers.ts';
import { signIn } from './sign-in.ts';
import { status } from './status.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

export const commands: readonly Command[] = [
  start,
  status,
  config,
  // before the command that takes any word after `connector`
  checkConnectorCommand,
  connector,
  requestCertificate,
  listCertificates,
  showCertificate,
  renewCertificate,
  revokeCertificate,
  declareNotIssued,
  showAcmeDirectory,
  createEabKey,
  listEabKeys,
  showEabKey,
  revokeEabKey,
  listConnectors,
  showConnector,
  approveConnector,
  reconnectConnector,
  signIn,
  login,
  createToken,
  listTokens,
  revokeToken,
  verifyAudit,
  showKeysAtRest,
  rotateKeysAtRest,
  completion(() => commands),
];
