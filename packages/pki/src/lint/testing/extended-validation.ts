// Examples for the EV Guidelines.
import { BASELINE_POLICIES } from '../certificate-rule.ts';
import { nullPart } from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import { policies } from './tls-baseline.ts';
import {
  address,
  altNames,
  dns,
  withOutOfScope,
  publicServer,
  rawExtension,
  type Changes,
  type ExamplesOf,
  type Sample,
} from './sample.ts';
import type { EXTENDED_VALIDATION } from '../rules/extended-validation.ts';

const SUBJECT = {
  C: 'DE',
  L: 'Berlin',
  O: 'Example GmbH',
  CN: 'www.example.com',
  BUSINESSCATEGORY: 'Private Organization',
  JURISDICTIONC: 'DE',
  SERIALNUMBER: 'HRB 1',
};
type Attribute = keyof typeof SUBJECT | 'OU' | 'JURISDICTIONL' | 'ORGANIZATIONIDENTIFIER';

/** An EV certificate with the given subject attributes changed; `undefined` removes one. */
const ev = (subject: Partial<Record<Attribute, string | undefined>> = {}, changes: Changes = {}): Sample =>
  publicServer({
    ...changes,
    subject: Object.entries({ ...SUBJECT, ...subject }).flatMap(([type, value]) =>
      value === undefined ? [] : [{ type, value }],
    ),
    extensions: [policies(BASELINE_POLICIES.extendedValidation), ...(changes.extensions ?? [])],
  });

const IDENTIFIED = { ORGANIZATIONIDENTIFIER: 'VATDE-123456789' };
const EXTENSION = rawExtension(OID.cabfOrganizationIdentifier, nullPart());

export const EXTENDED_VALIDATION_EXAMPLES: ExamplesOf<(typeof EXTENDED_VALIDATION)['rules']> = withOutOfScope(
  publicServer(),
  {
    'ev-organization': { passes: ev(), fails: ev({ O: undefined }) },
    'ev-business-category': { passes: ev(), fails: ev({ BUSINESSCATEGORY: 'private' }) },
    'ev-jurisdiction': { passes: ev(), fails: ev({ JURISDICTIONC: undefined }) },
    'ev-jurisdiction-country': { passes: ev(), fails: ev({ JURISDICTIONC: 'XX' }) },
    'ev-jurisdiction-levels': { passes: ev(), fails: ev({ JURISDICTIONL: 'Berlin' }) },
    'ev-registration-number': { passes: ev(), fails: ev({ SERIALNUMBER: undefined }) },
    'ev-country': { passes: ev(), fails: ev({ C: undefined }) },
    'ev-locality': { passes: ev(), fails: ev({ L: undefined }) },
    'ev-other-attributes': { passes: ev(), fails: ev({ OU: 'IT' }) },
    'ev-wildcard': { passes: ev(), fails: ev({}, { extensions: [altNames(dns('*.example.com'))] }) },
    'ev-address': { passes: ev(), fails: ev({}, { extensions: [altNames(address('192.0.2.1'))] }) },
    'ev-organization-identifier': { passes: ev(IDENTIFIED), fails: ev({ ORGANIZATIONIDENTIFIER: 'DE123456789' }) },
    'ev-organization-identifier-extension': {
      passes: ev(IDENTIFIED, { extensions: [EXTENSION] }),
      fails: ev(IDENTIFIED),
    },
  },
);
