// Microsoft Intune's interface for third-party certification authorities: it validates SCEP requests, is notified of
// their outcome, and returns revocation requests.
// https://learn.microsoft.com/en-us/mem/intune/protect/scep-libraries-apis
import { INTERFACE_VERSION } from '@signetry/contract';
import type { IntuneAccount } from '../../../areas/scep-profiles/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { IntuneFault, IntuneRejection } from './faults.ts';
import { createIntuneHttp } from './http.ts';
import { createServices, type ServiceUrls } from './services.ts';
import { createTokens } from './tokens.ts';

const CALLER_INFO = `Signetry/${INTERFACE_VERSION}`;
/** Time limit of an operation with all its calls: devices wait for the response. */
const DEADLINE_MS = 20_000;
const VALIDATION = { service: 'ScepRequestValidationFEService', version: '2018-02-20' } as const;
const REVOCATION = { service: 'PkiConnectorFEService', version: '5019-05-05' } as const;
const SUCCESS = 'Success';
const MAX_DESCRIPTION = 255;

/** URLs of the services; clouds other than the public one have different URLs. */
export interface IntuneUrls extends ServiceUrls {
  readonly loginUrl: string;
}

/** A SCEP request as received. */
export interface IntuneRequest {
  readonly transactionId: string;
  /** PKCS #10 as Base64-encoded DER. */
  readonly request: string;
}

export interface IssuedFacts {
  /** SHA-1 in uppercase hex. */
  readonly thumbprint: string;
  /** Uppercase hex. */
  readonly serialNumber: string;
  readonly expiresAt: Date;
  /** RFC 4514. */
  readonly issuer: string;
}

export interface FailureFacts {
  /** Error code, including the bit that marks codes that are not Microsoft's. */
  readonly code: number;
  readonly words: string;
}

export interface RevocationRequest {
  /** Context that identifies the request when its result is reported. */
  readonly requestContext: string;
  /** Hex. */
  readonly serialNumber: string;
  /** Issuer as reported with the certificate; empty if unknown. */
  readonly issuerName: string;
}

export interface RevocationResult {
  readonly requestContext: string;
  readonly succeeded: boolean;
  /** 0 on success. */
  readonly errorCode: number;
  readonly errorMessage: string;
}

/** Methods throw `IntuneRejection` if Intune rejects the call, and `IntuneFault` if there is no usable response. */
export interface Intune {
  validate(account: IntuneAccount, request: IntuneRequest): Promise<void>;
  tellIssued(account: IntuneAccount, request: IntuneRequest, facts: IssuedFacts): Promise<void>;
  tellFailed(account: IntuneAccount, request: IntuneRequest, facts: FailureFacts): Promise<void>;
  /** Returns pending revocation requests. Intune does not return the same requests again for an hour. */
  downloadRevocations(account: IntuneAccount, limit: number): Promise<readonly RevocationRequest[]>;
  uploadResults(account: IntuneAccount, results: readonly RevocationResult[]): Promise<void>;
}

export function createIntune(
  { egress, giveUp, clock }: Pick<Platform, 'egress' | 'giveUp' | 'clock'>,
  addresses: IntuneUrls,
): Intune & { readonly close: () => Promise<void> } {
  const http = createIntuneHttp({ egress, giveUp });
  const tokens = createTokens(http.call, { clock, loginUrl: addresses.loginUrl });
  const post = createServices({ call: http.call, tokens, clock, addresses, callerInfo: CALLER_INFO });
  const withDeadline = <Call extends object>(call: Call) => ({ ...call, signal: AbortSignal.timeout(DEADLINE_MS) });

  async function act(account: IntuneAccount, path: string, { body, isRepeated = false }: Act): Promise<void> {
    const call = { ...VALIDATION, path: `ScepActions/${path}`, body, isRepeated };
    assertSuccess(await post(account, withDeadline(call)));
  }

  const notify = (account: IntuneAccount, path: string, body: object): Promise<void> =>
    act(account, path, { body: { notification: { ...body, callerInfo: CALLER_INFO } } });

  const exchange = (account: IntuneAccount, path: string, body: object): Promise<unknown> =>
    post(
      account,
      withDeadline({ ...REVOCATION, path: `CertificateAuthorityRequests/${path}`, body, isRepeated: false }),
    );

  return {
    validate: (account, request) =>
      act(account, 'validateRequest', {
        body: { request: { ...requestFields(request), callerInfo: CALLER_INFO } },
        isRepeated: true,
      }),
    tellIssued: (account, request, { thumbprint, serialNumber, expiresAt, issuer }) =>
      notify(account, 'successNotification', {
        ...requestFields(request),
        certificateThumbprint: thumbprint,
        certificateSerialNumber: serialNumber,
        certificateExpirationDateUtc: expiresAt.toISOString(),
        issuingCertificateAuthority: issuer,
      }),
    tellFailed: (account, request, { code, words }) =>
      notify(account, 'failureNotification', {
        ...requestFields(request),
        hResult: code,
        errorDescription: words.slice(0, MAX_DESCRIPTION),
      }),
    downloadRevocations: async (account, maxRequests) =>
      revocationsOf(
        await exchange(account, 'downloadRevocationRequests', {
          downloadParameters: { maxRequests, issuerName: null },
        }),
      ),
    uploadResults: async (account, results) => {
      const { value } = (await exchange(account, 'uploadRevocationResults', { results })) as { value?: unknown };
      if (value !== true) throw new IntuneFault('Microsoft Intune did not record the revocation results');
    },
    close: http.close,
  };
}

interface Act {
  readonly body: object;
  readonly isRepeated?: boolean;
}

const requestFields = ({ transactionId, request: certificateRequest }: IntuneRequest) => ({
  transactionId,
  certificateRequest,
});

function assertSuccess(answer: unknown): void {
  const { code } = answer as { readonly code?: unknown };
  if (code === SUCCESS) return;
  if (typeof code !== 'string') throw new IntuneFault('Microsoft Intune returned a response without a code');
  throw new IntuneRejection(/^\w{1,80}$/.test(code) ? code : 'Unknown');
}

function revocationsOf(answer: unknown): readonly RevocationRequest[] {
  const { value } = answer as { readonly value?: unknown };
  if (!Array.isArray(value)) throw new IntuneFault('Microsoft Intune returned a response without revocation requests');
  return (value as readonly Readonly<Record<string, unknown>>[]).map((each) => ({
    requestContext: textOf(each?.requestContext),
    serialNumber: textOf(each?.serialNumber),
    issuerName: textOf(each?.issuerName),
  }));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
