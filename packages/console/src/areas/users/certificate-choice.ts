// The certificate that a user signs in with, as it is chosen in the form. Pure.

export type CertificateChoice =
  | { readonly kind: 'none' }
  /** One of the inventory; undefined until it is chosen. */
  | { readonly kind: 'inventory'; readonly uuid: string | undefined }
  /** PEM, or Base64 of DER. */
  | { readonly kind: 'file'; readonly data: string };

export const noCertificate: CertificateChoice = { kind: 'none' };

/** A user that is saved without either has no certificate afterwards. */
export function requestedCertificate(choice: CertificateChoice): {
  readonly certificateUuid?: string;
  readonly certificateData?: string;
} {
  if (choice.kind === 'inventory' && choice.uuid !== undefined) return { certificateUuid: choice.uuid };
  return choice.kind === 'file' ? { certificateData: choice.data.trim() } : {};
}
