// Paths of the console's pages. All links are built from these paths.

/** Paths of an area's pages: list, new, view and edit. */
export interface ObjectPaths {
  readonly list: string;
  readonly new: string;
  readonly one: (uuid: string) => string;
  readonly edit: (uuid: string) => string;
}

/** A location and its entity. */
export interface LocationPath {
  readonly entityUuid: string;
  readonly locationUuid: string;
}

const objects = (list: string): ObjectPaths => ({
  list,
  new: `${list}/new`,
  one: (uuid) => `${list}/${uuid}`,
  edit: (uuid) => `${list}/${uuid}/edit`,
});

/** Paths for objects identified by a name from another system, which can contain any character. */
const named = (list: string): ObjectPaths => {
  const byName = objects(list);
  return {
    ...byName,
    one: (name) => byName.one(encodeURIComponent(name)),
    edit: (name) => byName.edit(encodeURIComponent(name)),
  };
};

export interface ProtocolPaths extends ObjectPaths {
  readonly tab: (uuid: string, tab: string) => string;
}

/** Paths for protocol profiles, whose pages have tabs. */
const protocol = (list: string): ProtocolPaths => ({
  ...objects(list),
  tab: (uuid, tab) => `${list}/${uuid}?tab=${tab}`,
});

export const paths = {
  start: '/',
  /** Path of a platform page outside the console that signs in with a passkey and redirects to the given path. */
  signIn: (then: string) => `/login?redirect=${encodeURIComponent(then)}`,
  certificates: {
    list: '/certificates',
    one: (uuid: string) => `/certificates/${uuid}`,
    compare: '/certificates/compare',
    changes: '/certificates/changes',
    change: (uuid: string) => `/certificates/changes/${uuid}`,
    lineage: (uuid: string) => `/certificates/${uuid}/lineage`,
    issued: (uuid: string) => `/certificates/${uuid}/issued`,
    rekeyed: (uuid: string, from: string) => `/certificates/${uuid}/issued?rekeyed=${from}`,
    rekey: (uuid: string) => `/certificates/${uuid}/rekey`,
  },
  discoveries: {
    ...objects('/discoveries'),
    view: (uuid: string, view: string) => `/discoveries/${uuid}?view=${view}`,
    newScheduled: '/discoveries/new?when=scheduled',
  },
  scheduledJobs: { list: '/schedule', one: (uuid: string) => `/schedule/${uuid}` },
  compliance: {
    list: '/compliance',
    profiles: objects('/compliance/profiles'),
    /** Rules are viewed on their edit page. */
    rules: { ...objects('/compliance/rules'), one: (uuid: string) => `/compliance/rules/${uuid}/edit` },
  },
  automation: {
    ...objects('/automation'),
    newLike: (example: string) => `/automation/new?example=${example}`,
    /** Creates a trigger for a specific RA profile, group or discovery. */
    newAt: (resource: string, uuid: string) => `/automation/new?at=${resource}&object=${uuid}`,
    /** Page that lists the components of triggers. */
    parts: '/automation/parts',
  },
  insights: '/insights',
  issue: '/issue',
  issueUnder: (raProfile: string) => `/issue?raProfile=${raProfile}`,
  authorities: {
    ...objects('/authorities'),
    newAt: (connector: string) => `/authorities/new?connector=${connector}`,
  },
  raProfiles: {
    ...objects('/ra-profiles'),
    newOf: (authority: string) => `/ra-profiles/new?authority=${authority}`,
    /** End entities exist only for first-generation authorities. */
    endEntities: (raProfile: string) => named(`/ra-profiles/${raProfile}/end-entities`),
  },
  tokens: {
    ...objects('/tokens'),
    newAt: (connector: string) => `/tokens/new?connector=${connector}`,
  },
  tokenProfiles: {
    list: '/token-profiles',
    new: '/token-profiles/new',
    newOf: (token: string) => `/token-profiles/new?token=${token}`,
    /** Profiles of a specific token. */
    of: (token: string): ObjectPaths => ({
      list: '/token-profiles',
      new: '/token-profiles/new',
      one: (uuid) => `/tokens/${token}/profiles/${uuid}`,
      edit: (uuid) => `/tokens/${token}/profiles/${uuid}/edit`,
    }),
  },
  entities: {
    ...objects('/entities'),
    newAt: (connector: string) => `/entities/new?connector=${connector}`,
  },
  locations: {
    list: '/locations',
    new: '/locations/new',
    newOf: (entity: string) => `/locations/new?entity=${entity}`,
    /** Locations of a specific entity. */
    of: (entity: string): ObjectPaths => ({
      list: '/locations',
      new: '/locations/new',
      one: (uuid) => `/entities/${entity}/locations/${uuid}`,
      edit: (uuid) => `/entities/${entity}/locations/${uuid}/edit`,
    }),
    issue: ({ entityUuid, locationUuid }: LocationPath) => `/entities/${entityUuid}/locations/${locationUuid}/issue`,
    push: ({ entityUuid, locationUuid }: LocationPath, certificate?: string) =>
      `/entities/${entityUuid}/locations/${locationUuid}/push${certificate === undefined ? '' : `?certificate=${certificate}`}`,
  },
  keys: {
    ...objects('/keys'),
    newUnder: (tokenProfile: string) => `/keys/new?tokenProfile=${tokenProfile}`,
  },
  acme: {
    ...objects('/acme'),
    tab: (uuid: string, tab: string) => `/acme/${uuid}?tab=${tab}`,
    account: (uuid: string, accountUuid: string) => `/acme/${uuid}/accounts/${accountUuid}`,
  },
  cmp: protocol('/cmp'),
  scep: protocol('/scep'),
  est: protocol('/est'),
  enrollments: {
    list: '/enrollments',
    of: (raProfile: string) => `/enrollments?raProfile=${raProfile}`,
    over: (protocol: string) => `/enrollments?protocol=${protocol}`,
  },
  approvals: { list: '/approvals', one: (uuid: string) => `/approvals/${uuid}` },
  notifications: { list: '/notifications' },
  notificationInstances: objects('/notification-providers'),
  notificationProfiles: {
    ...objects('/notification-profiles'),
    version: (uuid: string, version: number) => `/notification-profiles/${uuid}?version=${version}`,
  },
  notificationDeliveries: { list: '/deliveries', one: (uuid: string) => `/deliveries/${uuid}` },
  approvalProfiles: {
    ...objects('/approval-profiles'),
    version: (uuid: string, version: number) => `/approval-profiles/${uuid}?version=${version}`,
  },
  connectors: objects('/connectors'),
  credentials: objects('/credentials'),
  customAttributes: objects('/custom-attributes'),
  globalMetadata: objects('/global-metadata'),
  oids: objects('/oids'),
  audit: '/audit',
  settings: '/settings',
  /** Identity providers are identified by name. */
  identityProviders: objects('/settings/identity-providers'),
  users: objects('/users'),
  roles: {
    ...objects('/roles'),
    permissions: (uuid: string) => `/roles/${uuid}/permissions`,
  },
  groups: objects('/groups'),
  profile: '/profile',
  glossary: '/glossary',
} as const;
