// Shared by tests: databases, platform services, clocks. Never imported by the product.
export {
  startDnsServer,
  type DnsFault,
  type DnsRecord,
  type DnsServer,
  type DnsServerOptions,
  type DnsZone,
} from './acme/dns-server.ts';
export { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';
export { startFaultProxy, type Fault, type FaultOptions, type FaultProxy, type ForwardedCall } from './fault-proxy.ts';
export { startTestCluster, type ClusterFacts, type TestCluster } from './test-cluster.ts';
export { testDatabase, testDatabaseWithConnection, type TestDatabase } from './test-database.ts';
export { closing, createFakeClock, testPlatform, type FakeClock } from './test-platform-services.ts';
export {
  sharedTestServer,
  startTestServer,
  type TestServer,
  type TestServerFacts,
  type TestServerOptions,
} from './test-server.ts';
export { acmeAbuses, type AbuseContext, type AcmeAbuse, type AcmeAbuseName } from './acme/acme-abuses.ts';
export {
  createAcmeTestClient,
  type AcmeTestClient,
  type AcmeTestClientOptions,
  type KeyChangeOverrides,
  type PollOptions,
  type SignedOverrides,
} from './acme/acme-client.ts';
export {
  bindExternalAccount,
  makeJws,
  type ExternalAccount,
  type FlatJws,
  type JwsOverrides,
} from './acme/acme-jws.ts';
export {
  acmeKey,
  ACME_KEY_SPECS,
  dnsChallengeValue,
  generateAcmeKey,
  keyAuthorization,
  type AcmeKeySpec,
  type AcmeTestKey,
} from './acme/acme-key.ts';
export type {
  AcmeAccount,
  AcmeAuthorization,
  AcmeChallenge,
  AcmeDirectory,
  AcmeIdentifier,
  AcmeOrder,
  AcmeProblem,
} from './acme/acme-objects.ts';
export type { AcmeReply, RawRequest } from './acme/acme-transport.ts';
export { alpnCertificate, serverNameOf, type AlpnCertificateOptions } from './acme/alpn-certificate.ts';
export {
  startHttpChallengeServer,
  startTlsAlpnChallengeServer,
  type AlpnConnection,
  type ChallengeServerOptions,
  type HttpChallengeRequest,
  type HttpChallengeServer,
  type HttpMisbehaviour,
  type TlsAlpnChallengeServer,
  type TlsAlpnChallengeServerOptions,
} from './acme/challenge-servers.ts';
export { openConnection, statusesOf, type RawConnection } from './raw-connection.ts';
export { makeSigningRequest, type SigningRequest, type SigningRequestOptions } from './acme/signing-request.ts';
export { faults, type PlantedFault } from './connectors/faulty-authority.ts';
export { startPlainAuthority, type PlainAuthority } from './connectors/plain-authority.ts';
export { PLAIN_KIND } from './connectors/plain-forms.ts';
export { createSoftwarePasskey, type SoftwarePasskey } from './software-authenticator.ts';
