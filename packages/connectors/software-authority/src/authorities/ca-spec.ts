// Specification of a new CA, read from its attributes and checked for consistency.
import {
  readFile,
  readInteger,
  readSecret,
  readString,
  validateAttributes,
  type FileContent,
} from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import { buildName, parseNameText } from '@signetry/pki';
import {
  AUTHORITY,
  authorityAttributes,
  CA_KEY_ALGORITHMS,
  CA_SOURCES,
  DEFAULT_CRL_VALIDITY_HOURS,
  DEFAULT_DELTA_CRL_VALIDITY_HOURS,
  DEFAULT_VALIDITY_YEARS,
  type CaKeyAlgorithm,
  type CaSource,
  type FormFacts,
} from '../attributes/authority-attributes.ts';
import { gatherProblems, type Problems } from '../problems.ts';
import { readUrls } from '../profiles/certificate-urls.ts';

export interface CaSpec {
  readonly source: CaSource;
  readonly subject: string | undefined;
  /** Algorithm of a newly generated key. */
  readonly keyAlgorithm: CaKeyAlgorithm;
  readonly validityYears: number;
  readonly pathLength: number | undefined;
  readonly parentUuid: string | undefined;
  readonly urls: {
    readonly crl: readonly string[];
    readonly ocsp: readonly string[];
    readonly caIssuers: readonly string[];
  };
  readonly keyStore: FileContent | undefined;
  readonly keyStorePassword: string | undefined;
  /** Identifier of a key in one of the host's tokens. */
  readonly tokenKey: string | undefined;
  readonly crlValidityHours: number;
  readonly deltaCrlValidityHours: number;
  readonly deltaCrlUrls: readonly string[];
}

/** Rejects inconsistent attributes with a list of all problems. */
export function readCaSpec(attributes: readonly RequestAttributeDto[], form: FormFacts): CaSpec {
  const problems = gatherProblems();
  for (const problem of validateAttributes(authorityAttributes(form), attributes)) problems.add(problem);
  problems.refuse();
  const wish = readSpec(attributes, problems);
  checkTogether(wish, problems);
  if (wish.tokenKey !== undefined && readString(attributes, AUTHORITY.keyAlgorithm) !== undefined)
    problems.add(
      `The algorithm (${AUTHORITY.keyAlgorithm}) cannot be specified for a key in a token (${AUTHORITY.tokenKey}).`,
    );
  problems.refuse();
  return wish;
}

function readSpec(attributes: readonly RequestAttributeDto[], problems: Problems): CaSpec {
  const text = (name: string): string | undefined => readString(attributes, name);
  const urls = (attribute: string): readonly string[] =>
    readUrls({ text: text(attribute), attribute, allowPlaceholders: false }, problems);
  return {
    source: CA_SOURCES.find((source) => source === text(AUTHORITY.source)) ?? 'root',
    subject: text(AUTHORITY.subject),
    keyAlgorithm: CA_KEY_ALGORITHMS.find((name) => name === text(AUTHORITY.keyAlgorithm)) ?? CA_KEY_ALGORITHMS[0],
    validityYears: readInteger(attributes, AUTHORITY.validityYears) ?? DEFAULT_VALIDITY_YEARS,
    pathLength: readInteger(attributes, AUTHORITY.pathLength),
    parentUuid: text(AUTHORITY.parent),
    urls: {
      crl: urls(AUTHORITY.certificateCrlUrls),
      ocsp: urls(AUTHORITY.certificateOcspUrls),
      caIssuers: urls(AUTHORITY.certificateCaIssuersUrls),
    },
    keyStore: readFile(attributes, AUTHORITY.keyStore),
    keyStorePassword: readSecret(attributes, AUTHORITY.keyStorePassword),
    tokenKey: text(AUTHORITY.tokenKey)?.toLowerCase(),
    crlValidityHours: readInteger(attributes, AUTHORITY.crlValidityHours) ?? DEFAULT_CRL_VALIDITY_HOURS,
    deltaCrlValidityHours: readInteger(attributes, AUTHORITY.deltaCrlValidityHours) ?? DEFAULT_DELTA_CRL_VALIDITY_HOURS,
    deltaCrlUrls: urls(AUTHORITY.deltaCrlUrls),
  };
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function checkTogether(wish: CaSpec, problems: Problems): void {
  const { source, subject, tokenKey } = wish;
  if (tokenKey !== undefined && !UUID.test(tokenKey))
    problems.add(`A key in a token (${AUTHORITY.tokenKey}) must be specified by its UUID.`);
  if (subject !== undefined) problems.attempt(AUTHORITY.subject, () => buildName(parseNameText(subject)));
  if (source === 'subordinate' && wish.parentUuid === undefined) {
    problems.add(`A subordinate CA must have a parent (${AUTHORITY.parent}).`);
  }
  if (source !== 'subordinate' && wish.parentUuid !== undefined) {
    problems.add(`Only a subordinate CA can have a parent (${AUTHORITY.parent}).`);
  }
  if (source === 'import' && !wish.keyStore) problems.add(`An import requires a file (${AUTHORITY.keyStore}).`);
  if (source !== 'import' && wish.keyStore)
    problems.add(`A file (${AUTHORITY.keyStore}) can only be specified for an import.`);
}
