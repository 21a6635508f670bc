// Identifies the requester by the connection's certificate, or by username and password (RFC 7030 §3.2.3, §3.3.2).
import { createHash, timingSafeEqual } from 'node:crypto';
import { buildPath, formatName, parseCertificate, PkiError, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { FoundCertificate } from '../../areas/certificates/index.ts';
import type { FindRevocation } from '../../areas/validation/index.ts';
import type { ProtocolCertificates } from '../../areas/issuing/index.ts';
import type { Enrollments } from '../../areas/enrollments/index.ts';
import type { ServedEstProfile } from '../../areas/est-profiles/index.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Authorities } from './authorities.ts';
import { EstRejection, unauthenticated } from './rejection.ts';

type OneTimeSecret = NonNullable<Awaited<ReturnType<Enrollments['secrets']['findBySecret']>>>;

interface BaseRequester {
  /** Display name. */
  readonly name: string;
  /** Value that distinguishes requesters; contains only the hash of a one-time password. */
  readonly identity: string;
}

export type Requester = BaseRequester &
  (
    | {
        readonly by: 'certificate';
        readonly certificate: Certificate;
        /**
         * Certificate in the inventory; undefined if it was issued by an additional authority that the profile trusts.
         */
        readonly own: FoundCertificate | undefined;
      }
    | { readonly by: 'password' }
    /** Undefined if the secret can no longer be used; the transaction that it started can still be queried. */
    | { readonly by: 'oneTimePassword'; readonly secret: OneTimeSecret | undefined }
  );

export interface Credentials {
  /** Returns the DER certificate of the connection, or the one forwarded by a trusted proxy. */
  readonly certificate: () => Uint8Array | undefined;
  /** Value of the Authorization header. */
  readonly authorization: string | undefined;
}

export interface RequesterParts {
  readonly clock: Clock;
  readonly authorities: Authorities;
  readonly certificates: Pick<ProtocolCertificates, 'findByContent'>;
  readonly findRevocation: FindRevocation;
  readonly enrollments: Pick<Enrollments, 'secrets'>;
}

/** Identifies the requester. If a password is sent, an unacceptable certificate is ignored. */
export async function identify(
  parts: RequesterParts,
  profile: ServedEstProfile,
  { certificate: presented, authorization }: Credentials,
): Promise<Requester> {
  if (authorization !== undefined) return identifyByPassword(parts, profile, authorization);
  const certificate = presented();
  if (certificate !== undefined) return identifyByCertificate(parts, profile, certificate);
  throw unauthenticated('Authenticate with a TLS client certificate or a username and password.');
}

async function identifyByPassword(
  { enrollments }: RequesterParts,
  profile: ServedEstProfile,
  authorization: string,
): Promise<Requester> {
  const [scheme = '', value = ''] = authorization.split(' ');
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (scheme.toLowerCase() !== 'basic' || colon < 0)
    throw unauthenticated('The Authorization header must use the Basic scheme, with a username and a password.');
  const [username, password] = [pair.slice(0, colon), pair.slice(colon + 1)];
  const known = profile.passwords.get(username);
  if (known !== undefined) {
    if (!isSame(known, password)) throw unauthenticated('The username or password is incorrect.');
    return { by: 'password', name: username, identity: `user ${username}` };
  }
  if (!profile.oneTimePasswords || !profile.raProfile) throw unauthenticated('The username or password is incorrect.');
  const query = { protocol: 'est', raProfileUuid: profile.raProfile.uuid, secret: password } as const;
  const secret = await enrollments.secrets.findBySecret(query);
  return {
    by: 'oneTimePassword',
    name: `one-time password ${username}`,
    identity: `secret ${sha256(`${username}:${password}`)}`,
    secret: secret?.reference === username ? secret : undefined,
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

const describeError = ({ message }: { readonly message: string }): string => message.replace(/\.$/, '');

/**
 * Parses the certificate, which may be malformed: a proxy may forward data that is not a certificate, and OpenSSL
 * accepts some malformed certificates.
 */
function readClientCertificate(der: Uint8Array): Certificate {
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof PkiError)
      throw new EstRejection(
        403,
        `The client certificate cannot be parsed (${error.code}) and is therefore not accepted.`,
      );
    throw error;
  }
}

async function identifyByCertificate(
  parts: RequesterParts,
  profile: ServedEstProfile,
  der: Uint8Array,
): Promise<Requester> {
  const certificate = readClientCertificate(der);
  const { own, trusted } = await parts.authorities(profile);
  const found = await parts.certificates.findByContent(der);
  const name = formatName(certificate.subject);
  const reject = (why: string): never => {
    throw new EstRejection(403, `The client certificate ${name} is not accepted: ${why}.`);
  };
  if (found && found.revoked_at !== null) reject('it is revoked');
  if (found?.archived) reject('it is archived');
  const nowMs = parts.clock.now().getTime();
  if (nowMs > certificate.notAfterMs) reject('it has expired');
  if (nowMs < certificate.notBeforeMs) reject('it is not yet valid');
  const anchors = [...(profile.ownCertificates ? own : []), ...trusted];
  const candidates = anchors.map((anchor) => ({ certificate: anchor, isAnchor: true }));
  const path = buildPath(certificate, { candidates, nowMs, verify: nodeCrypto.verify });
  if (!path.isValid)
    reject(path.failures[0]?.message.replace(/\.$/, '') ?? 'it was not issued by an authority of the profile');
  const isOwn = own.some((authority) => path.issuers[0]?.certificate === authority);
  // A certificate that the authority signed but the platform does not know was not issued here.
  if (isOwn && !found) reject('it is not in the inventory');
  if (!isOwn) {
    const issuers = path.issuers.map((each) => each.certificate);
    const revocation = await parts.findRevocation({ certificate, issuers });
    if (revocation.status === 'revoked') reject(`it or an authority above it is revoked. ${describeError(revocation)}`);
    if (revocation.status === 'undetermined')
      reject(`its revocation status cannot be determined. ${describeError(revocation)}`);
  }
  const identity = `certificate ${createHash('sha256').update(der).digest('hex')}`;
  return { by: 'certificate', name, identity, certificate, own: isOwn ? found : undefined };
}
