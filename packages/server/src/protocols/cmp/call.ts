// A message with everything that is known of it when its body is handled.
import {
  formatName,
  type Certificate,
  type DerivedMac,
  type MacInput,
  type PkiBody,
  type PkiBodyInput,
  type PkiMessage,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { ServedCmpProfile } from '../../areas/cmp-profiles/index.ts';
import type { BoundNames } from '../../areas/enrolments/index.ts';
import type { ServedRaProfile } from '../../areas/protocol-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Secret } from '../../kernel/secret.ts';

/** Who sent it, as its protection shows. */
export type Sender =
  | {
      readonly kind: 'mac';
      readonly secret: Secret;
      /** Of the message. */
      readonly mac: DerivedMac;
      /** How other MACs under the secret are derived. */
      readonly deriving: Pick<MacInput, 'functions' | 'limits'>;
      readonly reference: Uint8Array | undefined;
      /** Of a secret for one request. */
      readonly oneTime: { readonly uuid: string; readonly names: BoundNames | undefined } | undefined;
    }
  | {
      readonly kind: 'signature';
      readonly certificate: Certificate;
      /** Vouches for others. */
      readonly isRegistrationAuthority: boolean;
    };

export interface CmpCall {
  readonly message: PkiMessage;
  readonly body: PkiBody;
  readonly profile: ServedCmpProfile;
  readonly raProfile: ServedRaProfile & { readonly authorityUuid: string };
  readonly sender: Sender;
  /** Hex of the transactionID. */
  readonly transactionId: string;
  /** Of the answer: what the next message of the transaction has to repeat. */
  readonly nonce: Uint8Array;
  /** How many messages of registration authorities it came in, each inside the next; they vouch for it. */
  readonly level: number;
  readonly context: RequestContext;
}

export interface CmpReply {
  readonly body: PkiBodyInput;
  /** Further certificates for the client to build its path with, in DER. */
  readonly extraCerts?: readonly Uint8Array[];
  /** The client need not confirm. */
  readonly implicitConfirm?: boolean;
}

/** The same for every message that one sender protects; no other sender has it. */
export const identityOfSender = (sender: Sender): string => {
  if (sender.kind === 'signature')
    return Buffer.from(nodeCrypto.digest('sha256', sender.certificate.der)).toString('hex');
  return sender.oneTime?.uuid ?? 'shared secret';
};

export const nameOfSender = (sender: Sender): string => {
  if (sender.kind === 'signature') return formatName(sender.certificate.subject);
  return sender.oneTime ? 'one-time secret' : 'shared secret';
};
