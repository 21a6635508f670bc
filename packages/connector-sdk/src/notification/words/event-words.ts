// The words of each event: what happened, and what the person who is told can do about it.
import type { DataField } from './data-fields.ts';

/** A fact as text; empty where the event does not have it. */
export type Fact = (field: DataField) => string;

export interface EventWords {
  readonly title: string;
  readonly message: string;
  readonly nextSteps: readonly string[];
}

export interface EventFacts {
  readonly fact: Fact;
  /** Whole days until the certificate expires; negative when it has. */
  readonly daysLeft: number | undefined;
  /** The event in words. */
  readonly label: string;
}

/** An event without words of its own is told by its facts. */
export const eventWords = (event: string, facts: EventFacts): EventWords =>
  WORDS[event]?.(facts) ?? {
    title: facts.label,
    message: `${facts.label}.`,
    nextSteps: ['Open it in the console to see what happened.'],
  };

const WORDS: Readonly<Record<string, (facts: EventFacts) => EventWords>> = {
  certificate_expiring: expiring,
  certificate_status_changed: statusChanged,
  certificate_action_performed: actionPerformed,
  certificate_discovered: ({ fact }) => ({
    title: `New certificate discovered: ${certificateName(fact)}`,
    message: `${named('The discovery', fact('discoveryName'))} found a certificate for ${certificateName(fact)} that was not in the inventory.`,
    nextSteps: [
      'Find out who is responsible for it, and give it an owner or a group, so that the right person is told before it expires.',
      'If nobody knows it, find out where it is used before you remove it there.',
    ],
  }),
  certificate_not_compliant: ({ fact }) => ({
    title: `Certificate for ${certificateName(fact)} is not compliant`,
    message: `The certificate for ${certificateName(fact)} breaks rules of its compliance profiles.`,
    nextSteps: [
      'Open the compliance of the certificate: it says which rules are broken, and by what.',
      'Replace the certificate with one that keeps the rules, or correct the rules if they are wrong.',
    ],
  }),
  discovery_finished: discoveryFinished,
  approval_requested: ({ fact }) => ({
    title: `Your approval is needed: ${requested(fact)}`,
    message: `${fact('creatorUsername') || 'Somebody'} asks for ${requested(fact)}. It waits until you or somebody else decides.`,
    nextSteps: [
      `Approve or reject it${fact('expiryAt') === '' ? '' : ` before ${fact('expiryAt')}; after that the request expires`}.`,
    ],
  }),
  approval_closed: approvalClosed,
  scheduled_job_finished: jobFinished,
  scheduled_job_completed: jobFinished,
};

function expiring({ fact, daysLeft }: EventFacts): EventWords {
  const name = certificateName(fact);
  const isOver = daysLeft !== undefined && daysLeft < 0;
  const when = daysLeft === undefined ? 'expires soon' : isOver ? 'has expired' : `expires ${inDays(daysLeft)}`;
  const until = fact('expiresAt');
  return {
    title: `Certificate for ${name} ${when}`,
    message: `The certificate for ${name} ${when}${until === '' ? '' : ` (${until})`}, and no certificate has taken its place yet.`,
    nextSteps: [
      isOver
        ? 'Renew it now: whoever connects to where it is used is refused or warned.'
        : 'Renew it in time, and install the new certificate wherever this one is used.',
      'If it is no longer needed, archive it: the reminders end then.',
    ],
  };
}

function statusChanged({ fact }: EventFacts): EventWords {
  const [name, now, before] = [certificateName(fact), fact('newStatus'), fact('oldStatus')];
  return {
    title: `Certificate for ${name} is now ${now.toLowerCase() || 'in another state'}`,
    message: `The validation of the certificate for ${name} changed${before === '' ? '' : ` from "${before}"`}${now === '' ? '' : ` to "${now}"`}.`,
    nextSteps: [
      STATUS_STEPS[now.toLowerCase()] ??
        'Open the certificate and look at its validation if you did not expect the change.',
    ],
  };
}

const STATUS_STEPS: Readonly<Record<string, string>> = {
  expiring: 'Renew it in time, and install the new certificate wherever this one is used.',
  expired: 'Replace it at once wherever it is still used.',
  revoked: 'Replace it wherever it is still used: whoever checks revocation refuses it.',
  invalid: 'Open the certificate and look at its validation: it says which check it fails.',
  failed: 'Open the certificate and look at its validation: it says what kept it from being checked.',
  valid: 'Nothing has to be done.',
};

/** What became of it, and what to do. */
const ACTIONS: Readonly<Record<string, { readonly done: string; readonly next: string }>> = {
  issue: { done: 'issued', next: 'Install it where it is needed, unless that is done automatically.' },
  renew: {
    done: 'renewed',
    next: 'Install the new certificate wherever the old one is used, unless that is done automatically.',
  },
  rekey: { done: 'rekeyed', next: 'Install the new certificate with its new key wherever the old one is used.' },
  revoke: { done: 'revoked', next: 'Make sure that it is not used anywhere any more.' },
};

function actionPerformed({ fact }: EventFacts): EventWords {
  const [name, action, reason] = [certificateName(fact), fact('action').toLowerCase(), fact('errorMessage')];
  const { done, next } = ACTIONS[action] ?? { done: action || 'changed', next: 'Nothing has to be done.' };
  if (reason !== '')
    return {
      title: `Certificate for ${name} could not be ${done}`,
      message: `The certificate for ${name} could not be ${done}: ${reason}`,
      nextSteps: ['Put right what the reason names, and try again.'],
    };
  return {
    title: `Certificate for ${name} was ${done}`,
    message: `The certificate for ${name} was ${done}.`,
    nextSteps: [next],
  };
}

function discoveryFinished({ fact }: EventFacts): EventWords {
  const [status, found] = [fact('discoveryStatus').toLowerCase(), fact('totalCertificateDiscovered')];
  const isGood = status === 'completed';
  const discovery = named('Discovery', fact('discoveryName'));
  return {
    title: `${discovery} ${status === 'failed' ? 'failed' : isGood ? 'is complete' : 'has ended'}`,
    message: `${discovery} has ended${status === '' ? '' : ` with the result "${status}"`}${found === '' ? '' : `; it found ${found} certificates`}.`,
    nextSteps: [
      isGood
        ? 'Look through what is new: each certificate should have an owner.'
        : 'Read its remarks: they say what could not be searched, and why. Then run it again.',
    ],
  };
}

function approvalClosed({ fact }: EventFacts): EventWords {
  const status = fact('status').toLowerCase();
  const NEXT: Readonly<Record<string, string>> = {
    approved: 'Nothing has to be done: what you asked for is carried out now.',
    rejected: 'Ask those who decide why, and make another request if it is still needed.',
    expired: 'Nobody decided in time. Make another request if it is still needed.',
  };
  return {
    title: `Your request was ${status || 'closed'}: ${requested(fact)}`,
    message: `Your request for ${requested(fact)} was ${status || 'closed'}.`,
    nextSteps: [NEXT[status] ?? 'Open the request to see what became of it.'],
  };
}

function jobFinished({ fact }: EventFacts): EventWords {
  const [job, status] = [named('Scheduled job', fact('jobName')), fact('status').toLowerCase()];
  const isBad = status.startsWith('fail');
  return {
    title: `${job} ${isBad ? 'failed' : 'has ended'}`,
    message: `${job} has ended${status === '' ? '' : ` with the result "${status}"`}.`,
    nextSteps: [isBad ? 'Look at its last run: it says what failed.' : 'Nothing has to be done.'],
  };
}

const named = (what: string, name: string): string => (name === '' ? what : `${what} "${name}"`);

const requested = (fact: Fact): string =>
  [fact('resourceAction') || 'a change', fact('resource')].filter((text) => text !== '').join(' of ');

const inDays = (days: number): string =>
  days === 0 ? 'in less than a day' : days === 1 ? 'in 1 day' : `in ${days} days`;

/** The common name, as people call a certificate. */
function certificateName(fact: Fact): string {
  const subject = fact('subjectDn');
  const [, name = ''] = /(?:^|,)\s*CN=((?:\\.|[^\\,])+)/i.exec(subject) ?? [];
  const plain = name.replaceAll(/\\(.)/g, '$1').trim();
  return (
    plain || subject || (fact('serialNumber') === '' ? 'an unnamed subject' : `serial number ${fact('serialNumber')}`)
  );
}
