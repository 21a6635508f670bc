// Passkeys (WebAuthn credentials), which let users sign in from a browser without a link. Not part of the published
// interface. A browser creates a passkey in two calls: the first returns the options for
// `navigator.credentials.create`, the second accepts the browser's response. Sign-in with a passkey takes place on the
// platform's `/login` page.
import { z } from 'zod';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { dateTime, int32, objectName } from '../primitives.ts';

/** Maximum length of a passkey's name. */
export const MAX_PASSKEY_NAME_LENGTH = 100;

const passkeyName = () => objectName().max(MAX_PASSKEY_NAME_LENGTH);
/** Base64url, which browsers use to encode bytes. */
const base64url = () => z.string().regex(/^[\w-]*$/, 'must be base64url');

export const Passkey = z
  .object({
    uuid: z.string(),
    name: z.string(),
    /** Platform host name to which the passkey is bound; browsers do not offer it for any other host. */
    host: z.string(),
    createdAt: dateTime(),
    /** Absent if the passkey has never been used to sign in. */
    lastUsedAt: dateTime().optional(),
    /**
     * Whether the passkey can be synced across the user's devices; if false, it never leaves the device on which it was
     * created.
     */
    synced: z.boolean(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.output<typeof Passkey>;

const PasskeyDescriptor = z.object({
  id: base64url(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});

/** JSON form of the WebAuthn creation options, for `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const PasskeyCreationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: base64url(), name: z.string(), displayName: z.string() }),
    challenge: base64url(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: int32() })),
    timeout: int32(),
    /** The user's existing passkeys, so that a device does not create a second one. */
    excludeCredentials: z.array(PasskeyDescriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreationOptions' });
export type PasskeyCreationOptions = z.output<typeof PasskeyCreationOptions>;

/** Result of `PublicKeyCredential.toJSON()` for a new passkey; additional members are ignored. */
export const NewPasskeyCredential = z
  .looseObject({
    id: base64url(),
    rawId: base64url(),
    type: z.literal('public-key'),
    response: z.looseObject({
      clientDataJSON: base64url(),
      attestationObject: base64url(),
      transports: z.array(z.string().max(32)).max(16).optional(),
    }),
  })
  .meta({ id: 'NewPasskeyCredential' });
export type NewPasskeyCredential = z.output<typeof NewPasskeyCredential>;

/** Result of `PublicKeyCredential.toJSON()` for a sign-in with a passkey; additional members are ignored. */
export const PasskeyAssertion = z
  .looseObject({
    id: base64url(),
    rawId: base64url(),
    type: z.literal('public-key'),
    response: z.looseObject({
      clientDataJSON: base64url(),
      authenticatorData: base64url(),
      signature: base64url(),
      userHandle: base64url().nullish(),
    }),
  })
  .meta({ id: 'PasskeyAssertion' });
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>;

export const PasskeyRequest = z
  .object({ name: passkeyName(), credential: NewPasskeyCredential })
  .meta({ id: 'PasskeyRequest' });
export type PasskeyRequest = z.output<typeof PasskeyRequest>;

export const PasskeyRename = z.object({ name: passkeyName() }).meta({ id: 'PasskeyRename' });
export type PasskeyRename = z.output<typeof PasskeyRename>;

export const passkeyOperations = operations(
  { tag: 'Passkeys', resource: 'users', module: 'auth', errors: plainErrors },
  {
    listPasskeys: {
      route: 'GET /x/v1/passkeys',
      summary: 'List your passkeys',
      answer: z.array(Passkey),
      access: 'authenticated',
    },
    /** The challenge in the options is valid for five minutes and is consumed by the next call. */
    startPasskeyRegistration: {
      route: 'POST /x/v1/passkeys/registration',
      summary: 'Get the options for creating a passkey; requires a browser session',
      answer: PasskeyCreationOptions,
      errors: ruleErrors,
      access: 'authenticated',
    },
    registerPasskey: {
      route: 'POST /x/v1/passkeys',
      summary: 'Register the passkey that the browser created; requires a browser session',
      body: PasskeyRequest,
      created: Passkey,
      errors: ruleErrors,
      access: 'authenticated',
      audit: 'register',
    },
    renamePasskey: {
      route: 'PATCH /x/v1/passkeys/{uuid}',
      summary: 'Rename one of your passkeys',
      body: PasskeyRename,
      answer: Passkey,
      errors: ruleErrors,
      access: 'authenticated',
      audit: 'update',
    },
    /** The caller's session is not ended, even if it was opened with the passkey. */
    removePasskey: {
      route: 'DELETE /x/v1/passkeys/{uuid}',
      summary: 'Remove one of your passkeys and end the sessions opened with it',
      errors: objectErrors,
      access: 'authenticated',
      audit: 'remove',
    },
    listPasskeysOfUser: {
      route: 'GET /x/v1/users/{userUuid}/passkeys',
      summary: 'List passkeys of a user',
      answer: z.array(Passkey),
      errors: objectErrors,
      access: { action: 'detail', object: 'userUuid' },
    },
    removePasskeyOfUser: {
      route: 'DELETE /x/v1/users/{userUuid}/passkeys/{uuid}',
      summary: 'Remove a passkey of a user and end the sessions opened with it',
      errors: objectErrors,
      access: { action: 'update', object: 'userUuid' },
      audit: 'remove',
    },
  },
);
