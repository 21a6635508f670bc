// Display names of ReasonFlags bits.

/** By bit number (RFC 5280 §4.2.1.13). */
export const REVOCATION_REASON_TEXTS = [
  'Unused',
  'Key compromise',
  'CA compromise',
  'Affiliation changed',
  'Superseded',
  'Cessation of operation',
  'Certificate hold',
  'Privilege withdrawn',
  'Attribute authority compromise',
];
