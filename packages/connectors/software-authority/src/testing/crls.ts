// Test helpers for the CRLs of an authority, and for certificates that they contain.
import { parseCrl, readCertificate, revokedEntries, type CertificateList, type RevokedEntry } from '@signetry/pki';
import { crlOf, issueDer, revoke, type TestAuthority } from './test-authority.ts';

export const HOUR = 3_600_000;

export const entriesOf = (crl: CertificateList): readonly RevokedEntry[] => [...revokedEntries(crl)];
export const serialsOf = (crl: CertificateList): readonly string[] =>
  entriesOf(crl).map(({ serialNumber }) => serialNumber);
export const serialOf = (der: Uint8Array): string => readCertificate(der).serialNumber;

/** Returns helpers for the authority that is current when they are called. */
export function crlsOf(ours: TestAuthority, currentAuthority: () => string) {
  const issueOne = () => issueDer(ours.call, { authority: currentAuthority() });
  return {
    full: async (): Promise<CertificateList> => parseCrl(await crlOf(ours.call, currentAuthority())),
    delta: async (): Promise<CertificateList> => parseCrl(await crlOf(ours.call, currentAuthority(), true)),
    issued: issueOne,
    /** Issues and revokes a certificate, and returns its serial number. */
    async revoked(reason: Parameters<typeof revoke>[1]['reason'] = 'superseded'): Promise<string> {
      const certificate = await issueOne();
      await revoke(ours.call, { authority: currentAuthority(), certificate, reason });
      return serialOf(certificate);
    },
    /** Advances the authority's clock. */
    later: (ms: number): void => ours.setTime(new Date(ours.context.clock.now().getTime() + ms)),
  };
}
