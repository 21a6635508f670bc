// Texts of each event: what happened, and what the recipient can do about it.
import type { DataField } from './data-fields.ts';

/** Returns a fact as text; empty if the event does not include it. */
export type Fact = (field: DataField) => string;

export interface EventTexts {
  readonly title: string;
  readonly message: string;
  readonly nextSteps: readonly string[];
}

export interface EventFacts {
  readonly fact: Fact;
  /** Whole days until the certificate expires; negative if it has expired. */
  readonly daysLeft: number | undefined;
  /** Name of the event as readable text. */
  readonly label: string;
}

/** Returns the texts of an event; an event without its own texts is described by its facts. */
export const describeEvent = (event: string, facts: EventFacts): EventTexts =>
  WORDS[event]?.(facts) ?? {
    title: facts.label,
    message: `${facts.label}.`,
    nextSteps: ['Open it in the console for details.'],
  };

const WORDS: Readonly<Record<string, (facts: EventFacts) => EventTexts>> = {
  certificate_expiring: describeExpiry,
  certificate_status_changed: describeStatusChange,
  certificate_action_performed: describeAction,
  certificate_discovered: ({ fact }) => ({
    title: `New certificate discovered: ${certificateName(fact)}`,
    message: `${withName('The discovery', fact('discoveryName'))} found a certificate for ${certificateName(fact)} that was not in the inventory.`,
    nextSteps: [
      'Find out who is responsible for it, and assign an owner or a group, so that they are notified before it expires.',
      'If nobody recognizes it, find out where it is used before you remove it there.',
    ],
  }),
  certificate_not_compliant: ({ fact }) => ({
    title: `Certificate for ${certificateName(fact)} is not compliant`,
    message: `The certificate for ${certificateName(fact)} violates rules of its compliance profiles.`,
    nextSteps: [
      'Check the compliance results of the certificate: they show which rules failed and why.',
      'Replace the certificate with one that complies, or correct the rules if they are wrong.',
    ],
  }),
  discovery_finished: describeDiscovery,
  approval_requested: ({ fact }) => ({
    title: `Approval requested: ${describeRequest(fact)}`,
    message: `${fact('creatorUsername') || 'Somebody'} requested ${describeRequest(fact)}. The request waits until you or another approver decides.`,
    nextSteps: [
      `Approve or reject it${fact('expiryAt') === '' ? '' : ` before ${fact('expiryAt')}; otherwise the request expires`}.`,
    ],
  }),
  approval_closed: describeApproval,
  scheduled_job_finished: describeJob,
  scheduled_job_completed: describeJob,
};

function describeExpiry({ fact, daysLeft }: EventFacts): EventTexts {
  const name = certificateName(fact);
  const isOver = daysLeft !== undefined && daysLeft < 0;
  const when = daysLeft === undefined ? 'expires soon' : isOver ? 'has expired' : `expires ${inDays(daysLeft)}`;
  const until = fact('expiresAt');
  return {
    title: `Certificate for ${name} ${when}`,
    message: `The certificate for ${name} ${when}${until === '' ? '' : ` (${until})`} and has not been replaced yet.`,
    nextSteps: [
      isOver
        ? 'Renew it now: clients that connect to services that use it see errors or warnings.'
        : 'Renew it in time, and install the new certificate wherever this one is used.',
      'If it is no longer needed, archive it to stop the reminders.',
    ],
  };
}

function describeStatusChange({ fact }: EventFacts): EventTexts {
  const [name, now, before] = [certificateName(fact), fact('newStatus'), fact('oldStatus')];
  return {
    title: `Certificate for ${name} is now ${now.toLowerCase() || 'in a different state'}`,
    message: `The validation of the certificate for ${name} changed${before === '' ? '' : ` from "${before}"`}${now === '' ? '' : ` to "${now}"`}.`,
    nextSteps: [
      STATUS_STEPS[now.toLowerCase()] ??
        'If you did not expect the change, check the validation results of the certificate.',
    ],
  };
}

const STATUS_STEPS: Readonly<Record<string, string>> = {
  expiring: 'Renew it in time, and install the new certificate wherever this one is used.',
  expired: 'Replace it immediately wherever it is still used.',
  revoked: 'Replace it wherever it is still used: clients that check revocation reject it.',
  invalid: 'Open the validation results of the certificate to see which check failed.',
  failed: 'Open the validation results of the certificate to see why it could not be checked.',
  valid: 'No action is required.',
};

/** Outcome of the action, and what to do next. */
const ACTIONS: Readonly<Record<string, { readonly done: string; readonly next: string }>> = {
  issue: { done: 'issued', next: 'Install it where it is needed, unless that is done automatically.' },
  renew: {
    done: 'renewed',
    next: 'Install the new certificate wherever the old one is used, unless that is done automatically.',
  },
  rekey: { done: 'rekeyed', next: 'Install the new certificate with its new key wherever the old one is used.' },
  revoke: { done: 'revoked', next: 'Make sure that it is no longer used anywhere.' },
};

function describeAction({ fact }: EventFacts): EventTexts {
  const [name, action, reason] = [certificateName(fact), fact('action').toLowerCase(), fact('errorMessage')];
  const { done, next } = ACTIONS[action] ?? { done: action || 'changed', next: 'No action is required.' };
  if (reason !== '')
    return {
      title: `Certificate for ${name} could not be ${done}`,
      message: `The certificate for ${name} could not be ${done}: ${reason}`,
      nextSteps: ['Fix the reported problem, and try again.'],
    };
  return {
    title: `Certificate for ${name} was ${done}`,
    message: `The certificate for ${name} was ${done}.`,
    nextSteps: [next],
  };
}

function describeDiscovery({ fact }: EventFacts): EventTexts {
  const [status, found] = [fact('discoveryStatus').toLowerCase(), fact('totalCertificateDiscovered')];
  const isGood = status === 'completed';
  const discovery = withName('Discovery', fact('discoveryName'));
  return {
    title: `${discovery} ${status === 'failed' ? 'failed' : isGood ? 'completed' : 'finished'}`,
    message: `${discovery} has ended${status === '' ? '' : ` with the result "${status}"`}${found === '' ? '' : `; it found ${found} certificates`}.`,
    nextSteps: [
      isGood
        ? 'Review the new certificates: each should have an owner.'
        : 'Read the remarks of the discovery: they explain what could not be searched. Then run it again.',
    ],
  };
}

function describeApproval({ fact }: EventFacts): EventTexts {
  const status = fact('status').toLowerCase();
  const NEXT: Readonly<Record<string, string>> = {
    approved: 'No action is required: your request is now being carried out.',
    rejected: 'Ask the approvers for the reason, and submit a new request if it is still needed.',
    expired: 'The request was not decided in time. Submit a new one if it is still needed.',
  };
  return {
    title: `Your request was ${status || 'closed'}: ${describeRequest(fact)}`,
    message: `Your request for ${describeRequest(fact)} was ${status || 'closed'}.`,
    nextSteps: [NEXT[status] ?? 'Open the request to see its outcome.'],
  };
}

function describeJob({ fact }: EventFacts): EventTexts {
  const [job, status] = [withName('Scheduled job', fact('jobName')), fact('status').toLowerCase()];
  const isBad = status.startsWith('fail');
  return {
    title: `${job} ${isBad ? 'failed' : 'finished'}`,
    message: `${job} has ended${status === '' ? '' : ` with the result "${status}"`}.`,
    nextSteps: [isBad ? 'Check its last run for the cause.' : 'No action is required.'],
  };
}

const withName = (what: string, name: string): string => (name === '' ? what : `${what} "${name}"`);

const describeRequest = (fact: Fact): string =>
  [fact('resourceAction') || 'a change', fact('resource')].filter((text) => text !== '').join(' of ');

const inDays = (days: number): string =>
  days === 0 ? 'in less than a day' : days === 1 ? 'in 1 day' : `in ${days} days`;

/** Returns the common name, by which users recognize a certificate. */
function certificateName(fact: Fact): string {
  const subject = fact('subjectDn');
  const [, name = ''] = /(?:^|,)\s*CN=((?:\\.|[^\\,])+)/i.exec(subject) ?? [];
  const plain = name.replaceAll(/\\(.)/g, '$1').trim();
  return (
    plain || subject || (fact('serialNumber') === '' ? 'an unnamed subject' : `serial number ${fact('serialNumber')}`)
  );
}
