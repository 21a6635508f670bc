// Attributes for the subject and SANs of CSRs that the platform creates. Clients store the values under the attribute
// identifiers.

const attribute = <const Uuid extends string, const Name extends string>(uuid: Uuid, name: Name) => ({ uuid, name });

/** All values are strings; the SAN attributes accept multiple values. */
export const CSR_ATTRIBUTES = {
  commonName: attribute('9abaeba0-973d-11ed-a8fc-0242ac120002', 'commonName'),
  organizationalUnit: attribute('9abaef60-973d-11ed-a8fc-0242ac120002', 'organizationalUnit'),
  organization: attribute('9abaf0be-973d-11ed-a8fc-0242ac120002', 'organization'),
  locality: attribute('9abaf208-973d-11ed-a8fc-0242ac120002', 'locality'),
  state: attribute('9abaf33e-973d-11ed-a8fc-0242ac120002', 'state'),
  country: attribute('9abaf488-973d-11ed-a8fc-0242ac120002', 'country'),
  /** The SANs are not part of the published interface. */
  dnsNames: attribute('8d668ac8-65ce-4bf1-8d1a-9f4980b252f9', 'dnsNames'),
  ipAddresses: attribute('013b9897-a242-4f12-a9fe-55b59969a2e0', 'ipAddresses'),
  emailAddresses: attribute('6bed0e07-405a-4f45-92db-c1e914f94e02', 'emailAddresses'),
  uris: attribute('a86b8c4a-26d6-4cbf-b073-7a525475c5aa', 'uris'),
} as const;
