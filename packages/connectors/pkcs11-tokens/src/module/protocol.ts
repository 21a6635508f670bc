// What the connector and the process of a library say to each other. Messages are copied by the structured clone.
import type { CkAttribute, CkMechanism, MechanismInfo } from './cryptoki.ts';

/** Slots move; a token is known by its serial number and label. */
export interface TokenReference {
  readonly serial: string;
  readonly label: string;
}

/** An object is known by class, type and CKA_ID; one that has no CKA_ID, or shares it, by its label too. */
export interface ObjectReference {
  readonly objectClass: number;
  /** CKA_KEY_TYPE; -1 where the token does not tell. */
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
  /** Initialized tokens that are present. */
  readonly tokens: readonly TokenFacts[];
}

export interface SessionFacts {
  readonly open: number;
  readonly inUse: number;
}

export interface Mechanism extends MechanismInfo {
  readonly mechanism: number;
}

/** What can be read of a key or certificate; an attribute that the object does not have is absent. */
export interface ObjectFacts extends ObjectReference {
  readonly modulus?: Uint8Array | undefined;
  readonly publicExponent?: Uint8Array | undefined;
  readonly ecParams?: Uint8Array | undefined;
  readonly ecPoint?: Uint8Array | undefined;
  readonly publicKeyInfo?: Uint8Array | undefined;
  /** Of certificates: their DER; of ML-DSA keys: the encoded public key. */
  readonly value?: Uint8Array | undefined;
  /** Of secret keys, in octets. */
  readonly valueLength?: number | undefined;
  /** Of ML-DSA keys. */
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
  /** With `anew` a PIN is tried in any case; without, nothing happens where the user is logged in. */
  login: Exchange<OnToken & { readonly pin: string; readonly anew: boolean }, void>;
  /** Waits for what is under way. */
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
  /** Gives an object another CKA_ID; false where the token does not let it. */
  identify: Exchange<OnToken & { readonly key: ObjectReference; readonly id: Uint8Array }, boolean>;
  /** False where there was none. */
  destroy: Exchange<OnToken & { readonly key: ObjectReference }, boolean>;
  sign: Exchange<WithKey, Uint8Array>;
  encrypt: Exchange<WithKey, Uint8Array>;
  decrypt: Exchange<WithKey, Uint8Array>;
  random: Exchange<OnToken & { readonly length: number }, Uint8Array>;
}

export type ModuleOperation = keyof ModuleOperations;
/** Made again once where nobody knows what came of them: a second time does no harm. */
export const REPEATABLE: ReadonlySet<ModuleOperation> = new Set<ModuleOperation>([
  'describe', 'mechanisms', 'sessions', 'list', 'sign', 'encrypt', 'decrypt', 'random', 'identify', 'destroy', 'logout',
]); // prettier-ignore

export type RequestOf<Op extends ModuleOperation> = ModuleOperations[Op]['request'];
export type AnswerOf<Op extends ModuleOperation> = ModuleOperations[Op]['answer'];

/** Where a call failed: at the library, which says so by a return value, or before it was called. */
export interface Failure {
  /** `CKR_…`, or one of ours. */
  readonly reason: string;
  /** The return value; absent for reasons of ours. */
  readonly code?: number | undefined;
  readonly message: string;
}

/** Reasons of ours. */
export const REASONS = {
  /** Nothing was done; after a login the call may be made. */
  notLoggedIn: 'not logged in',
  /** In the middle of the call; what came of it is not known. */
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

/** Requests go as lists too. */
export type ModuleMessage =
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly part: 'binding' | 'library'; readonly message: string }
  | readonly AnswerMessage[];
