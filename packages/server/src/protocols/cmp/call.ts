// A message and everything that is known about it by the time its body is handled.
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
import type { BoundNames } from '../../areas/enrollments/index.ts';
import type { ServedRaProfile } from '../../areas/protocol-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Secret } from '../../kernel/secret.ts';

/** Sender of a message, as proven by the message's protection. */
export type Sender =
  | {
      readonly kind: 'mac';
      readonly secret: Secret;
      /** MAC of the message. */
      readonly mac: DerivedMac;
      /** Parameters for deriving other MACs from the secret. */
      readonly deriving: Pick<MacInput, 'functions' | 'limits'>;
      readonly reference: Uint8Array | undefined;
      /** Present if the secret can be used only once. */
      readonly oneTime: { readonly uuid: string; readonly names: BoundNames | undefined } | undefined;
    }
  | {
      readonly kind: 'signature';
      readonly certificate: Certificate;
      /** Whether the sender can vouch for others. */
      readonly isRegistrationAuthority: boolean;
    };

export interface CmpCall {
  readonly message: PkiMessage;
  readonly body: PkiBody;
  readonly profile: ServedCmpProfile;
  readonly raProfile: ServedRaProfile & { readonly authorityUuid: string };
  readonly sender: Sender;
  /** transactionID in hex. */
  readonly transactionId: string;
  /** Nonce of the response, which the transaction's next message must repeat. */
  readonly nonce: Uint8Array;
  /** Number of enclosing messages from registration authorities, all of which vouch for this message. */
  readonly level: number;
  readonly context: RequestContext;
}

export interface CmpReply {
  readonly body: PkiBodyInput;
  /** Additional certificates for the client's path building, in DER. */
  readonly extraCerts?: readonly Uint8Array[];
  /** Whether the client can omit the confirmation. */
  readonly implicitConfirm?: boolean;
}

/** Returns a value that is the same for all messages protected by one sender, and different for every other sender. */
export const identityOfSender = (sender: Sender): string => {
  if (sender.kind === 'signature')
    return Buffer.from(nodeCrypto.digest('sha256', sender.certificate.der)).toString('hex');
  return sender.oneTime?.uuid ?? 'shared secret';
};

export const nameOfSender = (sender: Sender): string => {
  if (sender.kind === 'signature') return formatName(sender.certificate.subject);
  return sender.oneTime ? 'one-time secret' : 'shared secret';
};
