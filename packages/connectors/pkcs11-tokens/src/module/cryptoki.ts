// The part of the binding (npm package pkcs11js) that the connector uses. Declared here so that the package is not
// needed until a library is loaded: it is optional, because installing it requires a compiler.
import { createRequire } from 'node:module';

export type Handle = Buffer;

export interface CkAttribute {
  readonly type: number;
  readonly value?: Buffer | number | boolean | string;
}

export interface CkMechanism {
  readonly mechanism: number;
  readonly parameter: object | null;
}

interface Version {
  readonly major: number;
  readonly minor: number;
}

export interface CkTokenInfo {
  readonly label: string;
  readonly manufacturerID: string;
  readonly model: string;
  readonly serialNumber: string;
  readonly flags: number;
  readonly firmwareVersion: Version;
}

/** PKCS #11 functions under their own names. Every error has a `code`, the return value. */
export interface Cryptoki {
  load(path: string): void;
  C_Initialize(options: { readonly flags: number }): void;
  C_Finalize(): void;
  C_GetInfo(): {
    readonly manufacturerID: string;
    readonly libraryDescription: string;
    readonly libraryVersion: Version;
    readonly cryptokiVersion: Version;
  };
  C_GetSlotList(withToken: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): CkTokenInfo;
  C_InitToken(slot: Handle, pin: string, label: string): void;
  C_InitPIN(session: Handle, pin: string): void;
  C_GetMechanismList(slot: Handle): number[];
  C_GetMechanismInfo(slot: Handle, mechanism: number): MechanismInfo;
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_CloseSession(session: Handle): void;
  C_GetSessionInfo(session: Handle): { readonly state: number };
  C_Login(session: Handle, user: number, pin: string): void;
  C_Logout(session: Handle): void;
  C_FindObjectsInit(session: Handle, template: readonly CkAttribute[]): void;
  C_FindObjects(session: Handle, atMost: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_GetAttributeValue(session: Handle, object: Handle, attributes: readonly CkAttribute[]): { value: Buffer }[];
  C_SetAttributeValue(session: Handle, object: Handle, attributes: readonly CkAttribute[]): void;
  C_DestroyObject(session: Handle, object: Handle): void;
  C_GenerateKeyAsync(session: Handle, mechanism: CkMechanism, template: readonly CkAttribute[]): Promise<Handle>;
  C_GenerateKeyPairAsync(
    session: Handle,
    mechanism: CkMechanism,
    publicTemplate: readonly CkAttribute[],
    privateTemplate: readonly CkAttribute[],
  ): Promise<{ readonly publicKey: Handle; readonly privateKey: Handle }>;
  C_SignInit(session: Handle, mechanism: CkMechanism, key: Handle): void;
  C_SignAsync(session: Handle, data: Buffer, output: Buffer): Promise<Buffer>;
  C_EncryptInit(session: Handle, mechanism: CkMechanism, key: Handle): void;
  C_EncryptAsync(session: Handle, data: Buffer, output: Buffer): Promise<Buffer>;
  C_DecryptInit(session: Handle, mechanism: CkMechanism, key: Handle): void;
  C_DecryptAsync(session: Handle, data: Buffer, output: Buffer): Promise<Buffer>;
  C_GenerateRandom(session: Handle, output: Buffer): Buffer;
}

export interface MechanismInfo {
  /** In bits or bytes, depending on the mechanism. */
  readonly minKeySize: number;
  readonly maxKeySize: number;
  readonly flags: number;
}

/** Throws if the package is not installed. */
export function loadBinding(): Cryptoki {
  const binding = createRequire(import.meta.url)('pkcs11js') as { readonly PKCS11: new () => Cryptoki };
  return new binding.PKCS11();
}
