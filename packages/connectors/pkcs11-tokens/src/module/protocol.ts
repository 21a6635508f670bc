// Messages between the connector and a library's process. They are copied by structured clone.
import type { CkAttribute, CkMechanism, MechanismInfo } from './cryptoki.ts';

/** A token is identified by its serial number and label, because its slot can change. */
export interface TokenReference {
  readonly serial: string;
  readonly label: string;
}

/**
 * An object is identified by its class, type and CKA_ID. If the CKA_ID is missing or not unique, the label is also
 * used.
 */
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
  /** DER encoding of a certificate, or the encoded public key of an ML-DSA key. */
  readonly value?: Uint8Array | undefined;
  /** Length of a secret key in bytes. */
  readonly valueLength?: number | undefined;
  /** Parameter set of an ML-DSA key. */
  readonly parameterSet?: number | undefined;
}

interface TokenCall {
  readonly token: TokenReference;
}
interface KeyCall extends TokenCall {
  readonly key: ObjectReference;
  readonly mechanism: CkMechanism;
  readonly data: Uint8Array;
}
type Exchange<Request, Answer> = { readonly request: Request; readonly answer: Answer };

export interface ModuleOperations {
  describe: Exchange<object, LibraryFacts>;
  mechanisms: Exchange<TokenCall, readonly Mechanism[]>;
  /** If `forced` is true, the PIN is always tried. Otherwise, nothing happens if the user is already logged in. */
  login: Exchange<TokenCall & { readonly pin: string; readonly forced: boolean }, void>;
  /** Waits for calls in progress before logging out. */
  logout: Exchange<TokenCall, void>;
  sessions: Exchange<TokenCall, SessionFacts>;
  list: Exchange<TokenCall & { readonly objectClasses: readonly number[] }, readonly ObjectFacts[]>;
  generatePair: Exchange<
    TokenCall & {
      readonly mechanism: CkMechanism;
      readonly publicTemplate: readonly CkAttribute[];
      readonly privateTemplate: readonly CkAttribute[];
    },
    ObjectFacts
  >;
  generateSecret: Exchange<
    TokenCall & { readonly mechanism: CkMechanism; readonly template: readonly CkAttribute[] },
    ObjectFacts
  >;
  /** Changes an object's CKA_ID. Returns false if the token does not allow this. */
  identify: Exchange<TokenCall & { readonly key: ObjectReference; readonly id: Uint8Array }, boolean>;
  /** Returns false if the object does not exist. */
  destroy: Exchange<TokenCall & { readonly key: ObjectReference }, boolean>;
  sign: Exchange<KeyCall, Uint8Array>;
  encrypt: Exchange<KeyCall, Uint8Array>;
  decrypt: Exchange<KeyCall, Uint8Array>;
  random: Exchange<TokenCall & { readonly length: number }, Uint8Array>;
}

export type ModuleOperation = keyof ModuleOperations;
/** Operations that are harmless to repeat. They are repeated once if the outcome is unknown. */
export const REPEATABLE: ReadonlySet<ModuleOperation> = new Set<ModuleOperation>([
  'describe', 'mechanisms', 'sessions', 'list', 'sign', 'encrypt', 'decrypt', 'random', 'identify', 'destroy', 'logout',
]); // prettier-ignore

export type RequestOf<Op extends ModuleOperation> = ModuleOperations[Op]['request'];
export type ResponseOf<Op extends ModuleOperation> = ModuleOperations[Op]['answer'];

/**
 * Describes a failed call: either the library reported the failure by its return value, or the call failed before the
 * library was called.
 */
export interface Failure {
  /** `CKR_…`, or one of our own reasons. */
  readonly reason: string;
  /** PKCS #11 return value. Absent for our own reasons. */
  readonly code?: number | undefined;
  readonly message: string;
}

/** Reasons that do not come from the library. */
export const REASONS = {
  /** Nothing was done; the call can be repeated after a login. */
  notLoggedIn: 'not logged in',
  /** The session was lost during the call, so the outcome is unknown. */
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

export type ResponseMessage =
  { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly failure: Failure };

/** Messages from a library's process. Requests to it are also sent as lists. */
export type ModuleMessage =
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly part: 'binding' | 'library'; readonly message: string }
  | readonly ResponseMessage[];
