// Certificates on hold (RFC 5280 §5.3.1), beyond the published interface: a connector that declares the feature takes
// the reason certificateHold in `revokeCertificate`, and releases with `releaseCertificate`.

/** Declared by connectors that release a hold. No certificate of another connector is put on hold. */
export const HOLD_FEATURE = 'certificateHold';
