// Signs with keys in tokens, and verifies signatures.
import { timingSafeEqual } from 'node:crypto';
import {
  ConnectorError,
  octetsOf,
  pairSignatures,
  readSignatureMechanism,
  rejected,
  type SignatureMechanism,
} from '@signetry/connector-sdk';
import type {
  ProviderSignDataRequestDto,
  ProviderSignDataResponseDto,
  ProviderVerifyDataRequestDto,
  VerifyDataResponseDto,
} from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import { referenceOf } from '../keys/key-rows.ts';
import type { KeyRow } from '../keys/key-store.ts';
import type { KeyParts } from '../keys/keys.ts';
import { CKO } from '../module/constants.ts';
import type { TokenRow } from '../tokens/token-store.ts';
import { numbersOf } from './mechanism-numbers.ts';
import { signingPlan, type SigningPlan } from './signing-plan.ts';
import { isSignedBy } from './verify.ts';

interface Use {
  readonly token: TokenRow;
  readonly keyUuid: string;
}

export async function signData(
  parts: KeyParts,
  { token, keyUuid }: Use,
  { signatureAttributes, data }: ProviderSignDataRequestDto,
): Promise<ProviderSignDataResponseDto> {
  return parts.turns.use(keyUuid, async () => {
    const key = await parts.find(token, keyUuid);
    const mechanism = readSignatureMechanism(key.facts, signatureAttributes);
    requireSigningKey(key);
    const plan = signingPlan(key, mechanism, await numbersOf(parts, token));
    const signatures = await Promise.all(
      data.map(async (item) => {
        const octets = octetsOf(item.data);
        const signature = await signatureOf(parts, { token, key, plan }, octets);
        rejectInvalidSignature(key, { mechanism, data: octets, signature });
        return { ...item, data: toBase64(signature) };
      }),
    );
    return { signatures };
  });
}

function requireSigningKey(key: KeyRow): void {
  if (key.object_class === CKO.publicKey)
    throw rejected(`"${key.label}" is a public key. Use the private key of the pair to sign.`);
  if (key.object_class === CKO.privateKey && !key.spki)
    throw rejected(
      `The public key of "${key.label}" is not on the token, so its signatures could not be verified. Store the public key or a certificate on the token with the same CKA_ID, then list the keys again.`,
    );
}

async function signatureOf(
  { access }: KeyParts,
  { token, key, plan }: { readonly token: TokenRow; readonly key: KeyRow; readonly plan: SigningPlan },
  data: Uint8Array,
): Promise<Uint8Array> {
  const { mechanism, input, output } = plan;
  const request = { key: referenceOf(key), mechanism, data: input(data), keyUuid: key.uuid };
  return output(Uint8Array.from(await access.call(token, 'sign', request)));
}

/** A faulty RSA-CRT signature reveals the private key (Boneh, DeMillo, Lipton 1997), so it is never returned. */
function rejectInvalidSignature(
  { facts, spki, label }: KeyRow,
  signed: { readonly mechanism: SignatureMechanism; readonly data: Uint8Array; readonly signature: Uint8Array },
): void {
  if (!spki || isSignedBy({ facts, spki, ...signed })) return;
  throw new ConnectorError(
    500,
    `The token created a signature that cannot be verified with the public key of "${label}".`,
  );
}

export async function verifyData(
  parts: KeyParts,
  { token, keyUuid }: Use,
  { signatureAttributes, data, signatures }: ProviderVerifyDataRequestDto,
): Promise<VerifyDataResponseDto> {
  const key = await parts.find(token, keyUuid);
  const mechanism = readSignatureMechanism(key.facts, signatureAttributes);
  const verdicts = await Promise.all(
    pairSignatures(data, signatures).map(async (pair) => {
      const [octets, signature] = [octetsOf(pair.data), octetsOf(pair.signature)];
      const result = await verdictOn(parts, { token, key, mechanism }, { octets, signature });
      return { result, ...(pair.identifier === undefined ? {} : { identifier: pair.identifier }) };
    }),
  );
  return { verifications: verdicts };
}

async function verdictOn(
  parts: KeyParts,
  { token, key, mechanism }: { readonly token: TokenRow; readonly key: KeyRow; readonly mechanism: SignatureMechanism },
  { octets, signature }: { readonly octets: Uint8Array; readonly signature: Uint8Array },
): Promise<boolean> {
  const { facts, spki } = key;
  if (spki) return isSignedBy({ facts, spki, mechanism, data: octets, signature });
  if (mechanism.kind !== 'hmac') throw rejected(`The public key of "${key.label}" is unknown.`);
  const plan = signingPlan(key, mechanism, await numbersOf(parts, token));
  const expected = await parts.turns.use(key.uuid, () => signatureOf(parts, { token, key, plan }, octets));
  return expected.length === signature.length && timingSafeEqual(expected, signature);
}
