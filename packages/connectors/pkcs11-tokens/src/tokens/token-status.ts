// Observable state of a token: its library, the token itself, sessions, PIN and mechanisms.
import type { TokenInstanceStatus, TokenInstanceStatusComponent, TokenInstanceStatusDto } from '@signetry/contract';
import type { Libraries, Library } from '../libraries.ts';
import { CKF } from '../module/constants.ts';
import type { TokenFacts } from '../module/protocol.ts';
import { rejectionOf, describeTriesLeft } from '../rejections.ts';
import type { TokenAccess } from './token-access.ts';
import type { TokenRow } from './token-store.ts';

/** Platforms wait 10 s for a status, so a library that hangs must be reported before then. */
const LOOK_MS = 5_000;

export async function tokenStatus(
  access: TokenAccess,
  libraries: Libraries,
  row: TokenRow,
): Promise<TokenInstanceStatusDto> {
  const library = libraries.all.find(({ name }) => name === row.library);
  if (!library) {
    const problem = `Library ${row.library} is not configured.`;
    return { status: 'Disconnected', components: { library: component('Disconnected', { problem }) } };
  }
  const described = await withTimeLimit(library.client.call('describe', {}), { library, row });
  if ('problem' in described)
    return { status: 'Disconnected', components: { library: component('Disconnected', described) } };
  const { manufacturer, description, version, cryptoki } = described.found;
  const { path, client } = library;
  const seen = {
    library: component('Connected', { path, manufacturer, description, version, cryptoki, process: client.pid }),
  };
  // Until the first login, the library does not list a token that was initialized after the library was loaded.
  const known = tokenIn(described.found.tokens, row);
  const facts = known ?? (await lookUpToken(library, row));
  if (!facts) {
    const problem = `No slot contains a token with label "${row.label}" and serial number ${row.serial}.`;
    return { status: 'Disconnected', components: { ...seen, token: component('Disconnected', { problem }) } };
  }
  const sessions = await sessionsComponent(access, library, row);
  const { status } = sessions;
  const components = { ...seen, token: tokenComponent(facts), session: sessions, pin: pinComponent(facts) };
  if (!known) return { status, components };
  return { status, components: { ...components, mechanisms: await mechanismsComponent(library, row) } };
}

const tokenIn = (tokens: readonly TokenFacts[], row: TokenRow): TokenFacts | undefined =>
  tokens.find(({ serial, label }) => serial === row.serial && label === row.label);

async function lookUpToken(library: Library, row: TokenRow): Promise<TokenFacts | undefined> {
  const outcome = await withTimeLimit(library.look(), { library, row });
  return 'found' in outcome ? tokenIn(outcome.found, row) : undefined;
}

const component = (status: TokenInstanceStatus, details: Record<string, unknown>): TokenInstanceStatusComponent => ({
  status,
  details,
});

type Outcome<Found> = { readonly found: Found } | { readonly problem: string };

async function withTimeLimit<Found>(
  work: Promise<Found>,
  { library, row }: { readonly library: Library; readonly row: TokenRow },
): Promise<Outcome<Found>> {
  const late = Promise.withResolvers<Outcome<Found>>();
  const timer = setTimeout(() => late.resolve({ problem: `Library ${library.name} does not respond.` }), LOOK_MS);
  try {
    return await Promise.race([work.then((found) => ({ found })), late.promise]);
  } catch (error) {
    const refusal = rejectionOf(error, { library, operation: 'describe', token: row });
    return { problem: refusal instanceof Error ? refusal.message : 'The library failed.' };
  } finally {
    clearTimeout(timer);
  }
}

function tokenComponent({ serial, label, manufacturer, model, firmware, flags }: TokenFacts) {
  const writeProtected = (flags & CKF.writeProtected) !== 0;
  return component('Connected', { label, serial, manufacturer, model, firmware, writeProtected });
}

async function sessionsComponent(access: TokenAccess, library: Library, row: TokenRow) {
  if (!access.isActive(row)) {
    const refusedAt = row.pin_refused_at?.toISOString();
    return component('Deactivated', refusedAt ? { problem: `The token rejected the stored PIN at ${refusedAt}.` } : {});
  }
  const outcome = await withTimeLimit(access.call(row, 'sessions', {}), { library, row });
  // The token may have just rejected the PIN, which deactivates it.
  if ('problem' in outcome)
    return component(access.isActive(await access.get(row.uuid)) ? 'Warning' : 'Deactivated', outcome);
  return component('Activated', { ...outcome.found, staysActive: row.sealed_pin !== null });
}

function pinComponent({ flags }: TokenFacts): TokenInstanceStatusComponent {
  const tries = describeTriesLeft(flags);
  const initialized = (flags & CKF.userPinInitialized) !== 0;
  const toBeChanged = (flags & CKF.userPinToBeChanged) !== 0;
  const isFine = initialized && tries === undefined && !toBeChanged;
  return component(isFine ? 'Connected' : 'Warning', {
    initialized,
    countLow: (flags & CKF.userPinCountLow) !== 0,
    finalTry: (flags & CKF.userPinFinalTry) !== 0,
    locked: (flags & CKF.userPinLocked) !== 0,
    toBeChanged,
    ...(tries ? { tries } : {}),
  });
}

async function mechanismsComponent(library: Library, row: TokenRow): Promise<TokenInstanceStatusComponent> {
  const token = { serial: row.serial, label: row.label };
  const outcome = await withTimeLimit(library.client.call('mechanisms', { token }), { library, row });
  if ('problem' in outcome) return component('Warning', outcome);
  return component('Connected', {
    count: outcome.found.length,
    numbers: outcome.found.map(({ mechanism }) => `0x${mechanism.toString(16)}`).join(' '),
  });
}
