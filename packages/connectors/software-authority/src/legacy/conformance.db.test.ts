// The conformance cases of authority providers of the first generation, over both transports.
import {
  inProcess,
  legacyAuthorityConformance,
  overHttp,
  serveConnector,
  type LegacyAuthoritySubject,
  type ServedConnector,
} from '@signetry/connector-sdk';
import { formatNameRfc4514, readCertificate } from '@signetry/pki';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { PROFILE } from '../attributes/ra-profile-settings.ts';
import { integer, makeCsr, startTestAuthority, type TestAuthority } from '../testing/test-authority.ts';
import { softwareAuthorityLegacy } from './software-authority-legacy.ts';
import { raProfileWith } from './testing/test-end-entities.ts';

let ours: TestAuthority;
let served: ServedConnector;

beforeAll(async () => {
  ours = await startTestAuthority(softwareAuthorityLegacy);
  served = await serveConnector(softwareAuthorityLegacy, { context: ours.context, checkAnswers: true });
});
afterAll(() => served?.close());

const subject = (call: LegacyAuthoritySubject['call']): LegacyAuthoritySubject => ({
  kind: 'SoftwareCALegacy',
  call,
  authorityAttributes: [],
  raProfile: raProfileWith(integer(PROFILE.validityDays, 30)),
  makeRequest: () => makeCsr(),
  nameOf: (text) => {
    const certificate = readCertificate(text);
    return { issuerDN: formatNameRfc4514(certificate.issuer), certificateSN: certificate.serialNumber };
  },
  offers: { idempotency: true },
});

describe('the legacy software CA in process', () => {
  const cases = legacyAuthorityConformance(
    subject((operation, call) => inProcess(ours.running, { checkAnswers: true })(operation, call)),
  );
  it.each(cases)('$name', ({ run }) => run());
});

describe('the legacy software CA over HTTP', () => {
  const cases = legacyAuthorityConformance(subject((operation, call) => overHttp(served.url)(operation, call)));
  it.each(cases)('$name', ({ run }) => run());
});
