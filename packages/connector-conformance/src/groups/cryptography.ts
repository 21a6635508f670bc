// Cryptography providers: keys are actually generated, and independent code verifies their signatures with the public
// key.
import { randomUUID } from 'node:crypto';
import { cryptographyProviderOperations as cryptography, KeyDataResponseDto } from '@signetry/contract';
import { equalBytes, toBase64 } from '@signetry/pki';
import { publicKeyOf, signatureRules, isValidSignature } from '../certificates/signatures.ts';
import { problemsOfDefinitions } from '../definitions.ts';
import { checkForm, checkUseRejects, type FilledForm } from '../forms.ts';
import type { Scope } from '../scope.ts';
import { expect, requireResult, isSuccess, parseReply, type Call } from '../session.ts';
import { checkInstances, checkRemoval, type InstanceKind } from './instances.ts';

const tokens: InstanceKind = {
  noun: 'token',
  one: 'a token',
  list: cryptography.listTokenInstances,
  create: cryptography.createTokenInstance,
  get: cryptography.getTokenInstance,
  update: cryptography.updateTokenInstance,
  remove: cryptography.removeTokenInstance,
  params: (uuid) => ({ uuid }),
};

type Params = Call['params'] & object;

export async function checkCryptographyProvider(scope: Scope): Promise<void> {
  const instance = await checkInstances(scope, tokens);
  await checkOption(scope);
  if (instance) {
    const { params } = instance;
    await checkActivation(scope, params);
    const profile = await checkForm(scope, {
      of: 'token profile',
      list: cryptography.listTokenProfileAttributes,
      validate: cryptography.validateTokenProfileAttributes,
      params,
    });
    await checkKeyPair(scope, params, profile);
    await checkSecretKey(scope, params, profile);
    await checkRandom(scope, params);
    await checkDeactivation(scope, params);
  }
  await checkRemoval(scope, tokens, instance);
}

/** Checks a callback that only one product uses, although every connector has its endpoint. */
async function checkOption(scope: Scope): Promise<void> {
  await scope.check('responds to the callback of the token creation option, or returns 404', async () => {
    scope.need(cryptography.getCreateTokenAttributes);
    const request = scope.requestOf(cryptography.getCreateTokenAttributes, { params: { option: 'new' } });
    const reply = await scope.session.exchange(request);
    if (!isSuccess(reply))
      return scope.session.requireRefusal(cryptography.getCreateTokenAttributes, reply, [404, 422]);
    const listed = await scope.session.ask(cryptography.getCreateTokenAttributes, { params: { option: 'new' } });
    const problems = problemsOfDefinitions(listed);
    expect(problems.length === 0, problems.join(' '), 'well-formed definitions');
  });
}

// ---- tokens ----

async function checkActivation(scope: Scope, params: Params): Promise<void> {
  const { session } = scope;
  await scope.check('returns the token status', async () => {
    await session.ask(cryptography.getTokenInstanceStatus, { params });
    await session.refused(cryptography.getTokenInstanceStatus, { params: { uuid: randomUUID() } }, [404]);
  });
  const form = await checkForm(scope, {
    of: 'token activation',
    list: cryptography.listTokenInstanceActivationAttributes,
    validate: cryptography.validateTokenInstanceActivationAttributes,
    params,
  });
  await scope.check('activates a token idempotently', async () => {
    const body = requireResult(form, 'token activation attributes').values;
    for (let times = 0; times < 2; times += 1) await session.ask(cryptography.activateTokenInstance, { params, body });
    await requireStatus(scope, params, (status) => status === 'Activated' || status === 'Connected');
  });
  await checkUseRejects(scope, 'activating a token', {
    form,
    refused: (body) => session.refused(cryptography.activateTokenInstance, { params, body }, [422, 400]),
  });
}

async function requireStatus(scope: Scope, params: Params, holds: (status: string) => boolean): Promise<void> {
  const { status } = await scope.session.ask(cryptography.getTokenInstanceStatus, { params });
  expect(holds(status), `The token status is ${status}.`, 'a status that shows the change');
}

async function checkDeactivation(scope: Scope, params: Params): Promise<void> {
  await scope.check('deactivates a token idempotently', async () => {
    for (let times = 0; times < 2; times += 1)
      await scope.session.ask(cryptography.deactivateTokenInstance, { params });
    await requireStatus(scope, params, (status) => status !== 'Activated');
  });
}

// ---- key pairs ----

interface Pair {
  readonly publicKey: KeyDataResponseDto;
  readonly privateKey: KeyDataResponseDto;
  readonly spki: Uint8Array;
}

const keyParams = (params: Params, { uuid }: KeyDataResponseDto): Params => ({ ...params, keyUuid: uuid });

async function checkKeyPair(scope: Scope, params: Params, profile: FilledForm | undefined): Promise<void> {
  const { session } = scope;
  const form = await checkForm(scope, {
    of: 'key pair',
    list: cryptography.listCreateKeyPairAttributes,
    validate: cryptography.validateCreateKeyPairAttributes,
    params,
  });
  const bodyOf = (createKeyAttributes: unknown) => ({
    tokenProfileAttributes: requireResult(profile, 'token profile attributes').values,
    createKeyAttributes,
  });
  const pair = await scope.check('generates a key pair', async (): Promise<Pair> => {
    const body = bodyOf(requireResult(form, 'key pair attributes').values);
    const { publicKeyData, privateKeyData } = await session.ask(cryptography.createKeyPair, { params, body });
    for (const key of [publicKeyData, privateKeyData])
      session.defer(() =>
        session.exchange(scope.requestOf(cryptography.destroyKey, { params: keyParams(params, key) })),
      );
    expect(
      publicKeyData.keyData.type === 'Public',
      `The type of the public key is ${publicKeyData.keyData.type}.`,
      'the type Public',
    );
    expect(
      privateKeyData.keyData.type === 'Private',
      `The type of the private key is ${privateKeyData.keyData.type}.`,
      'the type Private',
    );
    const shared = publicKeyData.association;
    expect(
      shared !== undefined && shared === privateKeyData.association,
      'The keys do not have the same association.',
      'one association of both keys',
    );
    return { publicKey: publicKeyData, privateKey: privateKeyData, spki: publicKeyOf(publicKeyData.keyData) };
  });
  await checkUseRejects(scope, 'generating a key pair', {
    form,
    refused: (values) => session.refused(cryptography.createKeyPair, { params, body: bodyOf(values) }, [422, 400]),
  });
  if (!pair) return;
  await checkKeyListing(scope, params, pair);
  await checkSignatures(scope, params, pair);
  await checkCiphers(scope, params, pair);
  await scope.check('destroys keys', async () => {
    for (const key of [pair.privateKey, pair.publicKey]) {
      await session.ask(cryptography.destroyKey, { params: keyParams(params, key) });
      await session.refused(cryptography.getKey, { params: keyParams(params, key) }, [404]);
    }
  });
}

async function checkKeyListing(scope: Scope, params: Params, { publicKey, privateKey, spki }: Pair): Promise<void> {
  const { session } = scope;
  await scope.check('returns and lists keys', async () => {
    const listed = await session.ask(cryptography.listKeys, { params });
    for (const key of [publicKey, privateKey])
      expect(
        listed.some(({ uuid }) => uuid === key.uuid),
        `The list does not contain ${key.name}.`,
        'a list with both keys',
      );
    const shown = await session.ask(cryptography.getKey, { params: keyParams(params, publicKey) });
    expect(
      equalBytes(publicKeyOf(shown.keyData), spki),
      'The response contains a different public key.',
      'the generated public key',
    );
    await session.ask(cryptography.getKey, { params: keyParams(params, privateKey) });
    await session.refused(cryptography.getKey, { params: { ...params, keyUuid: randomUUID() } }, [404]);
  });
}

const DATA = Buffer.from('Data of a conformance check');

async function checkSignatures(scope: Scope, params: Params, { publicKey, privateKey, spki }: Pair): Promise<void> {
  const { session } = scope;
  const rules = signatureRules(spki);
  const body = { signatureAttributes: rules?.attributes ?? [], data: [{ data: toBase64(DATA), identifier: 'first' }] };
  const signature = await scope.check('signs with the private key', async () => {
    const { algorithm } = requireSignable(scope, rules);
    const { signatures } = await session.ask(cryptography.signData, { params: keyParams(params, privateKey), body });
    const [made] = signatures;
    expect(
      made !== undefined && signatures.length === 1,
      `The response contains ${signatures.length} signatures for one item.`,
      'one signature',
    );
    expect(
      made.identifier === 'first',
      'The response does not contain the identifier of the item.',
      'the identifier in the request',
    );
    const isSound = isValidSignature({ spki, algorithm, data: DATA, signature: Buffer.from(made.data, 'base64') });
    expect(
      isSound,
      `The signature does not verify with the public key (${algorithm.name}).`,
      'a signature that verifies with the public key',
    );
    return made.data;
  });
  await scope.check('accepts a valid signature and rejects one of different data', async () => {
    requireSignable(scope, rules);
    const signatures = [{ data: requireResult(signature, 'signs with the private key'), identifier: 'first' }];
    const verdictOn = async (data: Uint8Array) => {
      const sent = { ...body, data: [{ data: toBase64(data), identifier: 'first' }], signatures };
      const call = { params: keyParams(params, publicKey), body: sent };
      return (await session.ask(cryptography.verifyData, call)).verifications[0]?.result;
    };
    expect((await verdictOn(DATA)) === true, 'A valid signature is rejected.', 'the result true');
    expect(
      (await verdictOn(Buffer.from('changed'))) === false,
      'A signature of different data is accepted.',
      'the result false',
    );
  });
  await scope.check('returns 404 when signing with a key that does not exist', () =>
    session.refused(cryptography.signData, { params: { ...params, keyUuid: randomUUID() }, body }, [404]),
  );
}

function requireSignable(scope: Scope, rules: ReturnType<typeof signatureRules>) {
  if (!rules) throw scope.lacking('The generated key does not support signatures.');
  return rules;
}

// ---- encryption ----

/** Attributes of RSA encryption that the platform defines. */
const OAEP = [
  { uuid: '6a93364c-d9d4-11ed-afa1-0242ac120002', name: 'data_rsaEncScheme', contentType: 'string', content: [{ data: 'OAEP' }] },
  { uuid: '6a933a52-d9d4-11ed-afa1-0242ac120002', name: 'data_rsaOaepHash', contentType: 'string', content: [{ data: 'SHA-256' }] },
  { uuid: '6a933c32-d9d4-11ed-afa1-0242ac120002', name: 'data_rsaOaepMgf', contentType: 'boolean', content: [{ data: true }] },
]; // prettier-ignore

async function checkCiphers(scope: Scope, params: Params, { publicKey, privateKey }: Pair): Promise<void> {
  await scope.check('encrypts and decrypts with an RSA key', async () => {
    if (publicKey.keyData.algorithm !== 'RSA') throw scope.lacking('The generated key is not an RSA key.');
    await requireRoundTrip(scope, {
      encrypt: keyParams(params, publicKey),
      decrypt: keyParams(params, privateKey),
      cipherAttributes: OAEP,
    });
  });
}

async function requireRoundTrip(
  { session }: Scope,
  { encrypt, decrypt, cipherAttributes }: { encrypt: Params; decrypt: Params; cipherAttributes: readonly unknown[] },
): Promise<void> {
  const bodyOf = (data: string) => ({ cipherAttributes, cipherData: [{ data, identifier: 'first' }] });
  const { encryptedData } = await session.ask(cryptography.encryptData, {
    params: encrypt,
    body: bodyOf(toBase64(DATA)),
  });
  const hidden = encryptedData[0]?.data ?? '';
  expect(
    hidden !== '' && hidden !== toBase64(DATA),
    'The response does not contain encrypted data.',
    'ciphertext that differs from the plaintext',
  );
  const { decryptedData } = await session.ask(cryptography.decryptData, { params: decrypt, body: bodyOf(hidden) });
  const plain = Buffer.from(decryptedData[0]?.data ?? '', 'base64');
  expect(equalBytes(plain, DATA), 'The decrypted data differs from the plaintext.', 'the plaintext');
}

async function checkSecretKey(scope: Scope, params: Params, profile: FilledForm | undefined): Promise<void> {
  const { session } = scope;
  const form = await checkForm(scope, {
    of: 'secret key',
    list: cryptography.listCreateSecretKeyAttributes,
    validate: cryptography.validateCreateSecretKeyAttributes,
    params,
  });
  const isOffered = form !== undefined || scope.lastOutcome() !== 'notOffered';
  await scope.check('generates and destroys a secret key, or rejects the request with an error message', async () => {
    if (!isOffered) throw scope.lacking('The connector does not offer secret keys.');
    const body = {
      tokenProfileAttributes: requireResult(profile, 'token profile attributes').values,
      createKeyAttributes: requireResult(form, 'secret key attributes').values,
    };
    const reply = await session.exchange(scope.requestOf(cryptography.createSecretKey, { params, body }));
    if (!isSuccess(reply)) return session.requireRefusal(cryptography.createSecretKey, reply, [400, 404, 422, 501]);
    const key = parseReply(reply, KeyDataResponseDto, '200 with KeyDataResponseDto');
    expect(key.keyData.type === 'Secret', `The type of the key is ${key.keyData.type}.`, 'the type Secret');
    await session.ask(cryptography.destroyKey, { params: keyParams(params, key) });
    await session.refused(cryptography.getKey, { params: keyParams(params, key) }, [404]);
  });
}

// ---- random numbers ----

const RANDOM_OCTETS = 48;

async function checkRandom(scope: Scope, params: Params): Promise<void> {
  const { session } = scope;
  const form = await checkForm(scope, {
    of: 'random data',
    list: cryptography.listRandomAttributes,
    validate: cryptography.validateRandomAttributes,
    params,
  });
  await scope.check('returns random data of the requested length', async () => {
    const body = { length: RANDOM_OCTETS, attributes: requireResult(form, 'random data attributes').values };
    const draw = async () => (await session.ask(cryptography.randomData, { params, body })).data;
    const [first, second] = [await draw(), await draw()];
    const { length } = Buffer.from(first, 'base64');
    expect(length === RANDOM_OCTETS, `The response contains ${length} bytes.`, `${RANDOM_OCTETS} bytes`);
    expect(first !== second, 'Two calls return the same data.', 'different data in each response');
  });
}
