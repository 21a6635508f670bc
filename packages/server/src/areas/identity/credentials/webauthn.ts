// Verifies the browser's responses in the two WebAuthn ceremonies. A library performs the verification. It is loaded on
// first use, because loading takes 0.2 s and 29 MB, and a platform without passkeys never needs it.
import type { NewPasskeyCredential, PasskeyAssertion } from '@signetry/contract';
import type { RelyingParty } from './relying-party.ts';

/** COSE algorithms (RFC 9053) for new passkeys, in order of preference: ES256, EdDSA, RS256. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;

/** Challenge and relying party that a response must match. */
interface ExpectedResponse {
  readonly challenge: string;
  readonly party: RelyingParty;
}

export interface VerifiedPasskey {
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly synced: boolean;
}

const loadLibrary = () => import('@simplewebauthn/server');

/** Returns the challenge that the browser claims to have signed, without verifying anything. */
export function challengeIn(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as Readonly<
      Record<string, unknown>
    >;
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the new passkey, or undefined unless it was created for this platform and this challenge, with user
 * verification.
 */
export async function verifyNewPasskey(
  credential: NewPasskeyCredential,
  { challenge, party }: ExpectedResponse,
): Promise<VerifiedPasskey | undefined> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const response = { ...credential, clientExtensionResults: {} };
  const result = await verifyRegistrationResponse({
    // The library's type lists the transports that it knows; ours are strings.
    response: response as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.host,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  }).catch(onMismatch);
  if (!result?.verified) return undefined;
  const { credential: made, credentialDeviceType } = result.registrationInfo;
  return {
    credentialId: Buffer.from(made.id, 'base64url'),
    publicKey: made.publicKey,
    signCount: made.counter,
    transports: credential.response.transports ?? [],
    synced: credentialDeviceType === 'multiDevice',
  };
}

/**
 * Returns a valid assertion's signature counter, or undefined. Whether the counter has increased is decided when the
 * row is updated, because two assertions may arrive simultaneously.
 */
export async function verifyAssertion(
  assertion: PasskeyAssertion,
  { challenge, party, publicKey }: ExpectedResponse & { readonly publicKey: Uint8Array },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const result = await verifyAuthenticationResponse({
    response: { ...assertion, clientExtensionResults: {} } as Parameters<
      typeof verifyAuthenticationResponse
    >[0]['response'], // These members are optional.
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.host,
    requireUserVerification: true,
    credential: { id: assertion.id, publicKey: Uint8Array.from(publicKey), counter: 0 },
  }).catch(onMismatch);
  return result?.verified ? result.authenticationInfo.newCounter : undefined;
}

/** The library throws on any mismatch, and the error message contains the challenge. */
const onMismatch = (): undefined => undefined;
