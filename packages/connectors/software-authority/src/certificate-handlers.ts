// Operations on certificates: issue, renew, identify, revoke, and their attributes.
import {
  handlersOf,
  rejected,
  validateAttributes,
  type ConnectorContext,
  type Handlers,
} from '@signetry/connector-sdk';
import { authorityProviderOperations, type CertificateDataResponseDto } from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import { certificateMetadata } from './attributes/certificate-metadata.ts';
import { issueAttributes } from './attributes/issue-attributes.ts';
import { revokeAttributes } from './attributes/revoke-attributes.ts';
import type { SigningAuthority } from './authorities/signing-authority.ts';
import { activateCertificate } from './authorities/activate-certificate.ts';
import { rejectMismatches } from './issuance/identify-certificate.ts';
import {
  issueCertificate,
  rejectInvalidAttributes,
  renewCertificate,
  type OldCertificate,
} from './issuance/issue-certificate.ts';
import { findKnownCertificate } from './issuance/known-certificate.ts';
import type { IssuedCertificate } from './issuance/signed-once.ts';
import type { ConnectorParts } from './parts.ts';
import { createProfileReader, readProfile } from './profiles/certificate-profile.ts';
import { releaseCertificate, revokeCertificate } from './revocation/revoke-certificate.ts';

export const certificateHandlers = (parts: ConnectorParts, context: ConnectorContext): Handlers => ({
  ...issuingHandlers(parts, context),
  ...revocationHandlers(parts, context),
});

function issuingHandlers(parts: ConnectorParts, context: ConnectorContext): Handlers {
  const { registry, shards, signOnce } = parts;
  const profileOf = createProfileReader(context.publicUrl);
  return handlersOf(authorityProviderOperations, {
    listIssueCertificateAttributes: async ({ params }) => {
      await registry.get(params.uuid);
      return issueAttributes();
    },
    validateIssueCertificateAttributes: async ({ params, body }) => {
      await registry.get(params.uuid);
      rejectInvalidAttributes(body);
    },
    issueCertificate: async ({ params, body, idempotencyKey, committed }) => {
      const authority = await registry.get(params.uuid);
      const { request, format, attributes } = body;
      const readProfileOnce = () => profileOf(body.raProfileAttributes, authority.uuid);
      const issued = await issueCertificate(signOnce, {
        authority,
        readProfile: readProfileOnce,
        request,
        format,
        attributes,
        idempotencyKey,
        committed,
        shards,
      });
      if (readProfileOnce().ca) await activateCertificate(parts, { der: issued.der, issuer: authority });
      return presentCertificate(issued);
    },
    renewCertificate: async ({ params, body, idempotencyKey }) => {
      const authority = await registry.get(params.uuid);
      const { request, format, certificate } = body;
      const readProfileOnce = () => profileOf(body.raProfileAttributes, authority.uuid);
      const issued = await renewCertificate(signOnce, {
        authority,
        readProfile: readProfileOnce,
        request,
        format,
        oldCertificate: certificate,
        findOld: () => findOldCertificate(parts, authority, certificate),
        idempotencyKey,
        shards,
      });
      if (readProfileOnce().ca) await activateCertificate(parts, { der: issued.der, issuer: authority });
      return presentCertificate(issued);
    },
  });
}

/** Finds the certificate to renew, which must have been issued by this CA and must not be revoked. */
async function findOldCertificate(
  { journal, revocations }: ConnectorParts,
  authority: SigningAuthority,
  text: string,
): Promise<OldCertificate> {
  const known = await findKnownCertificate(journal, authority, text);
  const revocation = await revocations.find(authority.uuid, known.serial);
  if (!revocation) return known;
  const { serialNumber } = known.certificate;
  throw rejected(`Cannot renew certificate ${serialNumber}: it is revoked (${revocation.reason}).`);
}

const revocationHandlers = (
  { registry, journal, revocations, shards }: ConnectorParts,
  context: ConnectorContext,
): Handlers =>
  handlersOf(authorityProviderOperations, {
    listRevokeCertificateAttributes: async ({ params }) => {
      await registry.get(params.uuid);
      return revokeAttributes();
    },
    validateRevokeCertificateAttributes: async ({ params, body }) => {
      await registry.get(params.uuid);
      const problems = validateAttributes(revokeAttributes(), body);
      if (problems.length > 0) throw rejected(...problems);
    },
    revokeCertificate: async ({ params, body, idempotencyKey }) => {
      const authority = await registry.get(params.uuid);
      const known = await findKnownCertificate(journal, authority, body.certificate);
      const { reason, attributes } = body;
      await revokeCertificate(revocations, {
        authority,
        known,
        shardUuid: await shards.findByCertificate(authority.uuid, known.certificate),
        reason,
        attributes,
        idempotencyKey,
        now: context.clock.now(),
      });
    },
    releaseCertificate: async ({ params, body }) => {
      const authority = await registry.get(params.uuid);
      const known = await findKnownCertificate(journal, authority, body.certificate);
      await releaseCertificate(revocations, { authority, known, now: context.clock.now() });
    },
    identifyCertificate: async ({ params, body }) => {
      const authority = await registry.get(params.uuid);
      const { certificate } = await findKnownCertificate(journal, authority, body.certificate);
      // URLs are not compared here, so placeholders are accepted.
      rejectMismatches(certificate, readProfile(body.raProfileAttributes, { allowPlaceholders: true }));
      return { meta: certificateMetadata({ serialHex: certificate.serialNumber, authorityName: authority.name }) };
    },
  });

/** Returns no metadata, because the certificate contains everything that this connector knows about it. */
const presentCertificate = (issued: IssuedCertificate): CertificateDataResponseDto => ({
  certificateData: toBase64(issued.der),
  certificateType: 'X.509',
  meta: [],
});
