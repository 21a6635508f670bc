// Messages between the connector and the process of a library. They are copied by structured clone.
import type { CkAttribute, CkMechanism, MechanismInfo } from './cryptoki.ts';

/** Slots can change, so a token is identified by its serial number and label. */
export interface TokenReference {
  readonly serial: string;
  readonly label: string;
}

/** An object is identified by class, type and CKA_ID; if its CKA_ID is missing or not unique, also by its label. */
export interface ObjectReference {
  readonly objectClass: number;
  /** CKA_KEY_TYPE; -1 if the token does not report it. */
  readonly keyType: number;
  readonly id: Uint8Array;
  readonly label: string;
}

export interface TokenFacts extends TokenReference {
  readonly manufacturer: string;
  readonly model: string;
  readonly firmware: string;
  readonly flags: number;
}

export interface LibraryFacts {
  readonly manufacturer: string;
  readonly description: string;
  readonly version: string;
  readonly cryptoki: string;
  /** Initialized tokens that are present in a slot. */
  readonly tokens: readonly TokenFacts[];
}

export interface SessionFacts {
  readonly open: number;
  readonly inUse: number;
}

export interface Mechanism extends MechanismInfo {
  readonly mechanism: number;
}

/** Readable attributes of a key or certificate; attributes that the object lacks are absent. */
export interface ObjectFacts extends ObjectReference {
  readonly modulus?: Uint8Array | undefined;
  readonly publicExponent?: Uint8Array | undefined;
  readonly ecParams?: Uint8Array | undefined;
  readonly ecPoint?: Uint8Array | undefined;
  readonly publicKeyInfo?: Uint8Array | undefined;
  /** For certificates, the DER encoding; for ML-DSA keys, the encoded public key. */
  readonly value?: Uint8Array | undefined;
  /** For secret keys, in bytes. */
  readonly valueLength?: number | undefined;
  /** For ML-DSA keys. */
  readonly parameterSet?: number | undefined;
}

interface OnToken {
  readonly token: TokenReference;
}
interface WithKey extends OnToken {
  readonly key: ObjectReference;
  readonly mechanism: CkMechanism;
  readonly data: Uint8Array;
}
type Exchange<Request, Answer> = { readonly request: Request; readonly answer: Answer };

export interface ModuleOperations {
  describe: Exchange<object, LibraryFacts>;
  mechanisms: Exchange<OnToken, readonly Mechanism[]>;
  /** With `anew`, the PIN is always tried; without it, nothing happens if the user is already logged in. */
  login: Exchange<OnToken & { readonly pin: string; readonly anew: boolean }, void>;
  /** Waits for calls in progress. */
  logout: Exchange<OnToken, void>;
  sessions: Exchange<OnToken, SessionFacts>;
  list: Exchange<OnToken & { readonly objectClasses: readonly number[] }, readonly ObjectFacts[]>;
  generatePair: Exchange<
    OnToken & {
      readonly mechanism: CkMechanism;
      readonly publicTemplate: readonly CkAttribute[];
      readonly privateTemplate: readonly CkAttribute[];
    },
    ObjectFacts
  >;
  generateSecret: Exchange<
    OnToken & { readonly mechanism: CkMechanism; readonly template: readonly CkAttribute[] },
    ObjectFacts
  >;
  /** Sets a different CKA_ID for an object; returns false if the token does not allow it. */
  identify: Exchange<OnToken & { readonly key: ObjectReference; readonly id: Uint8Array }, boolean>;
  /** Returns false if the object does not exist. */
  destroy: Exchange<OnToken & { readonly key: ObjectReference }, boolean>;
  sign: Exchange<WithKey, Uint8Array>;
  encrypt: Exchange<WithKey, Uint8Array>;
  decrypt: Exchange<WithKey, Uint8Array>;
  random: Exchange<OnToken & { readonly length: number }, Uint8Array>;
}

export type ModuleOperation = keyof ModuleOperations;
/** Repeated once if the outcome is unknown: repetition is harmless. */
export const REPEATABLE: ReadonlySet<ModuleOperation> = new Set<ModuleOperation>([
  'describe', 'mechanisms', 'sessions', 'list', 'sign', 'encrypt', 'decrypt', 'random', 'identify', 'destroy', 'logout',
]); // prettier-ignore

export type RequestOf<Op extends ModuleOperation> = ModuleOperations[Op]['request'];
export type AnswerOf<Op extends ModuleOperation> = ModuleOperations[Op]['answer'];

/** Where a call failed: in the library, which reported it by its return value, or before the library was called. */
export interface Failure {
  /** `CKR_…`, or one of our own reasons. */
  readonly reason: string;
  /** Return value; absent for our own reasons. */
  readonly code?: number | undefined;
  readonly message: string;
}

/** Reasons that do not come from the library. */
export const REASONS = {
  /** Nothing was done; the call can be repeated after a login. */
  notLoggedIn: 'not logged in',
  /** Lost during the call; its outcome is unknown. */
  sessionLost: 'session lost',
  tokenMissing: 'token missing',
  objectMissing: 'object missing',
  objectAmbiguous: 'object ambiguous',
} as const;

export interface RequestMessage {
  readonly id: number;
  readonly operation: ModuleOperation;
  readonly request: unknown;
}

export type AnswerMessage =
  { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly failure: Failure };

/** Requests are also sent as lists. */
export type ModuleMessage =
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly part: 'binding' | 'library'; readonly message: string }
  | readonly AnswerMessage[];
