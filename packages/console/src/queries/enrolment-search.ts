// Search parameters for a list of enrollment requests. Links and the back button restore the same list.
import type { EnrolmentProtocol, EnrolmentState } from '@signetry/contract';
import { readPage, readText } from '../kit/list-search.ts';

export interface EnrolmentSearch {
  readonly protocol?: EnrolmentProtocol;
  /** UUID of an RA profile. */
  readonly raProfile?: string;
  readonly state?: EnrolmentState;
  readonly text?: string;
  readonly page?: number;
}

/** Records, so that the compiler reports missing entries. */
const protocols: Readonly<Record<EnrolmentProtocol, true>> = { cmp: true, scep: true, est: true };
const states: Readonly<Record<EnrolmentState, true>> = {
  waiting: true,
  issued: true,
  confirmed: true,
  revoked: true,
  refused: true,
};
// `Object.keys` returns strings, hence the cast.
export const ENROLMENT_PROTOCOLS = Object.keys(protocols) as readonly EnrolmentProtocol[];
// `Object.keys` returns strings, hence the cast.
export const ENROLMENT_STATES = Object.keys(states) as readonly EnrolmentState[];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
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
