// Addresses of the console's pages. Links come from here only.

/** The pages of an area's objects: their list, and those on which one is created, shown and edited. */
export interface ObjectPaths {
  readonly list: string;
  readonly new: string;
  readonly one: (uuid: string) => string;
  readonly edit: (uuid: string) => string;
}

const objects = (list: string): ObjectPaths => ({
  list,
  new: `${list}/new`,
  one: (uuid) => `${list}/${uuid}`,
  edit: (uuid) => `${list}/${uuid}/edit`,
});

export const paths = {
  start: '/',
  certificates: {
    list: '/certificates',
    one: (uuid: string) => `/certificates/${uuid}`,
    issued: (uuid: string) => `/certificates/${uuid}/issued`,
    rekeyed: (uuid: string, from: string) => `/certificates/${uuid}/issued?rekeyed=${from}`,
    rekey: (uuid: string) => `/certificates/${uuid}/rekey`,
  },
  issue: '/issue',
  issueUnder: (raProfile: string) => `/issue?raProfile=${raProfile}`,
  authorities: objects('/authorities'),
  raProfiles: {
    ...objects('/ra-profiles'),
    newOf: (authority: string) => `/ra-profiles/new?authority=${authority}`,
  },
  acme: {
    ...objects('/acme'),
    tab: (uuid: string, tab: string) => `/acme/${uuid}?tab=${tab}`,
    account: (uuid: string, accountUuid: string) => `/acme/${uuid}/accounts/${accountUuid}`,
  },
  connectors: objects('/connectors'),
  credentials: objects('/credentials'),
  customAttributes: objects('/custom-attributes'),
  globalMetadata: objects('/global-metadata'),
} as const;
