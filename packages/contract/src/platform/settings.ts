// Platform settings: certificates, events, logging, and authentication.
import { z } from 'zod';
import { ResourceEvent } from '../enums/workflows.ts';
import { fullPermissions } from '../operation.ts';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { int32, line, url, uuid } from '../primitives.ts';
import { AuditLogOutput, AuditModule } from './audit-vocabulary.ts';
import { Resource } from './resource.ts';
import { sightOf } from './referenced-objects.ts';

export const UtilsSettingsDto = z
  .object({
    /** Service that a console uses to decode certificates and requests. */
    utilsServiceUrl: url().meta({ format: 'uri' }).optional(),
  })
  .meta({ id: 'UtilsSettingsDto' });

/**
 * Settings for certificates whose RA profile has no validation settings. `frequency` and `expiringThreshold` are absent
 * if validation is disabled.
 */
export const CertificateValidationSettingsDto = z
  .object({
    enabled: z.boolean(),
    /** Days between validations. */
    frequency: int32().min(1).optional(),
    /** Days before expiry from which a certificate counts as expiring. */
    expiringThreshold: int32().min(1).optional(),
  })
  .meta({ id: 'CertificateValidationSettingsDto' });
export type CertificateValidationSettingsDto = z.output<typeof CertificateValidationSettingsDto>;

export const CertificateSettingsDto = z
  .object({ validation: CertificateValidationSettingsDto.optional() })
  .meta({ id: 'CertificateSettingsDto' });

export const PlatformSettingsDto = z
  .object({ utils: UtilsSettingsDto.optional(), certificates: CertificateSettingsDto.optional() })
  .meta({ id: 'PlatformSettingsDto' });
export type PlatformSettingsDto = z.output<typeof PlatformSettingsDto>;

export const CertificateValidationSettingsUpdateDto = z
  .object({
    enabled: z.boolean().default(true),
    frequency: int32().min(1).default(1),
    expiringThreshold: int32().min(1).default(30),
  })
  .meta({ id: 'CertificateValidationSettingsUpdateDto' });

export const CertificateSettingsUpdateDto = z
  .object({ validation: CertificateValidationSettingsUpdateDto.optional() })
  .meta({ id: 'CertificateSettingsUpdateDto' });

/** Absent parts stay unchanged. */
export const PlatformSettingsUpdateDto = z
  .object({ utils: UtilsSettingsDto.optional(), certificates: CertificateSettingsUpdateDto.optional() })
  .meta({ id: 'PlatformSettingsUpdateDto' });
export type PlatformSettingsUpdateDto = z.output<typeof PlatformSettingsUpdateDto>;

const TriggerUuids = z.array(uuid());

/** Triggers that are evaluated in order for every object for which the event is raised. */
export const EventsSettingsDto = z
  .object({ eventsMapping: z.partialRecord(ResourceEvent, TriggerUuids) })
  .meta({ id: 'EventsSettingsDto' });
export type EventsSettingsDto = z.output<typeof EventsSettingsDto>;

export const EventSettingsDto = z
  .object({ event: ResourceEvent, triggerUuids: TriggerUuids })
  .meta({ id: 'EventSettingsDto' });
export type EventSettingsDto = z.output<typeof EventSettingsDto>;

const logged = {
  logAllModules: z.boolean(),
  logAllResources: z.boolean(),
  loggedModules: z.array(AuditModule).optional(),
  /** Ignored modules and resources take precedence over logged ones. */
  ignoredModules: z.array(AuditModule).optional(),
  loggedResources: z.array(Resource).optional(),
  ignoredResources: z.array(Resource).optional(),
};

export const ResourceLoggingSettingsDto = z.object(logged).meta({ id: 'ResourceLoggingSettingsDto' });
export type ResourceLoggingSettingsDto = z.output<typeof ResourceLoggingSettingsDto>;

export const AuditLoggingSettingsDto = z
  .object({ ...logged, output: AuditLogOutput, verbose: z.boolean().optional() })
  .meta({ id: 'AuditLoggingSettingsDto' });
export type AuditLoggingSettingsDto = z.output<typeof AuditLoggingSettingsDto>;

export const LoggingSettingsDto = z
  .object({ auditLogs: AuditLoggingSettingsDto, eventLogs: ResourceLoggingSettingsDto })
  .meta({ id: 'LoggingSettingsDto' });
export type LoggingSettingsDto = z.output<typeof LoggingSettingsDto>;

const uri = () => url().meta({ format: 'uri' });

/**
 * An OAuth 2.0 authorization server whose tokens are accepted and, if its settings are sufficient, through which users
 * can sign in.
 */
const provider = {
  issuerUrl: uri().optional(),
  clientId: line().optional(),
  /** Never returned. If absent or empty, the previous secret is unchanged. */
  clientSecret: z.string().max(2_000).optional(),
  authorizationUrl: uri().optional(),
  tokenUrl: uri().optional(),
  jwkSetUrl: uri().optional(),
  /** JWK set (RFC 7517 §5) in Base64, for issuers that do not publish one. */
  jwkSet: z.string().max(262_144).optional(),
  scope: z.array(line()).optional(),
  logoutUrl: uri().optional(),
  postLogoutUrl: uri().optional(),
  userInfoUrl: uri().optional(),
  /** Accepted audiences: a token must have at least one of them. If empty, any audience is accepted. */
  audiences: z.array(line()).optional(),
  /** Allowed clock skew in seconds. */
  skew: int32().min(0).max(3_600).optional(),
  /** Number of seconds of inactivity after which a session ends. */
  sessionMaxInactiveInterval: int32().min(60).max(604_800).optional(),
};

export const OAuth2ProviderSettingsUpdateDto = z.object(provider).meta({ id: 'OAuth2ProviderSettingsUpdateDto' });
export type OAuth2ProviderSettingsUpdateDto = z.output<typeof OAuth2ProviderSettingsUpdateDto>;

/** Used in the URLs at which browsers sign in. */
const providerName = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must be 1 to 100 letters, digits, dots, dashes or underscores');

export const OAuth2ProviderSettingsDto = z
  .object({ ...provider, name: providerName() })
  .meta({ id: 'OAuth2ProviderSettingsDto' });
export type OAuth2ProviderSettingsDto = z.output<typeof OAuth2ProviderSettingsDto>;

export const JwkDto = z
  .object({
    kid: z.string(),
    /** Base64 of the SubjectPublicKeyInfo. */
    publicKey: z.string(),
    keyType: z.string().optional(),
    algorithm: z.string().optional(),
    use: z.string().optional(),
  })
  .meta({ id: 'JwkDto' });
export type JwkDto = z.output<typeof JwkDto>;

export const OAuth2ProviderSettingsResponseDto = z
  .object({ ...provider, name: z.string(), jwkSetKeys: z.array(JwkDto) })
  .meta({ id: 'OAuth2ProviderSettingsResponseDto' });
export type OAuth2ProviderSettingsResponseDto = z.output<typeof OAuth2ProviderSettingsResponseDto>;

export const AuthenticationSettingsDto = z
  .object({ disableLocalhostUser: z.boolean(), oauth2Providers: z.record(z.string(), OAuth2ProviderSettingsDto) })
  .meta({ id: 'AuthenticationSettingsDto' });
export type AuthenticationSettingsDto = z.output<typeof AuthenticationSettingsDto>;

/** The providers in the request replace all previous ones. If absent, the previous ones are kept. */
export const AuthenticationSettingsUpdateDto = z
  .object({ disableLocalhostUser: z.boolean(), oauth2Providers: z.array(OAuth2ProviderSettingsDto).optional() })
  .meta({ id: 'AuthenticationSettingsUpdateDto' });
export type AuthenticationSettingsUpdateDto = z.output<typeof AuthenticationSettingsUpdateDto>;

const table = { tag: 'Settings', resource: 'settings', module: 'core', errors: plainErrors } as const;

export const platformSettingsOperations = operations(table, {
  getPlatformSettings: {
    route: 'GET /v1/settings/platform',
    summary: 'Get platform settings',
    answer: PlatformSettingsDto,
    access: { action: 'detail' },
  },
  updatePlatformSettings: {
    route: 'PUT /v1/settings/platform',
    summary: 'Update platform settings',
    body: PlatformSettingsUpdateDto,
    errors: ruleErrors,
    access: { action: 'update' },
    audit: 'update',
  },
});

/** Platform-wide triggers. Triggers of RA profiles, groups and discoveries are evaluated before them. */
export const eventSettingsOperations = operations(table, {
  getEventsSettings: {
    route: 'GET /v1/settings/events',
    summary: 'Get events settings',
    answer: EventsSettingsDto,
    access: { action: 'detail' },
  },
  updateEventsSettings: {
    route: 'PUT /v1/settings/events',
    summary: 'Update multiple events settings',
    body: EventsSettingsDto,
    errors: ruleErrors,
    access: { action: 'update' },
    also: [{ resource: 'triggers', action: 'detail', where: 'triggers are specified, on them' }],
    audit: 'update',
  },
  updateEventSettings: {
    route: 'PATCH /v1/settings/events',
    summary: 'Update single event settings',
    body: EventSettingsDto,
    errors: ruleErrors,
    access: { action: 'update' },
    also: [sightOf('triggers', 'triggerUuids')],
    audit: 'update',
  },
});

export const loggingSettingsOperations = operations(table, {
  getLoggingSettings: {
    route: 'GET /v1/settings/logging',
    summary: 'Get logging settings',
    answer: LoggingSettingsDto,
    access: { action: 'detail' },
  },
  updateLoggingSettings: {
    route: 'PUT /v1/settings/logging',
    summary: 'Update logging settings',
    body: LoggingSettingsDto,
    success: { status: 200 },
    access: { action: 'update' },
    audit: 'update',
  },
});

const named = z.object({ providerName: z.string() });

export const authenticationSettingsOperations = operations(table, {
  getAuthenticationSettings: {
    route: 'GET /v1/settings/authentication',
    summary: 'Get authentication settings',
    answer: AuthenticationSettingsDto,
    access: { action: 'detail' },
  },
  updateAuthenticationSettings: {
    route: 'PUT /v1/settings/authentication',
    summary: 'Update authentication settings',
    body: AuthenticationSettingsUpdateDto,
    success: { status: 200 },
    errors: ruleErrors,
    access: { action: 'update' },
    also: [fullPermissions],
    audit: 'update',
  },
  getOAuth2ProviderSettings: {
    route: 'GET /v1/settings/authentication/oauth2Providers/{providerName}',
    summary: 'Get OAuth2 Provider settings',
    params: named,
    answer: OAuth2ProviderSettingsResponseDto,
    errors: objectErrors,
    access: { action: 'detail' },
  },
  updateOAuth2ProviderSettings: {
    route: 'PUT /v1/settings/authentication/oauth2Providers/{providerName}',
    summary: 'Update OAuth2 Provider settings',
    params: z.object({ providerName: providerName() }),
    body: OAuth2ProviderSettingsUpdateDto,
    errors: ruleErrors,
    access: { action: 'update' },
    also: [fullPermissions],
    audit: 'update',
  },
  removeOAuth2Provider: {
    route: 'DELETE /v1/settings/authentication/oauth2Providers/{providerName}',
    summary: 'Remove OAuth2 Provider',
    params: named,
    errors: objectErrors,
    access: { action: 'update' },
    also: [fullPermissions],
    audit: 'delete',
  },
});
