// Outcome of an attempt, in our own wording; data from peers is never quoted.

/** Why no certificate was presented, e.g. for counting failures by reason. */
export type FailureKind =
  | 'unresolved'
  | 'notAllowed'
  | 'ownListener'
  | 'refused'
  | 'unreachable'
  | 'silent'
  | 'ended'
  | 'stalled'
  | 'tooMuch'
  | 'noStartTls'
  | 'notTls'
  | 'refusedTls';

export const FAILURE_TEXTS: Readonly<Record<FailureKind, string>> = {
  unresolved: 'the host name has no address',
  notAllowed: 'scanning the address is not allowed',
  ownListener: "the target is one of the platform's own listeners, which discoveries never scan",
  refused: 'connection refused',
  unreachable: 'the address is unreachable',
  silent: 'no response in time',
  ended: 'the peer closed the connection',
  stalled: 'the peer did not complete the handshake in time',
  tooMuch: 'the peer sent too much data',
  noStartTls: 'the peer does not support STARTTLS',
  notTls: 'the peer does not support TLS',
  refusedTls: 'the peer rejected the TLS handshake',
};

export class ScanFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, options?: ErrorOptions & { readonly detail?: string }) {
    super(options?.detail ?? FAILURE_TEXTS[kind], options);
    this.name = 'ScanFailure';
    this.kind = kind;
  }
}

/** Maps socket and OpenSSL errors to scan failures. `begun`: the connection was established. */
export function failureOf(error: unknown, begun: boolean): ScanFailure {
  if (error instanceof ScanFailure) return error;
  const { code = '', reason = '' } = (error ?? {}) as { code?: string; reason?: string };
  const options = { cause: error };
  if (code === 'ECONNREFUSED') return new ScanFailure('refused', options);
  if (code === 'ETIMEDOUT') return new ScanFailure(begun ? 'stalled' : 'silent', options);
  if (/EXCESSIVE_MESSAGE_SIZE|RECORD_TOO_LARGE|LENGTH_TOO_LONG/.test(code)) return new ScanFailure('tooMuch', options);
  if (/ALERT/.test(code) || /alert/.test(reason)) return new ScanFailure('refusedTls', options);
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return new ScanFailure('notTls', options);
  return new ScanFailure(begun ? 'ended' : 'unreachable', options);
}
