// ACME client that can misbehave, and the servers that answer its challenges.
export {
  startDnsServer,
  type DnsFault,
  type DnsRecord,
  type DnsServer,
  type DnsServerOptions,
  type DnsZone,
} from './dns-server.ts';
export { acmeAbuses, type AbuseContext, type AcmeAbuse, type AcmeAbuseName } from './acme-abuses.ts';
export {
  createAcmeTestClient,
  type AcmeTestClient,
  type AcmeTestClientOptions,
  type KeyChangeOverrides,
  type PollOptions,
  type SignedOverrides,
} from './acme-client.ts';
export { bindExternalAccount, makeJws, type ExternalAccount, type FlatJws, type JwsOverrides } from './acme-jws.ts';
export {
  acmeKey,
  ACME_KEY_SPECS,
  dnsChallengeValue,
  generateAcmeKey,
  keyAuthorization,
  type AcmeKeySpec,
  type AcmeTestKey,
} from './acme-key.ts';
export type {
  AcmeAccount,
  AcmeAuthorization,
  AcmeChallenge,
  AcmeDirectory,
  AcmeIdentifier,
  AcmeOrder,
  AcmeProblem,
} from './acme-objects.ts';
export type { AcmeReply, RawRequest } from './acme-transport.ts';
export { alpnCertificate, serverNameOf, type AlpnCertificateOptions } from './alpn-certificate.ts';
export {
  startHttpChallengeServer,
  startTlsAlpnChallengeServer,
  type AlpnConnection,
  type ChallengeServerOptions,
  type HttpChallengeRequest,
  type HttpChallengeServer,
  type HttpMisbehavior,
  type TlsAlpnChallengeServer,
  type TlsAlpnChallengeServerOptions,
} from './challenge-servers.ts';
export { makeSigningRequest, type SigningRequest, type SigningRequestOptions } from './signing-request.ts';
