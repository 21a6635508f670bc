// The search parameters of a list of requests. A link or "back" shows the same list.
import type { EnrolmentProtocol, EnrolmentState } from '@signetry/contract';
import { readPage, readText } from '../kit/list-search.ts';

export interface EnrolmentSearch {
  readonly protocol?: EnrolmentProtocol;
  /** Identifier of an RA profile. */
  readonly raProfile?: string;
  readonly state?: EnrolmentState;
  readonly text?: string;
  readonly page?: number;
}

/** Records, so that the compiler reports one that is missing. */
const protocols: Readonly<Record<EnrolmentProtocol, true>> = { cmp: true, scep: true, est: true };
const states: Readonly<Record<EnrolmentState, true>> = {
  waiting: true,
  issued: true,
  confirmed: true,
  revoked: true,
  refused: true,
};
export const ENROLMENT_PROTOCOLS = Object.keys(protocols) as readonly EnrolmentProtocol[]; // of the table above
export const ENROLMENT_STATES = Object.keys(states) as readonly EnrolmentState[]; // of the table above

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export function readEnrolmentSearch({ text, page, ...given }: Record<string, unknown>): EnrolmentSearch {
  const protocol = ENROLMENT_PROTOCOLS.find((each) => each === given['protocol']);
  const state = ENROLMENT_STATES.find((each) => each === given['state']);
  const { raProfile } = given;
  return {
    ...(protocol && { protocol }),
    ...(typeof raProfile === 'string' && UUID.test(raProfile) && { raProfile }),
    ...(state && { state }),
    ...readText(text),
    ...readPage(page),
  };
}
