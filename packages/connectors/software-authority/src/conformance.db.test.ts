// The conformance cases of authority providers, over both transports.
import {
  authorityConformance,
  inProcess,
  overHttp,
  serveConnector,
  type AuthoritySubject,
  type ServedConnector,
} from '@signetry/connector-sdk';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { AUTHORITY, PROFILE, softwareAuthority } from './index.ts';
import {
  createCa,
  integer,
  issueDer,
  lines,
  makeCsr,
  startTestAuthority,
  text,
  type TestAuthority,
} from './testing/test-authority.ts';

let ours: TestAuthority;
let served: ServedConnector;
let foreignCertificate = '';

beforeAll(async () => {
  ours = await startTestAuthority();
  served = await serveConnector(softwareAuthority, { context: ours.context, checkAnswers: true });
  const other = await createCa(ours.call, 'Somebody else');
  foreignCertificate = Buffer.from(await issueDer(ours.call, { authority: other })).toString('base64');
});
afterAll(() => served?.close());

const subject = (call: AuthoritySubject['call']): AuthoritySubject => ({
  kind: 'SoftwareCA',
  call,
  authorityAttributes: [text(AUTHORITY.subject, 'CN=Conformance, O=Example'), integer(AUTHORITY.validityYears, 5)],
  badAuthorityAttributes: [text(AUTHORITY.source, 'subordinate')],
  raProfileAttributes: [integer(PROFILE.validityDays, 30), lines(PROFILE.crlUrls, 'http://pki.example/ca.crl')],
  issueAttributes: [],
  revokeAttributes: [],
  makeRequest: () => makeCsr(),
  get foreignCertificate() {
    return foreignCertificate;
  },
  offers: { idempotency: true, crl: true, chain: true },
});

describe('the software CA in process', () => {
  const cases = authorityConformance(
    subject((operation, call) => inProcess(ours.running, { checkAnswers: true })(operation, call)),
  );
  it.each(cases)('$name', ({ run }) => run());
});

describe('the software CA over HTTP', () => {
  const cases = authorityConformance(subject((operation, call) => overHttp(served.url)(operation, call)));
  it.each(cases)('$name', ({ run }) => run());
});
