// What people read of an event: what happened, what it means, and what to do next. Pure.
import type { Resource } from '@signetry/contract';
import type { EventData } from '../tables.ts';

export interface Text {
  /** What happened, in one sentence. */
  readonly message: string;
  /** What it means, and what to do next. */
  readonly detail: string | null;
  readonly target: { readonly resource: Resource; readonly uuids: readonly string[] } | null;
}

/** Longer values are cut: names come from outside. */
const MAX_VALUE = 200;

/** A value of the data as text on one line; the words where there is none. */
function said(data: EventData, name: string, otherwise: string): string {
  const value = data[name];
  if (typeof value !== 'string' && typeof value !== 'number') return otherwise;
  const text = String(value)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  if (text === '') return otherwise;
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

const has = (data: EventData, name: string): boolean => typeof data[name] === 'string' && data[name] !== '';

/** The common name of the subject, or all of it. */
function certificateIn(data: EventData): string {
  const subject = said(data, 'subjectDn', '');
  const commonName = /(?:^|,\s*)CN=((?:\\.|[^,\\])+)/i.exec(subject)?.[1];
  if (commonName) return `Certificate ${commonName.replaceAll(/\\(.)/g, '$1')}`;
  return subject === '' ? `Certificate ${said(data, 'certificateUuid', 'unknown')}` : `Certificate ${subject}`;
}

const day = (data: EventData, name: string): string => said(data, name, 'an unknown day').slice(0, 10);

const about = (resource: Resource, ...uuids: unknown[]): Text['target'] => ({
  resource,
  uuids: uuids.filter((uuid) => typeof uuid === 'string'),
});

const ofCertificate = (data: EventData) => about('certificates', data['certificateUuid']);

type Writer = (data: EventData) => Text;

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

const writers: Readonly<Record<string, Writer>> = {
  certificate_status_changed: (data) => ({
    message: `${certificateIn(data)} is now ${said(data, 'newStatus', 'in another state').toLowerCase()}; it was ${said(data, 'oldStatus', 'unknown').toLowerCase()}.`,
    detail: adviceOnStatus(data),
    target: ofCertificate(data),
  }),
  certificate_action_performed: (data) => {
    const action = said(data, 'action', '');
    if (has(data, 'errorMessage'))
      return {
        message: `${certificateIn(data)} ${NOT_DONE[action] ?? `was not changed (${action})`}.`,
        detail: `${asSentence(said(data, 'errorMessage', ''))} ${AFTER_FAILURES[action] ?? 'Open its history to see more.'}`,
        target: ofCertificate(data),
      };
    return {
      message: `${certificateIn(data)} ${PAST[action] ?? `was changed (${said(data, 'action', 'unknown')})`}.`,
      detail: AFTER_ACTIONS[action] ?? null,
      target: ofCertificate(data),
    };
  },
  certificate_expiring: (data) => ({
    message: `${certificateIn(data)} ends on ${day(data, 'expiresAt')}.`,
    detail: 'Renew it before that day and put the new certificate into service, or archive it if nothing needs it.',
    target: ofCertificate(data),
  }),
  certificate_not_compliant: (data) => ({
    message: `${certificateIn(data)} does not comply with the rules that apply to it.`,
    detail: 'Open the certificate to see which rules it breaks, and replace it by one that keeps them.',
    target: ofCertificate(data),
  }),
  certificate_discovered: (data) => ({
    message: `${certificateIn(data)} was discovered by ${said(data, 'discoveryName', 'a discovery')}.`,
    detail: 'Give it an owner and a group, so that somebody is told before it ends.',
    target: ofCertificate(data),
  }),
  certificate_not_served: (data) => ({
    message: `The server at ${said(data, 'endpoint', 'an endpoint')} does not serve the new certificate of location ${said(data, 'locationName', 'unknown')}.`,
    detail: `${said(data, 'problem', 'The endpoint showed another certificate.')} ${
      has(data, 'restoredCertificateUuid')
        ? 'The certificate from before is put back; find out why the server did not take the new one, and push it again.'
        : 'Nothing was put back; look at the server now.'
    }`,
    target: ofCertificate(data),
  }),
  certificate_change_ended: (data) => ({
    message: `The ${CHANGES[said(data, 'kind', '')] ?? 'change'} of many certificates that you asked for has ended: ${said(data, 'changed', '0')} done, ${said(data, 'refused', '0')} refused.`,
    detail:
      data['refused'] === 0 ? null : 'Open the change to see which were refused and why, and ask for these again.',
    target: about('certificates'),
  }),
  discovery_finished: (data) => ({
    message: `Discovery ${said(data, 'discoveryName', 'unknown')} ended (${said(data, 'discoveryStatus', 'unknown')}); certificates found: ${said(data, 'totalCertificateDiscovered', '0')}.`,
    detail: has(data, 'discoveryMessage') ? said(data, 'discoveryMessage', '') : null,
    target: about('discoveries', data['discoveryUuid']),
  }),
  approval_requested: (data) => ({
    message: `${said(data, 'creatorUsername', 'Somebody')} asks for your approval to ${said(data, 'resourceAction', 'change')} an object of ${said(data, 'resource', 'the platform')}.`,
    detail: `Decide before ${day(data, 'expiryAt')}: what is not decided by then is refused. Approval profile: ${said(data, 'approvalProfileName', 'unknown')}.`,
    target: about('approvals', data['approvalUuid']),
  }),
  approval_closed: (data) => ({
    message: `Your request to ${said(data, 'resourceAction', 'change')} an object of ${said(data, 'resource', 'the platform')} ${RESULTS[said(data, 'status', '').toUpperCase()] ?? 'was closed'}.`,
    detail:
      said(data, 'status', '').toUpperCase() === 'APPROVED'
        ? 'It is carried out now.'
        : 'Nothing was done. Open the approval to see why; you can make the request again.',
    target: about('approvals', data['approvalUuid']),
  }),
  scheduled_job_finished: (data) => ({
    message: `Scheduled job ${said(data, 'jobName', 'unknown')} ended: ${said(data, 'status', 'unknown').toLowerCase()}.`,
    detail: /fail/i.test(said(data, 'status', '')) ? 'Open the history of the job to see why, and run it again.' : null,
    target: about('jobs', data['jobUuid']),
  }),
};

const CHANGES: Readonly<Record<string, string>> = {
  update: 'assignment',
  archive: 'archiving',
  unarchive: 'return from the archive',
  delete: 'deletion',
};

const AFTER_ACTIONS: Readonly<Record<string, string>> = {
  issue: 'It can be downloaded and put into service.',
  renew: 'Put the new certificate into service before the one from before ends.',
  rekey: 'Put the new certificate into service, with its key, before the one from before ends.',
  revoke: 'Whoever checks it will refuse it. Replace it wherever it is still in service.',
};

const RENEW_BEFORE =
  'What is in service stays valid until it ends: correct what stands in the way, and renew it before that day.';

const AFTER_FAILURES: Readonly<Record<string, string>> = {
  issue: 'Correct what stands in the way, and ask for the certificate again.',
  renew: RENEW_BEFORE,
  rekey: RENEW_BEFORE,
  revoke: 'It is still valid: correct what stands in the way, and revoke it again.',
};

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function adviceOnStatus(data: EventData): string | null {
  const status = said(data, 'newStatus', '').toLowerCase();
  if (status === 'expiring') return `It ends on ${day(data, 'expiresAt')}. Renew it before that day.`;
  if (status === 'expired') return 'Whoever checks it refuses it. Replace it, or archive it if nothing needs it.';
  if (status === 'revoked') return 'Whoever checks it refuses it. Replace it wherever it is still in service.';
  if (status === 'invalid' || status === 'failed')
    return 'Open the certificate to see which check failed; clients may refuse it.';
  return null;
}

/** Undefined for an event that has no words. */
export const textOf = (event: string, data: EventData): Text | undefined => writers[event]?.(data);
