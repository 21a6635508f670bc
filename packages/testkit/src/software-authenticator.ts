// Software WebAuthn authenticator with its browser: creates passkeys and signs with them, and falsifies data where a
// test requires it. ES256 and attestation `none` only.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** Facts that a browser would report truthfully; a test can falsify them. */
export interface CeremonyFacts {
  readonly origin: string;
  readonly challenge: string;
  readonly host?: string;
  readonly userVerified?: boolean;
  readonly type?: string;
}

export interface SoftwarePasskey {
  readonly id: string;
  /** Result of `PublicKeyCredential.toJSON()` for the new passkey. */
  readonly credential: { readonly id: string; readonly response: { readonly clientDataJSON: string } };
  /** Returns its result for an assertion. */
  assert(facts: CeremonyFacts & { readonly signCount?: number; readonly userHandle?: string }): {
    readonly id: string;
    readonly response: { readonly signature: string };
  };
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export function createSoftwarePasskey(facts: CeremonyFacts & { readonly signCount?: number }): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(32);
  const id = rawId.toString('base64url');
  const attested = Buffer.concat([Buffer.alloc(16), uint(rawId.length, 2), rawId, coseKey(publicKey)]);
  const authData = Buffer.concat([authenticatorData(facts, HAS_CREDENTIAL), attested]);
  const nothingAttested = [cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.of(0xa0)];
  const octets = Buffer.concat([Buffer.of(0x59), uint(authData.length, 2), authData]);
  const attestationObject = Buffer.concat([Buffer.of(0xa3), ...nothingAttested, cborText('authData'), octets]);
  const shared = { id, rawId: id, type: 'public-key' } as const;
  return {
    id,
    credential: {
      ...shared,
      response: {
        clientDataJSON: clientData(facts, 'webauthn.create').toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    } as SoftwarePasskey['credential'],
    assert(asked) {
      const client = clientData(asked, 'webauthn.get');
      const data = authenticatorData(asked, 0);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        ...shared,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          ...(asked.userHandle === undefined ? {} : { userHandle: asked.userHandle }),
        },
      };
    },
  };
}

const clientData = ({ type, challenge, origin }: CeremonyFacts, usual: string): Buffer =>
  Buffer.from(JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin: false }));

/** Returns the authenticator data (WebAuthn §6.1). */
function authenticatorData(
  { origin, host, userVerified = true, signCount = 0 }: CeremonyFacts & { readonly signCount?: number },
  flags: number,
): Buffer {
  const hostHash = createHash('sha256')
    .update(host ?? new URL(origin).hostname)
    .digest();
  const present = USER_PRESENT | (userVerified ? USER_VERIFIED : 0) | flags;
  return Buffer.concat([hostHash, Buffer.of(present), uint(signCount, 4)]);
}

/** Returns the COSE form (RFC 9053 §7.1.1) of a P-256 key. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const [head, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  return Buffer.concat([head, Buffer.from(x, 'base64url'), between, Buffer.from(y, 'base64url')]);
}

/** Encodes text of fewer than 24 bytes. */
const cborText = (text: string): Buffer => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);

function uint(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}
