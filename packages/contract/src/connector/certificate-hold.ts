// Certificates on hold (RFC 5280 §5.3.1), not part of the published interface: a connector that declares the feature
// accepts the reason certificateHold in `revokeCertificate` and releases certificates with `releaseCertificate`.

/** Declared by connectors that can release a hold. Certificates from other connectors are never placed on hold. */
export const HOLD_FEATURE = 'certificateHold';
