// Notification texts: what happened, what it means, and what to do next. Pure.
import type { Resource } from '@signetry/contract';
import type { EventData } from '../tables.ts';

export interface Text {
  /** What happened, in one sentence. */
  readonly message: string;
  /** What it means, and what to do next. */
  readonly detail: string | null;
  readonly target: { readonly resource: Resource; readonly uuids: readonly string[] } | null;
}

/** Longer values are truncated, because names come from external sources. */
const MAX_VALUE = 200;

/** Returns a value from the data as a single line of text, or the fallback if the value does not exist. */
function textValue(data: EventData, name: string, otherwise: string): string {
  const value = data[name];
  if (typeof value !== 'string' && typeof value !== 'number') return otherwise;
  const text = String(value)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  if (text === '') return otherwise;
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

const has = (data: EventData, name: string): boolean => typeof data[name] === 'string' && data[name] !== '';

/** Returns the subject's common name, or the whole subject if it has none. */
function certificateIn(data: EventData): string {
  const subject = textValue(data, 'subjectDn', '');
  const commonName = /(?:^|,\s*)CN=((?:\\.|[^,\\])+)/i.exec(subject)?.[1];
  if (commonName) return `Certificate ${commonName.replaceAll(/\\(.)/g, '$1')}`;
  return subject === '' ? `Certificate ${textValue(data, 'certificateUuid', 'unknown')}` : `Certificate ${subject}`;
}

/** Returns what an approval is about, e.g. "issue certificate www.example.com". */
function requestIn(data: EventData): string {
  const resource = textValue(data, 'resource', 'the platform');
  const objects = has(data, 'objectName')
    ? `${resource.replace(/ies$/, 'y').replace(/s$/, '')} ${textValue(data, 'objectName', '')}`
    : resource;
  return `${textValue(data, 'resourceAction', 'change')} ${objects}`;
}

const day = (data: EventData, name: string): string => textValue(data, name, 'an unknown date').slice(0, 10);

const targetOf = (resource: Resource, ...uuids: unknown[]): Text['target'] => ({
  resource,
  uuids: uuids.filter((uuid) => typeof uuid === 'string'),
});

const certificateTarget = (data: EventData) => targetOf('certificates', data['certificateUuid']);

type TextWriter = (data: EventData) => Text;

const PAST: Readonly<Record<string, string>> = {
  issue: 'was issued',
  renew: 'was renewed',
  rekey: 'was renewed with a new key',
  revoke: 'was revoked',
};

const NOT_DONE: Readonly<Record<string, string>> = {
  issue: 'was not issued',
  renew: 'was not renewed',
  rekey: 'was not renewed with a new key',
  revoke: 'was not revoked',
};

const RESULTS: Readonly<Record<string, string>> = {
  APPROVED: 'was approved',
  REJECTED: 'was rejected',
  EXPIRED: 'expired before it was decided',
};

const writers: Readonly<Record<string, TextWriter>> = {
  certificate_status_changed: (data) => ({
    message: `${certificateIn(data)} is now ${textValue(data, 'newStatus', 'in a different state').toLowerCase()}; it was ${textValue(data, 'oldStatus', 'unknown').toLowerCase()}.`,
    detail: adviceOnStatus(data),
    target: certificateTarget(data),
  }),
  certificate_action_performed: (data) => {
    const action = textValue(data, 'action', '');
    if (has(data, 'errorMessage'))
      return {
        message: `${certificateIn(data)} ${NOT_DONE[action] ?? `was not changed (${action})`}.`,
        detail: `${toSentence(textValue(data, 'errorMessage', ''))} ${AFTER_FAILURES[action] ?? 'Open its history to see more.'}`,
        target: certificateTarget(data),
      };
    return {
      message: `${certificateIn(data)} ${PAST[action] ?? `was changed (${textValue(data, 'action', 'unknown')})`}.`,
      detail: AFTER_ACTIONS[action] ?? null,
      target: certificateTarget(data),
    };
  },
  certificate_expiring: (data) => ({
    message: `${certificateIn(data)} expires on ${day(data, 'expiresAt')}.`,
    detail: 'Renew it before then and deploy the new certificate, or archive it if it is no longer needed.',
    target: certificateTarget(data),
  }),
  certificate_not_compliant: (data) => ({
    message: `${certificateIn(data)} does not comply with the rules that apply to it.`,
    detail: 'Open the certificate to see which rules it violates, and replace it with a compliant one.',
    target: certificateTarget(data),
  }),
  certificate_discovered: (data) => ({
    message: `${certificateIn(data)} was discovered by ${textValue(data, 'discoveryName', 'a discovery')}.`,
    detail: 'Assign an owner and a group so that they are notified before it expires.',
    target: certificateTarget(data),
  }),
  certificate_not_served: (data) => ({
    message: `The server at ${textValue(data, 'endpoint', 'an endpoint')} does not serve the new certificate for location ${textValue(data, 'locationName', 'unknown')}.`,
    detail: `${textValue(data, 'problem', 'The endpoint served a different certificate.')} ${
      has(data, 'restoredCertificateUuid')
        ? 'The previous certificate was restored. Find out why the server did not accept the new one, then push it again.'
        : 'Nothing was restored. Check the server now.'
    }`,
    target: certificateTarget(data),
  }),
  certificate_change_ended: (data) => ({
    message: `Bulk ${CHANGES[textValue(data, 'kind', '')] ?? 'change'} of certificates finished: ${textValue(data, 'changed', '0')} succeeded, ${textValue(data, 'refused', '0')} rejected.`,
    detail:
      data['refused'] === 0
        ? null
        : 'Open the change to see which certificates were rejected and why, then retry them.',
    target: targetOf('certificates'),
  }),
  discovery_finished: (data) => ({
    message: `Discovery ${textValue(data, 'discoveryName', 'unknown')} finished (${textValue(data, 'discoveryStatus', 'unknown')}); certificates found: ${textValue(data, 'totalCertificateDiscovered', '0')}.`,
    detail: has(data, 'discoveryMessage') ? textValue(data, 'discoveryMessage', '') : null,
    target: targetOf('discoveries', data['discoveryUuid']),
  }),
  approval_requested: (data) => ({
    message: `Approval requested by ${textValue(data, 'creatorUsername', 'Somebody')}: ${requestIn(data)}.`,
    detail: `Decide before ${day(data, 'expiryAt')}; otherwise the request expires. Approval profile: ${textValue(data, 'approvalProfileName', 'unknown')}.`,
    target: targetOf('approvals', data['approvalUuid']),
  }),
  approval_closed: (data) => ({
    message: `Your request to ${requestIn(data)} ${RESULTS[textValue(data, 'status', '').toUpperCase()] ?? 'was closed'}.`,
    detail:
      textValue(data, 'status', '').toUpperCase() === 'APPROVED'
        ? 'It is now being carried out.'
        : 'Nothing was changed. Open the approval to see why; you can submit the request again.',
    target: targetOf('approvals', data['approvalUuid']),
  }),
  scheduled_job_finished: (data) => ({
    message: `Scheduled job ${textValue(data, 'jobName', 'unknown')} finished: ${textValue(data, 'status', 'unknown').toLowerCase()}.`,
    detail: /fail/i.test(textValue(data, 'status', ''))
      ? 'Open the job history to see why, then run the job again.'
      : null,
    target: targetOf('jobs', data['jobUuid']),
  }),
};

const CHANGES: Readonly<Record<string, string>> = {
  update: 'assignment',
  archive: 'archiving',
  unarchive: 'unarchiving',
  delete: 'deletion',
};

const AFTER_ACTIONS: Readonly<Record<string, string>> = {
  issue: 'It can be downloaded and deployed.',
  renew: 'Deploy the new certificate before the previous one expires.',
  rekey: 'Deploy the new certificate, with its key, before the previous one expires.',
  revoke: 'Clients that check revocation will reject it. Replace it wherever it is still in use.',
};

const RENEW_BEFORE =
  'The current certificate remains valid until it expires. Fix the problem, and renew it before then.';

const AFTER_FAILURES: Readonly<Record<string, string>> = {
  issue: 'Fix the problem, then request the certificate again.',
  renew: RENEW_BEFORE,
  rekey: RENEW_BEFORE,
  revoke: 'It is still valid. Fix the problem, then revoke it again.',
};

const toSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function adviceOnStatus(data: EventData): string | null {
  const status = textValue(data, 'newStatus', '').toLowerCase();
  if (status === 'expiring') return `It expires on ${day(data, 'expiresAt')}. Renew it before then.`;
  if (status === 'expired') return 'Clients reject it. Replace it, or archive it if it is no longer needed.';
  if (status === 'revoked') return 'Clients that check revocation reject it. Replace it wherever it is still in use.';
  if (status === 'invalid' || status === 'failed')
    return 'Open the certificate to see which check failed; clients may reject it.';
  return null;
}

/** Returns the text for an event; undefined if the event has none. */
export const textOf = (event: string, data: EventData): Text | undefined => writers[event]?.(data);
