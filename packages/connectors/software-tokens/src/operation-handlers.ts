// Cryptographic operations: sign, verify, encrypt, decrypt, and generate random numbers. A call's items are processed
// in order. If one item cannot be processed, the whole call is rejected.
import {
  pairSignatures,
  readCipherMechanism,
  readSignatureMechanism,
  rejected,
  type FunctionHandlers,
} from '@signetry/connector-sdk';
import type { OpenKey } from './keys/open-key.ts';
import { useKey } from './keys/use-key.ts';
import { decryptItem, encryptItem } from './operations/ciphers.ts';
import { resultItem, readItems, rejectInvalidCount } from './operations/items.ts';
import { checkSignature, createSignature } from './operations/signatures.ts';
import type { ConnectorParts } from './parts.ts';
import { findToken } from './token-handlers.ts';
import { eachInTurn } from './turns.ts';

/** Maximum number of random bytes per call. */
const MAX_RANDOM_BYTES = 1024 * 1024;

interface KeyParams {
  readonly uuid: string;
  readonly keyUuid: string;
}

const keyReferenceOf = ({ uuid, keyUuid }: KeyParams) => ({ token: uuid, key: keyUuid });

/** Each half of a key pair supports different operations. Operations for the other half are rejected. */
function rejectWrongHalf({ type }: OpenKey, wrong: OpenKey['type'], what: string): void {
  if (type === wrong) throw rejected(`A ${type.toLowerCase()} key cannot ${what}; use the other key of the pair.`);
}

export const operationHandlers = (parts: ConnectorParts) =>
  ({
    signData: ({ params, body, signal }) => {
      const items = readItems(body.data, 'sign');
      return useKey(parts, keyReferenceOf(params), async (key) => {
        rejectWrongHalf(key, 'Public', 'sign');
        const mechanism = readSignatureMechanism(key, body.signatureAttributes);
        const signatures = await eachInTurn(items, {
          signal,
          work: ({ octets: data }) => createSignature({ key, mechanism, data }, parts.slowLane),
        });
        return { signatures: signatures.map((made, place) => resultItem(items[place], made)) };
      });
    },
    verifyData: ({ params, body, signal }) => {
      rejectInvalidCount(body.data, 'verify');
      rejectInvalidCount(body.signatures, 'verify');
      const pairs = pairSignatures(body.data, body.signatures);
      return useKey(parts, keyReferenceOf(params), async (key) => {
        rejectWrongHalf(key, 'Private', 'verify');
        const mechanism = readSignatureMechanism(key, body.signatureAttributes);
        const verdicts = await eachInTurn(pairs, {
          signal,
          work: ({ data, signature }) =>
            checkSignature({ key, mechanism, data: Buffer.from(data, 'base64') }, Buffer.from(signature, 'base64')),
        });
        return {
          verifications: pairs.map(({ identifier }, place) => ({
            result: verdicts[place] ?? false,
            ...(identifier === undefined ? {} : { identifier }),
          })),
        };
      });
    },
    encryptData: ({ params, body, signal }) => {
      const items = readItems(body.cipherData, 'encrypt');
      return useKey(parts, keyReferenceOf(params), async (key) => {
        rejectWrongHalf(key, 'Private', 'encrypt');
        const mechanism = readCipherMechanism(key, body.cipherAttributes);
        const work = ({ octets }: { octets: Uint8Array }) => encryptItem(key, mechanism, octets);
        const encrypted = await eachInTurn(items, { signal, work });
        return { encryptedData: encrypted.map((made, place) => resultItem(items[place], made)) };
      });
    },
    decryptData: ({ params, body, signal }) => {
      const items = readItems(body.cipherData, 'decrypt');
      return useKey(parts, keyReferenceOf(params), async (key) => {
        rejectWrongHalf(key, 'Public', 'decrypt');
        const mechanism = readCipherMechanism(key, body.cipherAttributes, { decrypts: true });
        const work = ({ octets }: { octets: Uint8Array }) => decryptItem(key, mechanism, octets);
        const decrypted = await eachInTurn(items, { signal, work });
        return { decryptedData: decrypted.map((made, place) => resultItem(items[place], made)) };
      });
    },
    randomData: async ({ params, body }) => {
      await parts.active.get(params.uuid);
      if (body.length < 1 || body.length > MAX_RANDOM_BYTES)
        throw rejected(`The number of random bytes must be between 1 and ${MAX_RANDOM_BYTES}, not ${body.length}.`);
      return { data: Buffer.from(parts.context.randomBytes(body.length)).toString('base64') };
    },
    listRandomAttributes: async ({ params }) => {
      await findToken(parts, params.uuid);
      return [];
    },
  }) satisfies Partial<FunctionHandlers<'cryptographyProvider'>>;
