// A loaded library and its tokens in use. Runs in the library's process.
import { CKA, CKF, CKO, CKR } from './constants.ts';
import type { Cryptoki, Handle } from './cryptoki.ts';
import { codeOf, isStaleHandle, ModuleFailure } from './failures.ts';
import { findObject, listObjects, readObject, textOf } from './objects.ts';
import {
  REASONS,
  type LibraryFacts,
  type ModuleOperation,
  type ModuleOperations,
  type ObjectReference,
  type TokenFacts,
  type TokenReference,
} from './protocol.ts';
import { TokenSessions } from './token-sessions.ts';

export type LibraryHandlers = {
  readonly [Op in ModuleOperation]: (
    request: ModuleOperations[Op]['request'],
  ) => ModuleOperations[Op]['answer'] | Promise<ModuleOperations[Op]['answer']>;
};

/** ML-DSA-87 signatures are 4,627 bytes long, RSA-16384 signatures 2,048 bytes. */
const LONGEST_SIGNATURE = 8 * 1024;
/** Overhead that a cipher can add: a tag and a block. */
const CIPHER_OVERHEAD = 2 * 1024;

/** Minimum time before a missing token causes the library to enumerate its slots again. */
const LOOK_AGAIN_MS = 10_000;

export function initialize(cryptoki: Cryptoki): void {
  try {
    cryptoki.C_Initialize({ flags: CKF.osLockingOk });
  } catch (error) {
    if (codeOf(error) !== CKR.cryptokiAlreadyInitialized) throw error;
  }
}

export function createLibrary(cryptoki: Cryptoki): LibraryHandlers {
  const loggedIn = new Map<string, TokenSessions>();

  const sessionsOf = (token: TokenReference): TokenSessions => {
    const sessions = loggedIn.get(nameOf(token));
    if (sessions && !sessions.isEnded) return sessions;
    loggedIn.delete(nameOf(token));
    throw new ModuleFailure(REASONS.notLoggedIn, 'No user is logged in.');
  };

  /**
   * Runs an operation with an object's handle. A handle is valid no longer than its object, and with some tokens only
   * until another program changes the object.
   */
  const withObject = <Result>(
    { token, key }: { readonly token: TokenReference; readonly key: ObjectReference },
    work: (session: Handle, object: Handle) => Result | Promise<Result>,
  ): Promise<Result> => {
    const sessions = sessionsOf(token);
    const name = `${key.objectClass} ${key.keyType} ${Buffer.from(key.id).toString('hex')} ${key.label}`;
    return sessions.use(async (session) => {
      const known = sessions.objects.get(name);
      if (known) {
        try {
          return await work(session, known);
        } catch (error) {
          if (!isStaleHandle(error)) throw error;
          sessions.objects.delete(name);
        }
      }
      const found = findObject(cryptoki, session, key);
      sessions.objects.set(name, found);
      return work(session, found);
    });
  };

  return {
    ...tokenHandlers({ cryptoki, loggedIn, sessionsOf }),
    ...keyHandlers({ cryptoki, loggedIn, sessionsOf, withObject }),
    ...cryptographicHandlers(cryptoki, withObject),
    random: ({ token, length }) =>
      sessionsOf(token).use((session) => cryptoki.C_GenerateRandom(session, Buffer.alloc(length))),
  };
}

type SessionsOf = (token: TokenReference) => TokenSessions;
type WithObject = <Result>(
  wanted: { readonly token: TokenReference; readonly key: ObjectReference },
  work: (session: Handle, object: Handle) => Result | Promise<Result>,
) => Promise<Result>;

type HandlersFor<Op extends ModuleOperation> = Pick<LibraryHandlers, Op>;

const nameOf = ({ serial, label }: TokenReference): string => `${serial}\0${label}`;

interface TokenParts {
  readonly cryptoki: Cryptoki;
  readonly loggedIn: Map<string, TokenSessions>;
  readonly sessionsOf: SessionsOf;
}

const tokenHandlers = ({
  cryptoki,
  loggedIn,
  sessionsOf,
}: TokenParts): HandlersFor<'describe' | 'mechanisms' | 'login' | 'logout' | 'sessions'> => ({
  describe: () => describe(cryptoki),
  mechanisms: ({ token }) => {
    const slot = slotOf(cryptoki, token);
    return cryptoki
      .C_GetMechanismList(slot)
      .map((mechanism) => ({ mechanism, ...cryptoki.C_GetMechanismInfo(slot, mechanism) }));
  },
  login: loginHandler(cryptoki, loggedIn),
  logout: async ({ token }) => {
    const name = nameOf(token);
    await loggedIn.get(name)?.end();
    loggedIn.delete(name);
  },
  sessions: ({ token }) => {
    const sessions = sessionsOf(token);
    sessions.check();
    return sessions.facts();
  },
});

interface KeyParts {
  readonly cryptoki: Cryptoki;
  readonly loggedIn: ReadonlyMap<string, TokenSessions>;
  readonly sessionsOf: SessionsOf;
  readonly withObject: WithObject;
}

function loginHandler(cryptoki: Cryptoki, loggedIn: Map<string, TokenSessions>): LibraryHandlers['login'] {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  /**
   * Reinitializes the library, because some libraries enumerate tokens only once. Users are logged out, and subsequent
   * calls log in again automatically.
   */
  async function reinitialize(): Promise<void> {
    for (const sessions of loggedIn.values()) await sessions.end();
    loggedIn.clear();
    cryptoki.C_Finalize();
    initialize(cryptoki);
    lookedAtMs = performance.now();
  }

  async function slotFor(token: TokenReference, forced: boolean): Promise<Handle> {
    const slot = findSlot(cryptoki, token);
    if (slot) return slot;
    if (forced || performance.now() - lookedAtMs > LOOK_AGAIN_MS) {
      looking ??= reinitialize().finally(() => (looking = undefined));
      await looking;
    }
    return slotOf(cryptoki, token);
  }

  return async ({ token, pin, forced }) => {
    await looking;
    const name = nameOf(token);
    const present = loggedIn.get(name);
    if (present && !present.isEnded) {
      if (!forced) return;
      await present.end();
    }
    const sessions = new TokenSessions(cryptoki, await slotFor(token, forced));
    try {
      sessions.login(pin);
    } catch (error) {
      sessions.lose();
      throw error;
    }
    loggedIn.set(name, sessions);
  };
}

const keyHandlers = ({
  cryptoki,
  loggedIn,
  sessionsOf,
  withObject,
}: KeyParts): HandlersFor<'list' | 'generatePair' | 'generateSecret' | 'identify' | 'destroy'> => ({
  list: ({ token, objectClasses }) => sessionsOf(token).use((session) => listObjects(cryptoki, session, objectClasses)),
  generatePair: ({ token, mechanism, publicTemplate, privateTemplate }) =>
    sessionsOf(token).use(async (session) => {
      const pair = await cryptoki.C_GenerateKeyPairAsync(
        session,
        mechanism,
        reviveBuffers(publicTemplate),
        reviveBuffers(privateTemplate),
      );
      return readObject(cryptoki, session, { handle: pair.publicKey, objectClass: CKO.publicKey });
    }),
  generateSecret: ({ token, mechanism, template }) =>
    sessionsOf(token).use(async (session) => {
      const handle = await cryptoki.C_GenerateKeyAsync(session, mechanism, reviveBuffers(template));
      return readObject(cryptoki, session, { handle, objectClass: CKO.secretKey });
    }),
  identify: (request) =>
    withObject(request, (session, object) => {
      try {
        cryptoki.C_SetAttributeValue(session, object, [{ type: CKA.id, value: Buffer.from(request.id) }]);
        return true;
      } catch {
        return false;
      }
    }),
  destroy: async (request) => {
    try {
      await withObject(request, (session, object) => cryptoki.C_DestroyObject(session, object));
      return true;
    } catch (error) {
      if (error instanceof ModuleFailure && error.reason === REASONS.objectMissing) return false;
      throw error;
    } finally {
      // The handle may be reused for a different object.
      loggedIn.get(nameOf(request.token))?.objects.clear();
    }
  },
});

const cryptographicHandlers = (
  cryptoki: Cryptoki,
  withObject: WithObject,
): HandlersFor<'sign' | 'encrypt' | 'decrypt'> => ({
  sign: (request) =>
    withObject(request, (session, object) => {
      cryptoki.C_SignInit(session, reviveBuffers(request.mechanism), object);
      return cryptoki.C_SignAsync(session, Buffer.from(request.data), Buffer.alloc(LONGEST_SIGNATURE));
    }),
  encrypt: (request) =>
    withObject(request, (session, object) => {
      cryptoki.C_EncryptInit(session, reviveBuffers(request.mechanism), object);
      const { data } = request;
      return cryptoki.C_EncryptAsync(session, Buffer.from(data), Buffer.alloc(data.length + CIPHER_OVERHEAD));
    }),
  decrypt: (request) =>
    withObject(request, (session, object) => {
      cryptoki.C_DecryptInit(session, reviveBuffers(request.mechanism), object);
      const { data } = request;
      return cryptoki.C_DecryptAsync(session, Buffer.from(data), Buffer.alloc(data.length + CIPHER_OVERHEAD));
    }),
});

function describe(cryptoki: Cryptoki): LibraryFacts {
  const { manufacturerID, libraryDescription, libraryVersion, cryptokiVersion } = cryptoki.C_GetInfo();
  return {
    manufacturer: textOf(manufacturerID),
    description: textOf(libraryDescription),
    version: `${libraryVersion.major}.${libraryVersion.minor}`,
    cryptoki: `${cryptokiVersion.major}.${cryptokiVersion.minor}`,
    tokens: presentTokens(cryptoki).map(({ facts }) => facts),
  };
}

function slotOf(cryptoki: Cryptoki, token: TokenReference): Handle {
  const slot = findSlot(cryptoki, token);
  if (!slot) throw new ModuleFailure(REASONS.tokenMissing, 'The token is not present in any slot.');
  return slot;
}

const findSlot = (cryptoki: Cryptoki, { serial, label }: TokenReference): Handle | undefined =>
  presentTokens(cryptoki).find(({ facts }) => facts.serial === serial && facts.label === label)?.slot;

function presentTokens(cryptoki: Cryptoki): { readonly slot: Handle; readonly facts: TokenFacts }[] {
  return cryptoki.C_GetSlotList(true).flatMap((slot) => {
    try {
      const info = cryptoki.C_GetTokenInfo(slot);
      if ((info.flags & CKF.tokenInitialized) === 0) return [];
      const facts = {
        serial: textOf(info.serialNumber),
        label: textOf(info.label),
        manufacturer: textOf(info.manufacturerID),
        model: textOf(info.model),
        firmware: `${info.firmwareVersion.major}.${info.firmwareVersion.minor}`,
        flags: info.flags,
      };
      return [{ slot, facts }];
    } catch {
      return []; // The token was removed after the slots were listed, or it is broken. Other tokens still work.
    }
  });
}

/** Restores buffers, which the binding requires, from the arrays that messages between processes contain. */
function reviveBuffers<Value>(value: Value): Value {
  if (value instanceof Uint8Array) return Buffer.from(value) as Value;
  if (Array.isArray(value)) return value.map(reviveBuffers) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reviveBuffers(member)])) as Value;
}
