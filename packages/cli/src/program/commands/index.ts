// All commands, in the order in which help lists them.
import type { Command } from '../command-line/command.ts';
import { approveApproval, listApprovals, rejectApproval, showApproval } from './approvals.ts';
import { completion } from './completion.ts';
import { showAcmeDirectory } from './acme.ts';
import { verifyAudit } from './verify-audit.ts';
import { checkCompliance } from './check-compliance.ts';
import { checkDatabase } from './check-database.ts';
import { checkConnectorCommand } from './check-connector.ts';
import {
  declareNotIssued,
  releaseCertificate,
  renewCertificate,
  requestCertificate,
  revokeCertificate,
  showCertificate,
} from './certificates.ts';
import {
  archiveCertificates,
  assignCertificates,
  deleteCertificates,
  unarchiveCertificates,
} from './change-certificates.ts';
import { listAuthorities } from './authorities.ts';
import { listCredentials, showCredential } from './credentials.ts';
import { listDiscoveries, showDiscovery, startDiscovery } from './discoveries.ts';
import { createEnrollmentSecret, listEnrollmentSecrets, revokeEnrollmentSecret } from './enrollment-secrets.ts';
import { listEnrollments } from './enrollments.ts';
import { listEntities, showEntity } from './entities.ts';
import { createEabKey, listEabKeys, revokeEabKey, showEabKey } from './eab-keys.ts';
import { approveConnector, listConnectors, reconnectConnector, showConnector } from './connectors.ts';
import { discover } from './discover.ts';
import { rotateKeysAtRest, showKeysAtRest } from './keys-at-rest.ts';
import { disableJob, enableJob, listJobs, runJob, showJob } from './jobs.ts';
import { exportCertificate, importKeyFile } from './key-files.ts';
import { createKey, destroyKey, listKeys, showKey } from './keys.ts';
import { listAudit } from './list-audit.ts';
import { listEvents } from './list-events.ts';
import { importCertificates } from './import-certificates.ts';
import { listCertificates } from './list-certificates.ts';
import { issueInLocation, pushToLocation, removeFromLocation, renewInLocation } from './change-locations.ts';
import { listLocations, probeLocation, showLocation, syncLocation } from './locations.ts';
import { login } from './login.ts';
import { lint } from './lint.ts';
import { listOids } from './oids.ts';
import { createCmpProfile, createEstProfile, createScepProfile } from './create-protocol-profiles.ts';
import { listCmpProfiles, listEstProfiles, listScepProfiles } from './protocol-profiles.ts';
import { simulate } from './simulate.ts';
import { config, connector, start } from './servers.ts';
import { setCmpSecret, setScepChallenge } from './shared-secrets.ts';
import { signIn } from './sign-in.ts';
import { status } from './status.ts';
import { activateTokenStore, deactivateTokenStore, listTokenStores } from './token-stores.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';
import { createUser, inviteUser } from './users.ts';

export const commands: readonly Command[] = [
  start,
  status,
  config,
  // This command must precede the one that accepts any word after `connector`.
  checkConnectorCommand,
  connector,
  requestCertificate,
  importCertificates,
  discover,
  listCertificates,
  showCertificate,
  renewCertificate,
  revokeCertificate,
  releaseCertificate,
  declareNotIssued,
  exportCertificate,
  assignCertificates,
  archiveCertificates,
  unarchiveCertificates,
  deleteCertificates,
  simulate,
  lint,
  checkCompliance,
  listApprovals,
  showApproval,
  approveApproval,
  rejectApproval,
  showAcmeDirectory,
  createEabKey,
  listEabKeys,
  showEabKey,
  revokeEabKey,
  listCmpProfiles,
  createCmpProfile,
  setCmpSecret,
  listScepProfiles,
  createScepProfile,
  setScepChallenge,
  listEstProfiles,
  createEstProfile,
  listEnrollments,
  createEnrollmentSecret,
  listEnrollmentSecrets,
  revokeEnrollmentSecret,
  listConnectors,
  showConnector,
  approveConnector,
  reconnectConnector,
  listDiscoveries,
  showDiscovery,
  startDiscovery,
  listJobs,
  showJob,
  runJob,
  enableJob,
  disableJob,
  listEntities,
  showEntity,
  listLocations,
  showLocation,
  syncLocation,
  pushToLocation,
  issueInLocation,
  renewInLocation,
  removeFromLocation,
  probeLocation,
  listCredentials,
  showCredential,
  listAuthorities,
  listTokenStores,
  activateTokenStore,
  deactivateTokenStore,
  listKeys,
  showKey,
  createKey,
  importKeyFile,
  destroyKey,
  listOids,
  signIn,
  login,
  createToken,
  listTokens,
  revokeToken,
  createUser,
  inviteUser,
  listAudit,
  listEvents,
  verifyAudit,
  checkDatabase,
  showKeysAtRest,
  rotateKeysAtRest,
  completion(() => commands),
];
