// General messages (RFC 9483 §4.3): client queries for information about the authority.
import {
  buildCertTemplate,
  buildInfo,
  distributionPointNameUrls,
  equalBytes,
  equalNames,
  infoName,
  infoType,
  infoValue,
  parseCertificate,
  parseCrl,
  type CrlStatus,
  type InfoName,
  type InfoTypeAndValue,
} from '@signetry/pki';
import type { Revocation } from '../../../areas/revocation/index.ts';
import type { CmpCall, CmpReply } from '../call.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import { keySpecOf } from '../messages/key-choice.ts';
import { authoritiesOf, type AuthorityParts } from './authorities.ts';

export interface GeneralParts extends AuthorityParts {
  readonly raProfiles: AuthorityParts['raProfiles'] & Pick<RaProfiles, 'acceptedKeys'>;
  readonly revocation: Pick<Revocation, 'findCrl'>;
}

type InfoHandler = (parts: GeneralParts, call: CmpCall, info: InfoTypeAndValue) => Promise<InfoTypeAndValue>;

/**
 * Returns an item without a value, which means that there is no data, no newer data, or no requirement for requests
 * (RFC 9483 §4.3).
 */
const emptyInfo = (name: InfoName): InfoTypeAndValue => ({ type: infoType(name), value: undefined });

const ANSWERS: Partial<Record<InfoName, InfoHandler>> = {
  caCerts,
  rootCaCert: newRoot,
  certReqTemplate,
  crlStatusList: newerCrl,
  currentCRL,
};

/** Responds to each item with the available data; unknown items are returned without a value. */
export async function respondToInfos(
  parts: GeneralParts,
  call: CmpCall,
  infos: readonly InfoTypeAndValue[],
): Promise<CmpReply> {
  const answers: InfoTypeAndValue[] = [];
  for (const info of infos) {
    const name = infoName(info.type);
    if (name === 'implicitConfirm') continue;
    const answer = name && ANSWERS[name];
    answers.push(answer ? await answer(parts, call, info) : { type: info.type, value: undefined });
  }
  return { body: { type: 'genp', infos: answers } };
}

/** Returns the CA certificates above the RA profile's certificates. Roots are omitted unless there are only roots. */
async function caCerts(parts: GeneralParts, call: CmpCall): Promise<InfoTypeAndValue> {
  const all = await authoritiesOf(parts, call);
  const below = all.filter((der) => !isRoot(der));
  const shown = below.length > 0 ? below : all;
  return shown.length > 0 ? buildInfo('caCerts', shown) : emptyInfo('caCerts');
}

function isRoot(der: Uint8Array): boolean {
  const { subject, issuer } = parseCertificate(der);
  return equalNames(subject, issuer);
}

/**
 * Returns the root that replaces the client's root: the root with the same name that expires last (RFC 9483 §4.3.2).
 */
async function newRoot(parts: GeneralParts, call: CmpCall, info: InfoTypeAndValue): Promise<InfoTypeAndValue> {
  const given = infoValue([info], 'rootCaCert');
  const roots = (await authoritiesOf(parts, call)).filter(isRoot).map((der) => parseCertificate(der));
  const present = given && parseCertificate(given);
  const newer = roots
    .filter((root) => !present || (equalNames(root.subject, present.subject) && root.notAfterMs > present.notAfterMs))
    .toSorted((one, other) => other.notAfterMs - one.notAfterMs)
    .find((root) => !given || !equalBytes(root.der, given));
  return newer && present ? buildInfo('rootCaKeyUpdate', { newWithNew: newer.der }) : emptyInfo('rootCaKeyUpdate');
}

/**
 * Returns the keys that the RA profile accepts, unless it accepts all keys. The template itself has no requirements.
 */
async function certReqTemplate({ raProfiles }: GeneralParts, { raProfile }: CmpCall): Promise<InfoTypeAndValue> {
  const policy = await raProfiles.acceptedKeys(raProfile.uuid);
  if (!policy) return emptyInfo('certReqTemplate');
  return buildInfo('certReqTemplate', { template: { der: buildCertTemplate({}) }, keySpec: keySpecOf(policy) });
}

async function currentCRL({ revocation }: GeneralParts, { raProfile }: CmpCall): Promise<InfoTypeAndValue> {
  const crl = await revocation.findCrl(raProfile.authorityUuid);
  return crl ? buildInfo('currentCRL', crl) : emptyInfo('currentCRL');
}

/** Returns the authority's CRL if the client requests it and does not have an equally recent one (RFC 9483 §4.3.4). */
async function newerCrl(
  { revocation }: GeneralParts,
  { raProfile: { authorityUuid } }: CmpCall,
  info: InfoTypeAndValue,
): Promise<InfoTypeAndValue> {
  const der = await revocation.findCrl(authorityUuid);
  const asked = infoValue([info], 'crlStatusList') ?? [];
  if (!der) return emptyInfo('crls');
  const crl = parseCrl(der);
  // The authority's CRL URLs contain its identifier.
  const isOwnSource = ({ source }: CrlStatus): boolean =>
    'point' in source
      ? distributionPointNameUrls(source.point).some((url) => url.includes(authorityUuid))
      : source.issuer.some((name) => name.kind === 'directoryName' && equalNames(name.name, crl.issuer));
  const isNewer = ({ thisUpdateMs }: CrlStatus): boolean =>
    thisUpdateMs === undefined || thisUpdateMs < crl.thisUpdateMs;
  return asked.some((each) => isOwnSource(each) && isNewer(each)) ? buildInfo('crls', [der]) : emptyInfo('crls');
}
