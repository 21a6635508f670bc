// Cryptography providers: keys are really made, and their signatures verified with the public key by other code.
import { randomUUID } from 'node:crypto';
import { cryptographyProviderOperations as cryptography, KeyDataResponseDto } from '@signetry/contract';
import { equalBytes, toBase64 } from '@signetry/pki';
import { publicKeyOf, signatureRules, signedProperly } from '../certificates/signatures.ts';
import { problemsOfDefinitions } from '../definitions.ts';
import { checkForm, checkUseRefuses, type FilledForm } from '../forms.ts';
import type { Scope } from '../scope.ts';
import { expect, from, isSuccess, parsed, type Call } from '../session.ts';
import { checkInstances, checkRemoval, type InstanceKind } from './instances.ts';

const tokens: InstanceKind = {
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
      of: 'a token profile',
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

/** One product's call-back, whose endpoint all have. */
async function checkOption(scope: Scope): Promise<void> {
  await scope.check('answers the call-back of an option to create a token, or 404', async () => {
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
  await scope.check('tells the status of a token', async () => {
    await session.ask(cryptography.getTokenInstanceStatus, { params });
    await session.refused(cryptography.getTokenInstanceStatus, { params: { uuid: randomUUID() } }, [404]);
  });
  const form = await checkForm(scope, {
    of: 'an activation',
    list: cryptography.listTokenInstanceActivationAttributes,
    validate: cryptography.validateTokenInstanceActivationAttributes,
    params,
  });
  await scope.check('activates a token, twice to the same effect', async () => {
    const body = from(form, 'the values of an activation').values;
    for (let times = 0; times < 2; times += 1) await session.ask(cryptography.activateTokenInstance, { params, body });
    await requireStatus(scope, params, (status) => status === 'Activated' || status === 'Connected');
  });
  await checkUseRefuses(scope, 'activating a token', {
    form,
    refused: (body) => session.refused(cryptography.activateTokenInstance, { params, body }, [422, 400]),
  });
}

async function requireStatus(scope: Scope, params: Params, holds: (status: string) => boolean): Promise<void> {
  const { status } = await scope.session.ask(cryptography.getTokenInstanceStatus, { params });
  expect(holds(status), `The token is ${status}.`, 'a status that shows it');
}

async function checkDeactivation(scope: Scope, params: Params): Promise<void> {
  await scope.check('deactivates a token, twice to the same effect', async () => {
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
    of: 'a key pair',
    list: cryptography.listCreateKeyPairAttributes,
    validate: cryptography.validateCreateKeyPairAttributes,
    params,
  });
  const bodyOf = (createKeyAttributes: unknown) => ({
    tokenProfileAttributes: from(profile, 'the values of a token profile').values,
    createKeyAttributes,
  });
  const pair = await scope.check('makes a key pair', async (): Promise<Pair> => {
    const body = bodyOf(from(form, 'the values of a key pair').values);
    const { publicKeyData, privateKeyData } = await session.ask(cryptography.createKeyPair, { params, body });
    for (const key of [publicKeyData, privateKeyData])
      session.defer(() =>
        session.exchange(scope.requestOf(cryptography.destroyKey, { params: keyParams(params, key) })),
      );
    expect(publicKeyData.keyData.type === 'Public', 'The public key is of another type.', 'the type Public');
    expect(privateKeyData.keyData.type === 'Private', 'The private key is of another type.', 'the type Private');
    const shared = publicKeyData.association;
    expect(
      shared !== undefined && shared === privateKeyData.association,
      'The keys are not associated.',
      'one association',
    );
    return { publicKey: publicKeyData, privateKey: privateKeyData, spki: publicKeyOf(publicKeyData.keyData) };
  });
  await checkUseRefuses(scope, 'making a key pair', {
    form,
    refused: (values) => session.refused(cryptography.createKeyPair, { params, body: bodyOf(values) }, [422, 400]),
  });
  if (!pair) return;
  await checkKeysShown(scope, params, pair);
  await checkSignatures(scope, params, pair);
  await checkCiphers(scope, params, pair);
  await scope.check('forgets keys that are destroyed', async () => {
    for (const key of [pair.privateKey, pair.publicKey]) {
      await session.ask(cryptography.destroyKey, { params: keyParams(params, key) });
      await session.refused(cryptography.getKey, { params: keyParams(params, key) }, [404]);
    }
  });
}

async function checkKeysShown(scope: Scope, params: Params, { publicKey, privateKey, spki }: Pair): Promise<void> {
  const { session } = scope;
  await scope.check('shows and lists keys', async () => {
    const listed = await session.ask(cryptography.listKeys, { params });
    for (const key of [publicKey, privateKey])
      expect(
        listed.some(({ uuid }) => uuid === key.uuid),
        `The list lacks ${key.name}.`,
        'a list with both keys',
      );
    const shown = await session.ask(cryptography.getKey, { params: keyParams(params, publicKey) });
    expect(equalBytes(publicKeyOf(shown.keyData), spki), 'It shows another public key.', 'the key that was made');
    await session.ask(cryptography.getKey, { params: keyParams(params, privateKey) });
    await session.refused(cryptography.getKey, { params: { ...params, keyUuid: randomUUID() } }, [404]);
  });
}

const DATA = Buffer.from('What is signed in a conformance check');

async function checkSignatures(scope: Scope, params: Params, { publicKey, privateKey, spki }: Pair): Promise<void> {
  const { session } = scope;
  const rules = signatureRules(spki);
  const body = { signatureAttributes: rules?.attributes ?? [], data: [{ data: toBase64(DATA), identifier: 'first' }] };
  const signature = await scope.check('signs with the private key', async () => {
    const { algorithm } = signable(scope, rules);
    const { signatures } = await session.ask(cryptography.signData, { params: keyParams(params, privateKey), body });
    const [made] = signatures;
    expect(
      made !== undefined && signatures.length === 1,
      `There are ${signatures.length} signatures of one item.`,
      'one',
    );
    expect(made.identifier === 'first', 'The identifier of the item is lost.', 'the identifier that was sent');
    const isSound = signedProperly({ spki, algorithm, data: DATA, signature: Buffer.from(made.data, 'base64') });
    expect(
      isSound,
      `The public key does not verify the signature (${algorithm.name}).`,
      'a signature that it verifies',
    );
    return made.data;
  });
  await scope.check('verifies signatures, and finds what was changed', async () => {
    signable(scope, rules);
    const signatures = [{ data: from(signature, 'signs with the private key'), identifier: 'first' }];
    const verdictOn = async (data: Uint8Array) => {
      const sent = { ...body, data: [{ data: toBase64(data), identifier: 'first' }], signatures };
      const call = { params: keyParams(params, publicKey), body: sent };
      return (await session.ask(cryptography.verifyData, call)).verifications[0]?.result;
    };
    expect((await verdictOn(DATA)) === true, 'A sound signature is rejected.', 'the result true');
    expect(
      (await verdictOn(Buffer.from('changed'))) === false,
      'A signature of other data is accepted.',
      'the result false',
    );
  });
  await scope.check('answers 404 for a signature by a key that does not exist', () =>
    session.refused(cryptography.signData, { params: { ...params, keyUuid: randomUUID() }, body }, [404]),
  );
}

function signable(scope: Scope, rules: ReturnType<typeof signatureRules>) {
  if (!rules) throw scope.lacking('The key that was made is not for signatures.');
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
  await scope.check('decrypts what it encrypted with an RSA key', async () => {
    if (publicKey.keyData.algorithm !== 'RSA')
      throw scope.lacking('The key that was made is not of the algorithm RSA.');
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
  expect(hidden !== '' && hidden !== toBase64(DATA), 'Nothing was encrypted.', 'something else than what was sent');
  const { decryptedData } = await session.ask(cryptography.decryptData, { params: decrypt, body: bodyOf(hidden) });
  const plain = Buffer.from(decryptedData[0]?.data ?? '', 'base64');
  expect(equalBytes(plain, DATA), 'What is decrypted is not what was encrypted.', 'what was encrypted');
}

async function checkSecretKey(scope: Scope, params: Params, profile: FilledForm | undefined): Promise<void> {
  const { session } = scope;
  const form = await checkForm(scope, {
    of: 'a secret key',
    list: cryptography.listCreateSecretKeyAttributes,
    validate: cryptography.validateCreateSecretKeyAttributes,
    params,
  });
  await scope.check('makes and destroys a secret key, or says in words that it makes none', async () => {
    const body = {
      tokenProfileAttributes: from(profile, 'the values of a token profile').values,
      createKeyAttributes: from(form, 'the values of a secret key').values,
    };
    const reply = await session.exchange(scope.requestOf(cryptography.createSecretKey, { params, body }));
    if (!isSuccess(reply)) return session.requireRefusal(cryptography.createSecretKey, reply, [400, 404, 422, 501]);
    const key = parsed(reply, KeyDataResponseDto, '200 with KeyDataResponseDto');
    expect(key.keyData.type === 'Secret', 'It is of another type.', 'the type Secret');
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
  await scope.check('answers random data of the length that is asked for', async () => {
    const body = { length: RANDOM_OCTETS, attributes: from(form, 'the values of random data').values };
    const draw = async () => (await session.ask(cryptography.randomData, { params, body })).data;
    const [first, second] = [await draw(), await draw()];
    const { length } = Buffer.from(first, 'base64');
    expect(length === RANDOM_OCTETS, `There are ${length} octets.`, `${RANDOM_OCTETS} octets`);
    expect(first !== second, 'They are the same twice.', 'others each time');
  });
}
