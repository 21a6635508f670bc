// Examples for the rules about qualified certificates.
import {
  authorityInfoAccessExtension,
  crlDistributionPointsExtension,
  extKeyUsageExtension,
  keyUsageExtension,
  type ExtensionInput,
} from '../../x509/extension-parts.ts';
import { buildName } from '../../names.ts';
import {
  ia5StringPart,
  integerPart,
  oidPart,
  printableStringPart,
  sequence,
  utf8StringPart,
  type DerPart,
} from '../../der/writer.ts';
import { OID } from '../../oids.ts';
import { policies } from './tls-baseline.ts';
import {
  altNames,
  critical,
  dns,
  withOutOfScope,
  rawExtension,
  sample,
  server,
  type Changes,
  type ExamplesOf,
  type Sample,
} from './sample.ts';
import type { QUALIFIED } from '../rules/qualified.ts';
import type { RdnInput } from '../../names.ts';

const statement = (number: number, info?: DerPart): DerPart => sequence([oidPart(`0.4.0.1862.1.${number}`), info]);
const COMPLIANCE = statement(1);
const disclosureStatement = (url: string, language: string): DerPart =>
  statement(5, sequence([sequence([ia5StringPart(url), printableStringPart(language)])]));
const DISCLOSURE = disclosureStatement('https://tsp.example/pds', 'en');
const type = (...numbers: readonly number[]): DerPart =>
  statement(6, sequence(numbers.map((number) => oidPart(`0.4.0.1862.1.6.${number}`))));
const statements = (...parts: readonly DerPart[]): ExtensionInput =>
  rawExtension(OID.qcStatements, sequence([COMPLIANCE, ...parts]));

const PERSON: readonly RdnInput[] = [
  { type: 'C', value: 'DE' },
  { type: 'GIVENNAME', value: 'Anna' },
  { type: 'CN', value: 'Anna Musterfrau' },
];
const ISSUER = buildName([
  { type: 'C', value: 'DE' },
  { type: 'O', value: 'Example TSP' },
  { type: 'CN', value: 'Example QTSP CA' },
]).der;

/** A qualified certificate for the signatures of a natural person. */
const qualified = (changes: Changes = {}): Sample =>
  sample(
    {
      subject: PERSON,
      extensions: [
        keyUsageExtension(['nonRepudiation']),
        statements(DISCLOSURE, type(1)),
        policies('0.4.0.194112.1.2'),
        crlDistributionPointsExtension(['http://tsp.example/ca.crl']),
        authorityInfoAccessExtension({ caIssuers: ['http://tsp.example/ca.cer'] }),
      ],
    },
    { issuer: ISSUER, ...changes },
  );
const withStatements = (...parts: readonly DerPart[]): Sample => qualified({ extensions: [statements(...parts)] });
const SEAL = statements(DISCLOSURE, type(2));
const ORGANIZATION: readonly RdnInput[] = [
  { type: 'C', value: 'DE' },
  { type: 'O', value: 'Example' },
  { type: 'ORGANIZATIONIDENTIFIER', value: 'VATDE-123456789' },
  { type: 'CN', value: 'Example' },
];
const withSeal = (...subject: readonly RdnInput[]): Sample => qualified({ subject, extensions: [SEAL] });
const withLimit = (currency: string): Sample =>
  withStatements(DISCLOSURE, statement(2, sequence([printableStringPart(currency), integerPart(1), integerPart(3)])));
const withPaymentRole = (role: string, oid = '0.4.0.19495.1.1'): Sample =>
  withStatements(
    DISCLOSURE,
    sequence([
      oidPart('0.4.0.19495.2'),
      sequence([
        sequence([sequence([oidPart(oid), utf8StringPart(role)])]),
        utf8StringPart('BaFin'),
        utf8StringPart('DE-BAFIN'),
      ]),
    ]),
  );
const WEB = statements(DISCLOSURE, type(3));

export const QUALIFIED_EXAMPLES: ExamplesOf<(typeof QUALIFIED)['rules']> = withOutOfScope(server(), {
  'qc-statements-not-critical': {
    passes: qualified(),
    fails: qualified({ extensions: [critical(statements(DISCLOSURE))] }),
  },
  'qc-statements-distinct': { passes: qualified(), fails: withStatements(DISCLOSURE, DISCLOSURE) },
  'qc-type': { passes: qualified(), fails: withStatements(DISCLOSURE, type(1, 2)) },
  'qc-disclosure-https': {
    passes: qualified(),
    fails: withStatements(disclosureStatement('http://tsp.example/pds', 'en')),
  },
  'qc-disclosure-english': {
    passes: withStatements(type(1)),
    fails: withStatements(disclosureStatement('https://tsp.example/pds', 'de')),
  },
  'qc-limit': { passes: withLimit('EUR'), fails: withLimit('Euro') },
  'qc-retention': {
    passes: withStatements(DISCLOSURE, statement(3, integerPart(10))),
    fails: withStatements(DISCLOSURE, statement(3, integerPart(-1))),
  },
  'qc-legislation': {
    passes: withStatements(DISCLOSURE, statement(7, sequence([printableStringPart('CH')]))),
    fails: withStatements(DISCLOSURE, statement(7, sequence([printableStringPart('UK')]))),
  },
  'qc-payment-roles': { passes: withPaymentRole('VOP_RS', '0.4.0.19495.1.51'), fails: withPaymentRole('PSP_AI') },
  'qc-policy': { passes: qualified(), fails: qualified({ extensions: [policies('1.2.3')] }) },
  'qc-person-subject': { passes: qualified(), fails: qualified({ subject: [{ type: 'CN', value: 'Anna' }] }) },
  'qc-pseudonym': {
    passes: qualified(),
    fails: qualified({ subject: [...PERSON, { type: 'SURNAME', value: 'M' }, { type: 'PSEUDONYM', value: 'anna' }] }),
  },
  'qc-organization-subject': { passes: withSeal(...ORGANIZATION), fails: withSeal({ type: 'CN', value: 'Example' }) },
  'qc-organization-identifier': {
    passes: withSeal({ type: 'ORGANIZATIONIDENTIFIER', value: 'EI:SE-5567971433' }),
    fails: withSeal({ type: 'ORGANIZATIONIDENTIFIER', value: 'DE123456789' }),
  },
  'qc-issuer': { passes: qualified(), fails: qualified({ issuer: buildName([{ type: 'CN', value: 'CA' }]).der }) },
  'qc-key-usage': {
    passes: qualified(),
    fails: qualified({ extensions: [keyUsageExtension(['nonRepudiation', 'dataEncipherment'])] }),
  },
  'qc-access': { passes: qualified(), fails: qualified({ without: [OID.authorityInfoAccess] }) },
  'qc-web-names': {
    passes: qualified({ extensions: [WEB, extKeyUsageExtension([OID.serverAuth]), altNames(dns('www.example.com'))] }),
    fails: qualified({ extensions: [WEB] }),
  },
});
