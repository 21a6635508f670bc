// Who asks: the certificate of the connection, or a user name with a password (RFC 7030 §3.2.3, §3.3.2).
import { createHash, timingSafeEqual } from 'node:crypto';
import { buildPath, formatName, parseCertificate, PkiError, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { FoundCertificate } from '../../areas/certificates/index.ts';
import type { FindRevocation } from '../../areas/validation/index.ts';
import type { ProtocolCertificates } from '../../areas/issuing/index.ts';
import type { Enrolments } from '../../areas/enrolments/index.ts';
import type { ServedEstProfile } from '../../areas/est-profiles/index.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Authorities } from './authorities.ts';
import { EstRefusal, unauthenticated } from './refusal.ts';

type OneTimeSecret = NonNullable<Awaited<ReturnType<Enrolments['secrets']['findBySecret']>>>;

interface Somebody {
  /** In words. */
  readonly name: string;
  /** Tells requesters apart; of a one-time password only its hash. */
  readonly identity: string;
}

export type Requester = Somebody &
  (
    | {
        readonly by: 'certificate';
        readonly certificate: Certificate;
        /** Of the inventory; undefined: of an authority that the profile trusts besides. */
        readonly own: FoundCertificate | undefined;
      }
    | { readonly by: 'password' }
    /** Undefined: no such secret can be used, but the transaction that it began may be asked for. */
    | { readonly by: 'oneTimePassword'; readonly secret: OneTimeSecret | undefined }
  );

export interface Credentials {
  /** DER of the certificate of the connection, or of the one that a trusted proxy passes on. */
  readonly certificate: () => Uint8Array | undefined;
  /** The header of this name. */
  readonly authorization: string | undefined;
}

export interface RequesterParts {
  readonly clock: Clock;
  readonly authorities: Authorities;
  readonly certificates: Pick<ProtocolCertificates, 'findByContent'>;
  readonly findRevocation: FindRevocation;
  readonly enrolments: Pick<Enrolments, 'secrets'>;
}

/** A certificate that is not accepted is no obstacle where a password is sent as well. */
export async function identify(
  parts: RequesterParts,
  profile: ServedEstProfile,
  { certificate: presented, authorization }: Credentials,
): Promise<Requester> {
  if (authorization !== undefined) return byPassword(parts, profile, authorization);
  const certificate = presented();
  if (certificate !== undefined) return byCertificate(parts, profile, certificate);
  throw unauthenticated('Identify yourself by a TLS client certificate, or by a user name and a password.');
}

async function byPassword(
  { enrolments }: RequesterParts,
  profile: ServedEstProfile,
  authorization: string,
): Promise<Requester> {
  const [scheme = '', value = ''] = authorization.split(' ');
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (scheme.toLowerCase() !== 'basic' || colon < 0)
    throw unauthenticated('The Authorization header must be Basic, with a user name and a password.');
  const [username, password] = [pair.slice(0, colon), pair.slice(colon + 1)];
  const known = profile.passwords.get(username);
  if (known !== undefined) {
    if (!isSame(known, password)) throw unauthenticated('The user name or the password is wrong.');
    return { by: 'password', name: username, identity: `user ${username}` };
  }
  if (!profile.oneTimePasswords || !profile.raProfile) throw unauthenticated('The user name or the password is wrong.');
  const query = { protocol: 'est', raProfileUuid: profile.raProfile.uuid, secret: password } as const;
  const secret = await enrolments.secrets.findBySecret(query);
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

const wordsOf = ({ message }: { readonly message: string }): string => message.replace(/\.$/, '');

/** What a proxy passes on need not be a certificate, and OpenSSL lets in some that are not well-formed. */
function readClientCertificate(der: Uint8Array): Certificate {
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof PkiError)
      throw new EstRefusal(403, `The client certificate cannot be read (${error.code}), so it is not accepted.`);
    throw error;
  }
}

async function byCertificate(parts: RequesterParts, profile: ServedEstProfile, der: Uint8Array): Promise<Requester> {
  const certificate = readClientCertificate(der);
  const { own, trusted } = await parts.authorities(profile);
  const found = await parts.certificates.findByContent(der);
  const name = formatName(certificate.subject);
  const refuse = (why: string): never => {
    throw new EstRefusal(403, `The client certificate ${name} is not accepted: ${why}.`);
  };
  if (found && found.revoked_at !== null) refuse('it is revoked');
  if (found?.archived) refuse('it is archived');
  const nowMs = parts.clock.now().getTime();
  if (nowMs > certificate.notAfterMs) refuse('it has expired');
  if (nowMs < certificate.notBeforeMs) refuse('it is not valid yet');
  const anchors = [...(profile.ownCertificates ? own : []), ...trusted];
  const candidates = anchors.map((anchor) => ({ certificate: anchor, isAnchor: true }));
  const path = buildPath(certificate, { candidates, nowMs, verify: nodeCrypto.verify });
  if (!path.isValid)
    refuse(path.failures[0]?.message.replace(/\.$/, '') ?? 'none of the authorities of the profile issued it');
  const isOwn = own.some((authority) => path.issuers[0]?.certificate === authority);
  // Whatever the authority signed and the platform does not know was not issued here.
  if (isOwn && !found) refuse('the inventory does not hold it');
  if (!isOwn) {
    const issuers = path.issuers.map((each) => each.certificate);
    const revocation = await parts.findRevocation({ certificate, issuers });
    if (revocation.status === 'revoked') refuse(`it or an authority above it is revoked. ${wordsOf(revocation)}`);
    if (revocation.status === 'undetermined')
      refuse(`whether it is revoked could not be found out. ${wordsOf(revocation)}`);
  }
  const identity = `certificate ${createHash('sha256').update(der).digest('hex')}`;
  return { by: 'certificate', name, identity, certificate, own: isOwn ? found : undefined };
}
