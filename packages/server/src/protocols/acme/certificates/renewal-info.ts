// Renewal information (RFC 9773) for every certificate issued by this platform, whatever the protocol.
import { parseCertificate } from '@signetry/pki';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import { rejection } from '../model/problems.ts';
import type { AcmeReply, OpenCall } from '../requests/call.ts';
import { isNamedBy, readCertificateId } from './certificate-id.ts';
import type { RenewalWindows } from './renewal-windows.ts';

export type CertificateFinder = ReturnType<typeof createCertificateFinder>;

/** Finds a certificate by its identifier among those issued by the platform's authorities. */
export function createCertificateFinder(certificates: ProtocolCertificates) {
  return async (identifier: string): Promise<FoundCertificate | undefined> => {
    const id = readCertificateId(identifier);
    if (!id) throw rejection('malformed', 'The certificate identifier must have the format of RFC 9773 §4.1.');
    const found = await certificates.findBySerialNumber(id.serialNumber);
    return found.find((each) => isNamedBy(parseCertificate(each.der), id));
  };
}

export function createRenewalInfo(parts: {
  readonly findCertificate: CertificateFinder;
  readonly renewalWindows: RenewalWindows;
}): (call: OpenCall) => Promise<AcmeReply> {
  const { findCertificate, renewalWindows } = parts;

  return async function renewalInfo({ id }) {
    const found = await findCertificate(id);
    const stated = found && (await renewalWindows.windowOf(found));
    if (!stated) throw notIssued();
    const { window, explanationUrl, askAgainS } = stated;
    return {
      status: 200,
      body: {
        suggestedWindow: { start: window.start.toISOString(), end: window.end.toISOString() },
        ...(explanationUrl === null ? {} : { explanationURL: explanationUrl }),
      },
      headers: { 'retry-after': String(askAgainS) },
    };
  };
}

const notIssued = () =>
  rejection('malformed', 'This server did not issue a certificate with this identifier.', { status: 404 });
