// The two ceremonies of WebAuthn: whether what a browser answered is right. A library verifies. It is loaded when it is
// first needed: it takes 0.2 s and 29 MB, and a platform without passkeys never needs it.
import type { NewPasskeyCredential, PasskeyAssertion } from '@signetry/contract';
import type { RelyingParty } from './relying-party.ts';

/** COSE algorithms (RFC 9053) of new passkeys, the preferred first: ES256, EdDSA, RS256. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;

/** What a browser answered, and to what. */
interface Answer {
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

const library = () => import('@simplewebauthn/server');

/** The challenge that the browser says it answered. Nothing is proved by that. */
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

/** The new passkey, or nothing when it was not made for this platform, this challenge, and with user verification. */
export async function verifyNewPasskey(
  credential: NewPasskeyCredential,
  { challenge, party }: Answer,
): Promise<VerifiedPasskey | undefined> {
  const { verifyRegistrationResponse } = await library();
  const response = { ...credential, clientExtensionResults: {} };
  const result = await verifyRegistrationResponse({
    // its names of transports are those that it knows; ours are texts
    response: response as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.host,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  }).catch(refused);
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
 * How far the authenticator of a right answer counts, or nothing when the answer is wrong. Whether it counted on is for
 * the row to decide: two answers may come at once.
 */
export async function verifyAssertion(
  assertion: PasskeyAssertion,
  { challenge, party, publicKey }: Answer & { readonly publicKey: Uint8Array },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const result = await verifyAuthenticationResponse({
    response: { ...assertion, clientExtensionResults: {} } as Parameters<
      typeof verifyAuthenticationResponse
    >[0]['response'], // members that may be absent
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.host,
    requireUserVerification: true,
    credential: { id: assertion.id, publicKey: Uint8Array.from(publicKey), counter: 0 },
  }).catch(refused);
  return result?.verified ? result.authenticationInfo.newCounter : undefined;
}

/** The library throws for whatever does not fit, with the challenge in its text. */
const refused = (): undefined => undefined;
