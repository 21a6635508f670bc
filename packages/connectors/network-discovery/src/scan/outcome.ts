// How an attempt ended, in words of our own: nothing that a peer sent is in them.

/** Why nothing was served, e.g. to count failures by it. */
export type FailureKind =
  | 'unresolved'
  | 'notAllowed'
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
  unresolved: 'the name has no address',
  notAllowed: 'the address may not be scanned',
  refused: 'the connection was refused',
  unreachable: 'the address cannot be reached',
  silent: 'there was no answer in time',
  ended: 'the peer ended the connection',
  stalled: 'the peer did not finish in time',
  tooMuch: 'the peer sent too much',
  noStartTls: 'the peer does not start TLS',
  notTls: 'the peer does not speak TLS',
  refusedTls: 'the peer refused the TLS handshake',
};

export class ScanFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, options?: ErrorOptions & { readonly detail?: string }) {
    super(options?.detail ?? FAILURE_TEXTS[kind], options);
    this.name = 'ScanFailure';
    this.kind = kind;
  }
}

/** Errors of sockets and of OpenSSL, as what they mean to a scan. `begun`: the connection was there. */
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
