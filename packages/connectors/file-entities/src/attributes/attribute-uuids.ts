// Attribute UUIDs. Platforms store values under them, so a number is never reused or changed.

/** `form` identifies the form, `number` the attribute within it. */
const attributeUuid = (form: number, number: number): string =>
  `3e9a6d52-81c4-4f${String(form).padStart(2, '0')}-a7b3-${String(number).padStart(12, '0')}`;

export const entityUuid = (number: number): string => attributeUuid(10, number);
/** Returns the UUID of a key store entity attribute. */
export const keyStoreEntityUuid = (number: number): string => attributeUuid(11, number);
export const locationUuid = (number: number): string => attributeUuid(20, number);
export const keyStoreLocationUuid = (number: number): string => attributeUuid(21, number);
export const requestUuid = (number: number): string => attributeUuid(30, number);
export const keyStoreRequestUuid = (number: number): string => attributeUuid(31, number);
export const metadataUuid = (number: number): string => attributeUuid(50, number);

// Attributes that are shared by all entity providers for key stores also have the same UUIDs.
export const HOST_UUID = '5e9146a6-da8a-403f-99cb-d5d64d93ce1c';
export const KEY_STORE_PATH_UUID = '12f55fa9-49a3-4afe-906b-ad48c76641ce';
export const KEY_STORE_PASSWORD_UUID = '12ad2fd2-6ca1-4770-a28d-c2eb35ed02da';
export const KEY_STORE_TYPE_UUID = '731d8858-7c9c-4f84-8d87-937d81d3447b';
export const ALIAS_UUID = 'a89139d5-d0de-443a-ad54-9b98a592ab6c';
export const KEY_ALGORITHM_UUID = 'd76ae29c-45a8-4b01-a387-0285303db52e';
export const KEY_SIZE_UUID = 'd98331cb-5af2-4a0a-b254-c694e9d3e130';
export const SUBJECT_UUID = '63b7bb4e-751d-4546-bf77-2eb8217e1207';
export const SIGNATURE_ALGORITHM_UUID = '724c38bb-2d12-4986-a690-781d0382fe1f';
