// Form values for selecting a user's client certificate. Pure.

export type CertificateChoice =
  | { readonly kind: 'none' }
  /** Certificate from the inventory; undefined until one is selected. */
  | { readonly kind: 'inventory'; readonly uuid: string | undefined }
  /** PEM, or Base64-encoded DER. */
  | { readonly kind: 'file'; readonly data: string };

export const noCertificate: CertificateChoice = { kind: 'none' };

/** Returns the certificate fields for a request. If both are absent, the user's certificate is removed. */
export function requestedCertificate(choice: CertificateChoice): {
  readonly certificateUuid?: string;
  readonly certificateData?: string;
} {
  if (choice.kind === 'inventory' && choice.uuid !== undefined) return { certificateUuid: choice.uuid };
  return choice.kind === 'file' ? { certificateData: choice.data.trim() } : {};
}
