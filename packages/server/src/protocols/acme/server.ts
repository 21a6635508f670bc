// Composes the protocol server from the directory's operations and the background work behind them.
import type { AcmeOperationName } from '@signetry/contract';
import type { FastifyInstance } from 'fastify';
import type { AuditTrail } from '../../areas/audit/index.ts';
import type { Enrollments } from '../../areas/enrollments/index.ts';
import type { ProtocolCertificates } from '../../areas/issuing/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import { publicHostOf } from '../../platform/net/public-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAccountKeys } from './requests/account-keys.ts';
import { createChangeKey, type ChangeKeyParts } from './accounts/change-key.ts';
import { createNewAccount, type NewAccountParts } from './accounts/new-account.ts';
import { createUpdateAccount, type UpdateAccountParts } from './accounts/update-account.ts';
import { createOpenAuthorizations } from './authorizations/open-authorizations.ts';
import { createReadAuthorization } from './authorizations/read-authorization.ts';
import { createRespondToChallenge } from './authorizations/respond-to-challenge.ts';
import { createAuthorizationStatements } from './authorizations/store.ts';
import { createValidationWork, RETRY_DELAYS_MS, type ValidationSettings } from './authorizations/validation-work.ts';
import { createDownload, type DownloadParts } from './certificates/download.ts';
import { createCertificateFinder, createRenewalInfo } from './certificates/renewal-info.ts';
import type { RenewalWindows } from './certificates/renewal-windows.ts';
import { createRevoke } from './certificates/revoke.ts';
import { createCleanUp } from './clean-up.ts';
import { acmeHttp } from './http.ts';
import { createCaaBeforeIssuance } from './orders/caa-before-issuance.ts';
import { createFinalizeOrder } from './orders/finalize-order.ts';
import { createOrderIssuer } from './orders/issue-order.ts';
import { createNewOrder } from './orders/new-order.ts';
import { createOrderLimits } from './orders/order-limits.ts';
import { createPrevalidate } from './orders/prevalidate.ts';
import { createPlaceOrder } from './orders/place-order.ts';
import { createReadOrder } from './orders/read-order.ts';
import { createOrderStatements, type OrderChoices } from './orders/store.ts';
import { createReplacements } from './orders/replacements.ts';
import { createVouching } from './orders/vouching.ts';
import { createRequestedSubject } from './orders/requested-subject.ts';
import { createRequestedValidity } from './orders/requested-validity.ts';
import { createAccountUrlsOf } from './model/account-urls.ts';
import type { AcmeProfiles } from '../../areas/acme-profiles/index.ts';
import { createAuthenticator } from './requests/authenticate.ts';
import type { AcmeReply, OpenCall } from './requests/call.ts';
import { createShowDirectory, createSignedRead, issueNonce, headNonce } from './requests/directory.ts';
import { createNonces, type Nonces } from './requests/nonces.ts';
import { createRecentObjects } from './requests/recent-objects.ts';
import { createServe, type AcmeOperation } from './requests/serve.ts';
import { rejectRandomly, type AcmeTestMode } from './test-mode.ts';
import { createUnfinishedWork } from './unfinished-work.ts';
import { createCaaCheck } from './validation/check-caa.ts';
import { createChallengeValidator } from './validation/validate-challenge.ts';

/** Process settings. */
export interface AcmeSettings extends Omit<ValidationSettings, 'retryDelaysMs' | 'delayMs'> {
  /** Maximum number of open orders per account; unlimited if absent. */
  readonly maxOpenOrders?: number;
  /** Delays before further attempts at a challenge, in milliseconds. */
  readonly retryDelaysMs?: readonly number[] | undefined;
  readonly testMode?: AcmeTestMode | undefined;
}

export interface AcmeServerParts {
  readonly audit: AuditTrail;
  readonly certificates: ProtocolCertificates;
  readonly chains: DownloadParts;
  readonly raProfiles: RaProfiles;
  readonly acmeProfiles: Pick<AcmeProfiles, 'served' | 'eabKeys'>;
  readonly enrollments: Pick<Enrollments, 'recordRejection'>;
  readonly renewalWindows: RenewalWindows;
  readonly actor: () => Promise<Actor>;
  readonly directoryBase: () => string;
  readonly linkOrigin: (requestOrigin: string) => string;
  readonly settings: AcmeSettings;
}

export interface AcmeServer {
  readonly http: (server: FastifyInstance) => void;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Drops accounts changed on this node from the cache, specified by the identifiers in their URLs. */
  forgetAccounts(accountIds: readonly string[]): void;
}

export function createAcmeServer(platform: Platform, parts: AcmeServerParts): AcmeServer {
  const { audit, raProfiles, certificates, directoryBase, linkOrigin, actor } = parts;
  const settings = { ...parts.settings, defaultCaaIdentity: () => publicHostOf(directoryBase()) };
  const { served: profiles, eabKeys } = parts.acmeProfiles;
  const { executor } = platform.database;
  const nonces = noncesOf(platform, settings);
  const accountKeys = createAccountKeys({ executor, clock: platform.clock, eabKeys });
  const authenticator = createAuthenticator({ nonces, accountKeys });
  const serve = createServe({ platform, audit, profiles, accountKeys, authenticator, nonces });

  const findCertificate = createCertificateFinder(certificates);
  const requestedValidity = createRequestedValidity({ raProfiles });
  const requestedSubject = createRequestedSubject({ raProfiles });
  const issuer = createOrderIssuer({ platform, certificates, requestedValidity, requestedSubject });
  const validate = createChallengeValidator(platform);
  const validation = createValidationWork({ platform, audit, validate, settings: validationSettings(settings) });
  const addressesOf = createAccountUrlsOf(directoryBase);
  const assertCaaPermits = createCaaBeforeIssuance(platform, { checkCaa: createCaaCheck(), settings, addressesOf });
  const orders = createOrderStatements(platform.database);
  const placing = {
    placing: createPlaceOrder(platform.database),
    limits: createOrderLimits(platform, { maxOpen: settings.maxOpenOrders ?? Infinity }),
    vouching: createVouching(platform, { eabKeys }),
    replacements: createReplacements({ executor, findCertificate }),
    proveAhead: createPrevalidate({ platform, validation, addressesOf, settings }),
  };
  const authorizations = createAuthorizationStatements(platform.database);
  const recent = { open: createOpenAuthorizations(), choices: createRecentObjects<OrderChoices>() };
  const shared = { platform, audit, accountKeys, ...recent };
  const { readOrder, listOrders } = createReadOrder(platform, { orders });

  const operations: Readonly<Record<AcmeOperationName, AcmeOperation>> = {
    ...directoryOperations(platform, createShowDirectory(settings)),
    renewalInfo: {
      signedBy: 'nobody',
      run: createRenewalInfo({ findCertificate, renewalWindows: parts.renewalWindows }),
    },
    ...accountOperations({ ...shared, eabKeys, certificates, enrollments: parts.enrollments }),
    newOrder: { signedBy: 'account', run: createNewOrder({ ...shared, ...placing, raProfiles, requestedValidity }) },
    listOrders: { signedBy: 'account', run: listOrders },
    order: { signedBy: 'account', run: readOrder },
    finalize: {
      signedBy: 'account',
      run: createFinalizeOrder({ ...shared, ...placing, certificates, issuer, orders, assertCaaPermits }),
    },
    authorization: { signedBy: 'account', run: createReadAuthorization({ ...shared, authorizations, settings }) },
    challenge: {
      signedBy: 'account',
      run: createRespondToChallenge({ ...shared, validation, authorizations, addressesOf, settings }),
    },
    certificate: { signedBy: 'account', run: createDownload(platform, parts.chains) },
    revokeCertificate: { signedBy: 'accountOrKey', run: createRevoke({ platform, certificates, raProfiles }) },
  };

  const unfinished = createUnfinishedWork({ platform, profiles, certificates, issuer, validation, addressesOf });
  createCleanUp(platform).declare();

  return {
    http: acmeHttp({ operations, serve, nonces, actor, linkOrigin }),
    start: async () => unfinished.start(),
    async stop() {
      // These stop concurrently: a running round ends only when the attempts that it waits for have ended.
      await Promise.all([unfinished.stop(), validation.stop()]);
      await issuer.drain();
    },
    forgetAccounts: (accountIds) => accountIds.forEach((accountId) => accountKeys.forget(accountId)),
  };
}

function noncesOf(platform: Platform, { testMode }: AcmeSettings): Nonces {
  const nonces = createNonces(platform);
  return testMode ? rejectRandomly(nonces, testMode) : nonces;
}

const validationSettings = ({ testMode, ...settings }: AcmeSettings): ValidationSettings => ({
  ...settings,
  retryDelaysMs: settings.retryDelaysMs ?? RETRY_DELAYS_MS,
  delayMs: testMode?.validationDelayMs ?? 0,
});

/** Operations on accounts. */
const accountOperations = (parts: NewAccountParts & UpdateAccountParts & ChangeKeyParts) =>
  ({
    newAccount: { signedBy: 'key', run: createNewAccount(parts) },
    updateAccount: { signedBy: 'account', run: createUpdateAccount(parts) },
    keyChange: { signedBy: 'account', run: createChangeKey(parts) },
  }) as const satisfies Partial<Record<AcmeOperationName, AcmeOperation>>;

/** Operations with which a client discovers the others. */
const directoryOperations = (platform: Platform, showDirectory: (call: OpenCall) => Promise<AcmeReply>) =>
  ({
    directory: { signedBy: 'nobody', run: showDirectory },
    newNonce: { signedBy: 'nobody', run: issueNonce },
    headNonce: { signedBy: 'nobody', run: headNonce },
    directoryByPost: { signedBy: 'account', run: createSignedRead(platform, showDirectory) },
    newNonceByPost: { signedBy: 'account', run: createSignedRead(platform, issueNonce) },
  }) as const satisfies Partial<Record<AcmeOperationName, AcmeOperation>>;
