// Search parameters for a list of enrollment requests. Links and the back button restore the same list.
import type { EnrollmentState, ListedProtocol } from '@signetry/contract';
import { readPage, readText } from '../kit/list-search.ts';

export interface EnrollmentSearch {
  readonly protocol?: ListedProtocol;
  /** UUID of an RA profile. */
  readonly raProfile?: string;
  readonly state?: EnrollmentState;
  readonly text?: string;
  readonly page?: number;
}

/** Records, so that the compiler reports missing entries. */
const protocols: Readonly<Record<ListedProtocol, true>> = { acme: true, cmp: true, scep: true, est: true };
const states: Readonly<Record<EnrollmentState, true>> = {
  waiting: true,
  issued: true,
  confirmed: true,
  revoked: true,
  refused: true,
};
// `Object.keys` returns strings, hence the cast.
export const LISTED_PROTOCOLS = Object.keys(protocols) as readonly ListedProtocol[];
// `Object.keys` returns strings, hence the cast.
export const ENROLLMENT_STATES = Object.keys(states) as readonly EnrollmentState[];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
export function readEnrollmentSearch({ text, page, ...given }: Record<string, unknown>): EnrollmentSearch {
  const protocol = LISTED_PROTOCOLS.find((each) => each === given['protocol']);
  const state = ENROLLMENT_STATES.find((each) => each === given['state']);
  const { raProfile } = given;
  return {
    ...(protocol && { protocol }),
    ...(typeof raProfile === 'string' && UUID.test(raProfile) && { raProfile }),
    ...(state && { state }),
    ...readText(text),
    ...readPage(page),
  };
}
