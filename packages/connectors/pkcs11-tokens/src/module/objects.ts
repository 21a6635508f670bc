// Finds and reads a token's objects. Runs in the library's process.
import { setImmediate } from 'node:timers/promises';
import { CKA, CKK, CKO } from './constants.ts';
import type { CkAttribute, Cryptoki, Handle } from './cryptoki.ts';
import { ModuleFailure } from './failures.ts';
import { REASONS, type ObjectFacts, type ObjectReference } from './protocol.ts';

/** Number of handles requested at a time. */
const PAGE = 100;
/** Number of objects read before other calls get their turn. */
const SLICE = 20;

function findHandles(cryptoki: Cryptoki, session: Handle, template: readonly CkAttribute[]): Handle[] {
  const found: Handle[] = [];
  cryptoki.C_FindObjectsInit(session, template);
  try {
    for (;;) {
      const page = cryptoki.C_FindObjects(session, PAGE);
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  } finally {
    cryptoki.C_FindObjectsFinal(session);
  }
}

/** Returns the handle of the only matching object. */
export function findObject(cryptoki: Cryptoki, session: Handle, wanted: ObjectReference): Handle {
  const { objectClass, keyType, id, label } = wanted;
  const byClass = [
    { type: CKA.token, value: true },
    { type: CKA.class, value: objectClass },
    ...(keyType >= 0 ? [{ type: CKA.keyType, value: keyType }] : []),
  ];
  const byId = id.length > 0 ? [{ type: CKA.id, value: Buffer.from(id) }] : [];
  const byLabel = [{ type: CKA.label, value: Buffer.from(label) }];
  // Some tokens return the label in a different form than it was set, so it is used only if required.
  let found = findHandles(cryptoki, session, [...byClass, ...(byId.length > 0 ? byId : byLabel)]);
  if (found.length > 1 && byId.length > 0) found = findHandles(cryptoki, session, [...byClass, ...byId, ...byLabel]);
  const [first] = found;
  if (!first) throw new ModuleFailure(REASONS.objectMissing, 'The object does not exist on the token.');
  if (found.length > 1)
    throw new ModuleFailure(
      REASONS.objectAmbiguous,
      `The token has ${found.length} objects with the same class, type, CKA_ID and label.`,
    );
  return first;
}

const OF_PUBLIC_KEYS: Readonly<Record<number, readonly number[]>> = {
  [CKK.rsa]: [CKA.modulus, CKA.publicExponent],
  [CKK.ec]: [CKA.ecParams, CKA.ecPoint],
  [CKK.ecEdwards]: [CKA.ecParams, CKA.ecPoint],
  [CKK.mlDsa]: [CKA.parameterSet, CKA.value],
};

function attributesOf(objectClass: number, keyType: number): readonly number[] {
  switch (objectClass) {
    case CKO.certificate:
      return [CKA.value];
    case CKO.publicKey:
      return OF_PUBLIC_KEYS[keyType] ?? [];
    case CKO.privateKey:
      return keyType === CKK.rsa ? [CKA.modulus, CKA.publicExponent] : [CKA.publicKeyInfo];
    default:
      return [CKA.valueLength];
  }
}

export async function listObjects(
  cryptoki: Cryptoki,
  session: Handle,
  objectClasses: readonly number[],
): Promise<ObjectFacts[]> {
  const objects: ObjectFacts[] = [];
  for (const objectClass of objectClasses) {
    const handles = findHandles(cryptoki, session, [
      { type: CKA.token, value: true },
      { type: CKA.class, value: objectClass },
    ]);
    for (const handle of handles) {
      objects.push(readObject(cryptoki, session, { handle, objectClass }));
      if (objects.length % SLICE === 0) await setImmediate();
    }
  }
  return objects;
}

export function readObject(
  cryptoki: Cryptoki,
  session: Handle,
  { handle, objectClass }: { readonly handle: Handle; readonly objectClass: number },
): ObjectFacts {
  // Attributes are read separately, because a single attribute that an object lacks or hides would cause the entire
  // call to fail.
  const read = (type: number): Buffer | undefined => {
    try {
      return cryptoki.C_GetAttributeValue(session, handle, [{ type }])[0]?.value;
    } catch {
      return undefined;
    }
  };
  const keyType = objectClass === CKO.certificate ? -1 : (numberOf(read(CKA.keyType)) ?? -1);
  const values = new Map(attributesOf(objectClass, keyType).map((type) => [type, read(type)]));
  return {
    objectClass,
    id: Uint8Array.from(read(CKA.id) ?? []),
    label: textOf(read(CKA.label)),
    keyType,
    modulus: values.get(CKA.modulus),
    publicExponent: values.get(CKA.publicExponent),
    ecParams: values.get(CKA.ecParams),
    ecPoint: values.get(CKA.ecPoint),
    publicKeyInfo: values.get(CKA.publicKeyInfo),
    value: values.get(CKA.value),
    valueLength: numberOf(values.get(CKA.valueLength)),
    parameterSet: numberOf(values.get(CKA.parameterSet)),
  };
}

/** CK_ULONG has the machine's width and byte order. */
function numberOf(value: Buffer | undefined): number | undefined {
  if (!value) return undefined;
  if (value.length === 8) return Number(value.readBigUInt64LE());
  return value.length === 4 ? value.readUInt32LE() : undefined;
}

/** Fixed-length fields are padded with spaces, by some libraries with NULs. */
export const textOf = (value: Buffer | string | undefined): string =>
  (typeof value === 'string' ? value : (value?.toString('utf8') ?? '')).replace(/[\s\0]+$/, '');
