// Responses to a client, recorded outside the platform: what must still be true after a fault.

export interface IssuedEvidence {
  readonly uuid: string;
  /** SHA-256 of the DER in the response, in hex. */
  readonly sha256: string;
  readonly serialNumber: string;
}

export interface RevokedEvidence {
  readonly uuid: string;
  readonly serialNumber: string;
  readonly reason: string;
}

export interface CrlEvidence {
  readonly number: bigint;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number;
}

export class Evidence {
  readonly issued: IssuedEvidence[] = [];
  readonly revoked: RevokedEvidence[] = [];
  readonly crls: CrlEvidence[] = [];
  /** Certificates that the load may revoke: acknowledged and not yet revoked. */
  readonly revocable: IssuedEvidence[] = [];
}
