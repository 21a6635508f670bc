// Key generation. Keys are generated inside the token, sensitive and not extractable.
import { readString, readStrings, rejectIf, rejected, validateAttributes } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import { CKO } from '../module/constants.ts';
import type { ObjectFacts } from '../module/protocol.ts';
import { nodeCrypto } from '@signetry/pki/node';
import type { TokenRow } from '../tokens/token-store.ts';
import { KEY, keyPairForm, secretKeyForm } from './key-form.ts';
import { factsOf, keyRowsOf, rowOf } from './key-rows.ts';
import { offeredPairs, offeredSecrets, pairTemplates, secretTemplate, type KeyPairSpec } from './key-specs.ts';
import type { KeyParts } from './keys.ts';
import type { KeyRow } from './key-store.ts';
import { publicKeyOf } from './public-key.ts';

/** CKA_ID of secret keys, and of key pairs until the hash of the public key is known. */
const ID_OCTETS = 20;

export async function createKeyPair(
  parts: KeyParts,
  token: TokenRow,
  given: readonly RequestAttributeDto[],
): Promise<{ readonly publicKey: KeyRow; readonly privateKey: KeyRow }> {
  const offered = offeredPairs(await parts.mechanisms(token));
  rejectIf(validateAttributes(keyPairForm(offered), given));
  const spec = offered.find(({ name }) => name === readString(given, KEY.algorithm));
  if (!spec) throw rejected(`Token "${token.name}" cannot generate key pairs.`);
  const label = readString(given, KEY.alias) ?? '';
  const naming = { id: parts.randomBytes(ID_OCTETS), label };
  const made = await generate(parts, token, { spec, naming, decrypts: readDecrypts(spec, given) });
  const key = publicKeyOf(made);
  if (!key) throw new Error(`The token generated a key of type ${spec.name} but does not expose its public key.`);
  const id = await assignKeyId(parts, token, { made: { ...made, ...naming }, id: nodeCrypto.sha1(key.keyBytes) });
  const facts = { facts: factsOf(key), spki: key.spki };
  const row = (objectClass: number): KeyRow => rowOf(token, { objectClass, keyType: made.keyType, id, label }, facts);
  const pair = { publicKey: row(CKO.publicKey), privateKey: row(CKO.privateKey) };
  await parts.store.put([pair.publicKey, pair.privateKey]);
  return pair;
}

interface GenerationSpec {
  readonly spec: KeyPairSpec;
  readonly naming: { readonly id: Uint8Array; readonly label: string };
  readonly decrypts: boolean;
}

/** Tries each form of the parameters in order. Throws the last error if none works. */
async function generate(
  parts: KeyParts,
  token: TokenRow,
  { spec, naming, decrypts }: GenerationSpec,
): Promise<ObjectFacts> {
  const [first, ...others] = spec.parameters.map((parameters) => pairTemplates(spec, naming, { parameters, decrypts }));
  if (!first) throw new Error(`The key type ${spec.name} has no parameters.`);
  let attempt = parts.access.call(token, 'generatePair', first);
  for (const templates of others)
    attempt = attempt.catch((error: unknown) => {
      if (!isTemplateRejection(error)) throw error;
      return parts.access.call(token, 'generatePair', templates);
    });
  return attempt;
}

/** CKR_ATTRIBUTE_VALUE_INVALID, CKR_TEMPLATE_INCONSISTENT, CKR_DOMAIN_PARAMS_INVALID, CKR_CURVE_NOT_SUPPORTED. */
const isTemplateRejection = (error: unknown): boolean =>
  error instanceof Error &&
  /CKR_(ATTRIBUTE_VALUE_INVALID|TEMPLATE_INCONSISTENT|DOMAIN_PARAMS_INVALID|CURVE_NOT_SUPPORTED)|0x140/.test(
    error.message,
  );

/**
 * Sets the usual CKA_ID: the subject key identifier that certificates contain (RFC 5280 §4.2.1.2). Some tokens do not
 * allow changing it.
 */
async function assignKeyId(
  { access }: KeyParts,
  token: TokenRow,
  { made, id }: { readonly made: ObjectFacts; readonly id: Uint8Array },
): Promise<Uint8Array> {
  const { keyType, label } = made;
  const reference = (objectClass: number, present: Uint8Array) => ({ objectClass, keyType, label, id: present });
  if (!(await access.call(token, 'identify', { key: reference(CKO.publicKey, made.id), id }))) return made.id;
  if (await access.call(token, 'identify', { key: reference(CKO.privateKey, made.id), id })) return id;
  // Both halves of a pair must have the same CKA_ID.
  await access.call(token, 'identify', { key: reference(CKO.publicKey, id), id: made.id });
  return made.id;
}

export async function createSecretKey(
  parts: KeyParts,
  token: TokenRow,
  given: readonly RequestAttributeDto[],
): Promise<KeyRow> {
  const offered = offeredSecrets(await parts.mechanisms(token));
  rejectIf(validateAttributes(secretKeyForm(offered), given));
  const spec = offered.find(({ name }) => name === readString(given, KEY.algorithm));
  if (!spec) throw rejected(`Token "${token.name}" cannot generate secret keys.`);
  const naming = { id: parts.randomBytes(ID_OCTETS), label: readString(given, KEY.alias) ?? '' };
  const made = await parts.access.call(token, 'generateSecret', secretTemplate(spec, naming));
  // Some tokens do not expose the length of a generated key, so it is taken from the specification.
  const [row] = keyRowsOf(token, [{ ...made, ...naming, valueLength: spec.octets }]);
  if (!row) throw new Error(`The token generated a key of a type other than ${spec.name}.`);
  await parts.store.put([row]);
  return row;
}

function readDecrypts(spec: KeyPairSpec, given: readonly RequestAttributeDto[]): boolean {
  const uses = readStrings(given, KEY.uses);
  if (uses.length === 0) return spec.canDecrypt === true;
  if (!uses.includes('sign')) throw rejected('A key that cannot sign cannot be certified: also select the use "sign".');
  if (uses.includes('decrypt') && !spec.canDecrypt)
    throw rejected(`Keys of type ${spec.name} cannot be used to decrypt.`);
  return uses.includes('decrypt');
}
