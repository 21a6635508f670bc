// Calls tokens and logs in to them. A token is active while its PIN is known. The PIN is sealed in the database if the
// token stays active across restarts, otherwise in this process's memory. The connector logs in when a call requires
// it, including after it has lost a session or an entire process.
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { notFound, rejected, type ConnectorContext } from '@signetry/connector-sdk';
import type { Libraries } from '../libraries.ts';
import { ModuleError } from '../module/module-error.ts';
import {
  REASONS,
  REPEATABLE,
  type ResponseOf,
  type ModuleOperation,
  type RequestOf,
  type TokenReference,
} from '../module/protocol.ts';
import { isPinRejected, pinRejection, rejectionOf } from '../rejections.ts';
import type { TokenRow, TokenStore } from './token-store.ts';

/** Changes on another node must be noticed within 5 s. */
const CHECK_AFTER_MS = 4_000;
const MAX_KNOWN = 256;

type Request<Op extends ModuleOperation> = Omit<RequestOf<Op>, 'token'>;

export interface TokenAccess {
  /** Throws 404 if the token does not exist. */
  get(uuid: string): Promise<TokenRow>;
  isActive(row: TokenRow): boolean;
  /** `keyUuid` is the key that the call uses, for error messages. */
  call<Op extends ModuleOperation>(
    row: TokenRow,
    operation: Op,
    request: Request<Op> & { readonly keyUuid?: string },
  ): Promise<ResponseOf<Op>>;
  activate(uuid: string, wish: { readonly pin: string; readonly staysActive: boolean }): Promise<void>;
  deactivate(uuid: string): Promise<void>;
  remove(uuid: string): Promise<void>;
  /** Call after the row was changed on this node. */
  forget(uuid: string): void;
}

/** The library's process needs no other columns of the row. */
const referenceOf = ({ serial, label }: TokenRow): TokenReference => ({ serial, label });

export const pinPurpose = (uuid: string): string => `pkcs11-tokens:pin:${uuid}`;

interface HeldPin {
  /** The token's deactivation count when the PIN was accepted. */
  readonly deactivations: number;
  readonly sealed: Uint8Array;
}

interface Facts {
  readonly context: Pick<ConnectorContext, 'seal' | 'open' | 'clock' | 'log'>;
  readonly store: TokenStore;
  readonly libraries: Libraries;
}

interface AccessState {
  readonly rows: LRUCache<string, { readonly row: TokenRow; readonly checkedAtMs: number }>;
  readonly pins: Map<string, HeldPin>;
  /** Logins in progress, shared by the calls that need them. */
  readonly logins: Map<string, Promise<void>>;
}

export function createTokenAccess(facts: Facts): TokenAccess {
  const { store } = facts;
  const known: AccessState = { rows: new LRUCache({ max: MAX_KNOWN }), pins: new Map(), logins: new Map() };
  const forget = (uuid: string): void => void known.rows.delete(uuid);

  async function get(uuid: string): Promise<TokenRow> {
    const entry = known.rows.get(uuid);
    if (entry && performance.now() - entry.checkedAtMs < CHECK_AFTER_MS) return entry.row;
    const row = await store.find(uuid);
    if (row) known.rows.set(uuid, { row, checkedAtMs: performance.now() });
    else forget(uuid);
    // Deactivated or removed on another node.
    if (entry && entry.row.deactivations !== row?.deactivations) await endSession(facts, known, entry.row);
    if (!row) throw notFound('Token', uuid);
    return row;
  }

  return {
    get,
    forget,
    isActive: (row) => sealedPinOf(known, row) !== undefined,
    call: async <Op extends ModuleOperation>(
      row: TokenRow,
      operation: Op,
      { keyUuid, ...rest }: Request<Op> & { readonly keyUuid?: string },
    ) => {
      // The type without `keyUuid`, which TypeScript cannot infer from the intersection.
      const request = rest as unknown as Request<Op>;
      try {
        return await callLoggedIn(facts, known, { row, operation, request });
      } catch (error) {
        throw rejectionOf(error, { library: facts.libraries.get(row.library), operation, token: row, keyUuid });
      }
    },
    activate: async (uuid, wish) => {
      forget(uuid);
      await activate(facts, known, { row: await get(uuid), ...wish });
      forget(uuid);
    },
    deactivate: async (uuid) => {
      const row = await get(uuid);
      await store.deactivate(uuid);
      forget(uuid);
      await endSession(facts, known, row);
    },
    remove: async (uuid) => {
      const row = await get(uuid);
      await store.remove(uuid);
      forget(uuid);
      await endSession(facts, known, row);
    },
  };
}

/** Returns the sealed PIN while the token is active. */
function sealedPinOf({ pins }: AccessState, row: TokenRow): Uint8Array | undefined {
  const held = pins.get(row.uuid);
  return (held?.deactivations === row.deactivations ? held.sealed : undefined) ?? row.sealed_pin ?? undefined;
}

interface CallFacts<Op extends ModuleOperation> {
  readonly row: TokenRow;
  readonly operation: Op;
  readonly request: Request<Op>;
}

async function callLoggedIn<Op extends ModuleOperation>(
  facts: Facts,
  known: AccessState,
  { row, operation, request }: CallFacts<Op>,
): Promise<ResponseOf<Op>> {
  if (sealedPinOf(known, row) === undefined) throw notActiveError(row);
  const { client } = facts.libraries.get(row.library);
  // Adds the token, which every operation requires except those on libraries.
  const complete = { ...request, token: referenceOf(row) } as RequestOf<Op>;
  try {
    return await client.call(operation, complete);
  } catch (error) {
    if (!isRepeatableAfterLogin(error, operation)) throw error;
    await logIn(facts, known, row);
    return client.call(operation, complete);
  }
}

/** Returns whether the call can succeed after a login and is harmless to repeat. */
const isRepeatableAfterLogin = (error: unknown, operation: ModuleOperation): boolean =>
  error instanceof ModuleError &&
  (error.reason === REASONS.notLoggedIn || (error.reason === REASONS.sessionLost && REPEATABLE.has(operation)));

const notActiveError = ({ name, pin_refused_at: refusedAt }: TokenRow) =>
  rejected(
    refusedAt
      ? `Token "${name}" is not active: it rejected the stored PIN at ${refusedAt.toISOString()}. Activate it with the current PIN.`
      : `Token "${name}" is not active. Activate it with its PIN.`,
  );

function logIn(facts: Facts, known: AccessState, { uuid }: TokenRow): Promise<void> {
  const underWay = known.logins.get(uuid);
  if (underWay) return underWay;
  const started = logInOnce(facts, known, uuid).finally(() => known.logins.delete(uuid));
  known.logins.set(uuid, started);
  return started;
}

/** A rejected PIN is not tried again on any node: the token counts each attempt. */
async function logInOnce(facts: Facts, known: AccessState, uuid: string): Promise<void> {
  const { store, context, libraries } = facts;
  const refused = await store.locked(
    uuid,
    async (row, tx): Promise<{ row: TokenRow; error: ModuleError } | undefined> => {
      const sealed = sealedPinOf(known, row);
      if (!sealed) throw notActiveError(row);
      const { client } = libraries.get(row.library);
      try {
        await client.call('login', { token: referenceOf(row), pin: openPin(context, uuid, sealed), forced: false });
        return undefined;
      } catch (error) {
        if (!isPinRejected(error)) throw error;
        await tx.deactivate(uuid, context.clock.now());
        return { row, error };
      }
    },
  );
  if (!refused) return;
  known.pins.delete(uuid);
  known.rows.delete(uuid);
  const { row, error } = refused;
  context.log.error({ token: uuid, reason: error.reason }, 'Token rejected the stored PIN and is no longer active');
  throw rejected(
    `Token "${row.name}" rejected the PIN that it was activated with (${error.reason}). Activate it with the current PIN.`,
  );
}

interface Activation {
  readonly row: TokenRow;
  readonly pin: string;
  readonly staysActive: boolean;
}

async function activate(facts: Facts, known: AccessState, { row, pin, staysActive }: Activation): Promise<void> {
  const { context, store, libraries } = facts;
  const { uuid } = row;
  const held = sealedPinOf(known, row);
  if (held && !isSame(openPin(context, uuid, held), pin))
    throw rejected(`Token "${row.name}" is active with a different PIN. Deactivate it first; this PIN was not tried.`);
  const sealed = context.seal(Buffer.from(pin), pinPurpose(uuid));
  const stored = staysActive ? sealed : undefined;
  if (held) {
    await store.keepPin(uuid, stored);
    known.pins.set(uuid, { deactivations: row.deactivations, sealed });
    return;
  }
  const library = libraries.get(row.library);
  try {
    await library.client.call('login', { token: referenceOf(row), pin, forced: true });
  } catch (error) {
    if (isPinRejected(error)) {
      context.log.warn({ token: uuid, reason: error.reason }, 'Token rejected an entered PIN');
      throw pinRejection(error, await flagsOf(facts, row));
    }
    throw rejectionOf(error, { library, operation: 'login', token: row });
  }
  known.pins.set(uuid, { deactivations: await store.activate(uuid, stored), sealed });
}

/** Logs out and discards the PIN. If the library is unreachable, there is no session to end. */
async function endSession({ libraries, context }: Facts, known: AccessState, row: TokenRow): Promise<void> {
  known.pins.delete(row.uuid);
  const client = libraries.all.find(({ name }) => name === row.library)?.client;
  if (client?.pid === undefined) return;
  try {
    await client.call('logout', { token: referenceOf(row) });
  } catch (error) {
    context.log.warn({ token: row.uuid, err: error }, 'Token logout failed; its sessions are lost');
  }
}

async function flagsOf({ libraries }: Facts, row: TokenRow): Promise<number | undefined> {
  try {
    const { tokens } = await libraries.get(row.library).client.call('describe', {});
    return tokens.find(({ serial, label }) => serial === row.serial && label === row.label)?.flags;
  } catch {
    return undefined; // The error message then omits the flags.
  }
}

const openPin = (context: Pick<ConnectorContext, 'open'>, uuid: string, sealed: Uint8Array): string =>
  Buffer.from(context.open(sealed, pinPurpose(uuid))).toString('utf8');

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
