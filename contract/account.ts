import { z } from 'zod'
import { accountFields } from './accountFields.ts'
import { call, Effected, EffectSentence, Flag, Id, LastDay, Lock, listOf, one, Stopped } from './call.ts'
import { keyFields } from './credentialFields.ts'
import { columnWord, oneOf } from './enums.ts'
import { MOST_FAVOURITES, PINNED_KINDS, readFavourite } from './favourites.ts'
import { createShape, editShape } from './fieldInput.ts'
import { recordShape } from './fieldRecord.ts'
import { isTimeZone } from './format.ts'
import { listInput } from './listInput.ts'
import { sortsOf, valuesOf } from './lists.ts'
import { LONGEST_WAIT, MAIL_WAITS } from './mailWaits.ts'
import { NEWS, NEWS_KINDS } from './news.ts'
import { organizationFields, settingFields } from './organizationFields.ts'
import { Visitation } from './organizationSettings.ts'
import { Me } from './session.ts'
import { CurrentPassword } from './user.ts'

/** Records and views pinned into the sidebar, in its order. */
const Favourites = z
  .array(z.string().refine((text) => readFavourite(text) !== null, 'is not a record such as project:4180'))
  .max(MOST_FAVOURITES, `can be at most ${MOST_FAVOURITES}`)
  .refine((all) => new Set(all).size === all.length, 'names a record twice')
/** A user's own settings; a missing key follows the default. */
const Preferences = z.object({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  density: z.enum(['dense', 'compact', 'comfortable']).optional(),
  /** Command id → its keys, where they differ from the keymap; an empty text removes the shortcut. */
  keys: z
    .record(z.string().max(80), z.string().max(40))
    .refine((keys) => Object.keys(keys).length <= 300, 'has too many entries')
    .optional(),
  time_zone: z
    .string()
    .max(60)
    .refine((zone) => zone === '' || isTimeZone(zone), 'is not a time zone such as America/New_York')
    .optional(),
  /** Whether single letters work as shortcuts; WCAG 2.1.4 requires a way to turn them off. */
  single_keys: Flag.optional(),
  /** Sends notifications by mail too (decisions.md 13, Notifications). */
  notification_mail: Flag.optional(),
  /** When news of a kind is mailed; missing kinds as usual. */
  news_mail: z
    .record(z.string().max(20), z.enum(['now', 'hourly', 'daily', 'never'], { error: 'is now, hourly, daily or never' }))
    .refine(
      (kinds) => Object.keys(kinds).every((kind) => Object.hasOwn(NEWS, kind)),
      `names other kinds than ${NEWS_KINDS.join(', ')}`,
    )
    .optional(),
  /** Columns by list, as the user arranged them: `name:320,client`. A list without an entry has its default columns. */
  columns: z
    .record(z.string().max(80), z.string().max(1000))
    .refine((lists) => Object.keys(lists).length <= 300, 'has too many entries')
    .optional(),
  /** Whether toasts stay until they are closed (WCAG 2.2.1). */
  notices_stay: Flag.optional(),
  /** How many seconds what reaches people outside waits, while it can be undone (decisions.md 14). */
  outside_seconds: z.number().int().min(MAIL_WAITS).max(LONGEST_WAIT).optional(),
  /** Whether User Responses opens with every gender, instead of the specification's two (projects-area 2). */
  every_gender: Flag.optional(),
  /** Opens the desk after signing in, in place of all projects. */
  starts_at_desk: Flag.optional(),
  favourites: Favourites.optional(),
  /** Widgets hidden on the Overview; if missing, the ones hidden by default (projects-area 2). */
  hidden_widgets: z.array(z.string().max(40)).max(40).optional(),
})
const Favourite = z.object({
  favourite: z.string(),
  kind: oneOf(PINNED_KINDS),
  id: z.number(),
  name: z.string(),
  detail: z.string(),
  /** Of a saved view: its screen and state; empty for a record. */
  screen: z.string(),
  query: z.string(),
})
const Session = z.object({
  id: z.number(),
  client: z.string(),
  user_agent: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
  current: z.boolean(),
  /** True while an administrator acts as this user. */
  acting: z.boolean(),
})
const Named = z.object({ id: z.number(), name: z.string() })
const ApiKey = z.object({
  id: z.number(),
  name: z.string(),
  created_by: z.number(),
  created_by_name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** The IP address of its last use; empty before the first. */
  last_address: z.string(),
  revoked_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  /** The projects (with their children) or surveys it is limited to. If these and `services` are empty: all of them. */
  projects: z.array(Named),
  surveys: z.array(Named),
  /** The services it may send visits of. */
  services: z.array(Named),
  all_services: z.boolean(),
  /** True if it may also read the surveys it writes to, with their questions. */
  reads: z.boolean(),
  /** What it reaches and until when, in a sentence. */
  reach: z.string(),
})
const organization = { name: z.string(), product: z.string(), support_mail: z.string(), support_team: z.string() }
const Config = z.object({ ...organization, map_style_url: z.string().nullable(), time_zone: z.string(), analytics: z.boolean() })
const Organization = Config.extend({
  lock_version: z.number(),
  public_url: z.string(),
  mail: z.enum(['smtp', 'outbox']),
  /** The mail server's host, without credentials. */
  mail_host: z.string(),
  sender_name: z.string(),
  sender_mail: z.string(),
  reply_to: z.string(),
  mail_footer: z.string(),
  /** The rate limits of one person, as LIMITS sets them. */
  limits: z.array(z.object({ name: z.string(), about: z.string(), value: z.number() })),
  ...recordShape(settingFields),
  /** The visitation settings again as one object; either form can be written. */
  visitation: Visitation,
})
const MAIL_STATUSES = valuesOf('mail', 'status')
const Mail = z.object({
  id: z.number(),
  to_address: z.string(),
  subject: z.string(),
  status: columnWord('mail', 'status'),
  error: z.string(),
  attempts: z.number(),
  about: z.string(),
  not_before: z.string(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  allowed_actions: z.array(z.string()),
  /** Why each of the other actions is refused. */
  refused_actions: z.record(z.string(), z.string()),
})
const MailText = Mail.extend({
  body: z.string(),
  html: z.string(),
  /**
   * Whether the text can show its secret, a link's token or a temporary password, which is written as … until then.
   * none: the mail has no secret. hidden: `outbox.reveal` returns it.
   * withheld: it opens an administrator's account and is never shown. over: it was used or has expired.
   */
  secret: z.enum(['none', 'hidden', 'withheld', 'over']),
})

export const accountCalls = {
  'account.get': call({
    method: 'GET',
    path: '/v3/portal/account',
    about: "Returns the caller's profile and preferences.",
    input: z.object({}),
    output: one(Me),
  }),
  'account.edit': call({
    method: 'PUT',
    path: '/v3/portal/account',
    about: "Changes the caller's profile and preferences; what isn't sent stays.",
    reads: 'account.get',
    undo: true,
    input: z.object({
      ...editShape(accountFields),
      current_password: CurrentPassword,
      preferences: Preferences.optional(),
      lock_version: Lock,
    }),
    output: one(Me).extend({ message: EffectSentence }),
    refreshes: ['session', 'user'],
  }),
  'account.resendEmail': call({
    method: 'POST',
    path: '/v3/portal/account/email/resend',
    about: 'Sends the link that confirms the caller’s new email again; earlier ones no longer work.',
    input: z.object({}),
    output: Effected,
    refreshes: ['outbox', 'history'],
  }),
  'account.cancelEmail': call({
    method: 'DELETE',
    path: '/v3/portal/account/email',
    about: 'Cancels the caller’s new email that isn’t confirmed yet.',
    undo: true,
    input: z.object({}),
    output: Effected,
    refreshes: ['session', 'user', 'outbox', 'history'],
  }),
  'account.favourites': call({
    method: 'GET',
    path: '/v3/portal/account/favourites',
    about: 'Lists the records and views in the caller’s sidebar, in its order, and how many are no longer available.',
    input: z.object({}),
    output: listOf(Favourite).extend({ missing: z.array(z.string()) }),
  }),
  'account.sessions': call({
    method: 'GET',
    path: '/v3/portal/account/sessions',
    about: 'Lists the caller’s signed-in devices, newest first.',
    input: z.object({}),
    output: listOf(Session),
  }),
  'account.endSession': call({
    method: 'DELETE',
    path: '/v3/portal/account/sessions/{id}',
    about: 'Signs one device out.',
    input: z.object({ id: Id }),
    output: Effected,
  }),
  'account.endOtherSessions': call({
    method: 'DELETE',
    path: '/v3/portal/account/sessions',
    about: 'Signs every other device out, pauses the caller’s webhooks and cancels a new email that isn’t confirmed yet.',
    input: z.object({}),
    output: Stopped,
    refreshes: ['session', 'user', 'webhook', 'outbox', 'history'],
  }),
  'key.list': call({
    method: 'GET',
    path: '/v3/portal/api_keys',
    about: 'Lists the API keys of importers; a key itself is never shown again.',
    input: z.object({}),
    output: listOf(ApiKey),
  }),
  'key.create': call({
    method: 'POST',
    path: '/v3/portal/api_keys',
    secret: true,
    about: 'Creates an API key, which is shown only once.',
    undo: true,
    credential: { limits: ['projects', 'surveys', 'services', 'expires_on'] },
    aliases: { project_ids: 'projects', survey_ids: 'surveys', service_ids: 'services', expires_at: 'expires_on' },
    input: z.object({
      ...createShape(keyFields),
      projects: z
        .array(Id)
        .max(200)
        .default([])
        .meta({ description: 'Opens the surveys of these projects and of their children.' }),
      surveys: z
        .array(Id)
        .max(200)
        .default([])
        .meta({ description: 'Opens these surveys. Without projects, surveys and services it opens all.' }),
      services: z.array(Id).max(200).default([]).meta({ description: 'Accepts visits of these services.' }),
      all_services: Flag.default(false).meta({ description: 'Accepts visits of every service.' }),
      expires_on: LastDay.optional().meta({
        description: 'The last day it is valid, or the moment it ends; left out, it never expires.',
        example: '2026-12-31',
      }),
      reads: Flag.default(true).meta({ description: 'May also read the surveys that it writes to, and their questions.' }),
    }),
    output: one(ApiKey.extend({ key: z.string() })).extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'key.revoke': call({
    method: 'DELETE',
    path: '/v3/portal/api_keys',
    about: 'Revokes an API key at once.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['history'],
  }),
  'organization.config': call({
    method: 'GET',
    path: '/v3/portal/config',
    about: "Returns the product's names, the support address, and the workspace's settings.",
    input: z.object({}),
    output: one(Config),
  }),
  'organization.get': call({
    method: 'GET',
    path: '/v3/portal/organization',
    about: 'Returns the organization settings.',
    input: z.object({}),
    output: one(Organization),
  }),
  'organization.edit': call({
    method: 'PUT',
    path: '/v3/portal/organization',
    about: 'Changes the organization settings.',
    wraps: 'organization',
    reads: 'organization.get',
    undo: true,
    input: z.object({
      ...editShape(organizationFields),
      visitation: Visitation.partial().optional(),
      lock_version: Lock,
    }),
    output: one(Organization).extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'organization.testMail': call({
    method: 'POST',
    path: '/v3/portal/organization/test_mail',
    about: 'Sends the caller an email at once and returns whether the mail server accepted it, or what it said.',
    sends: 'email',
    input: z.object({}),
    output: z.object({
      data: z.object({ accepted: z.boolean(), words: z.string(), to: z.string() }),
      message: z.string(),
    }),
    keepsNothing: true,
    limit: 6,
  }),
  'outbox.list': call({
    method: 'GET',
    path: '/v3/portal/outbox',
    about: 'Lists every email, newest first; search covers address, subject and what it is about.',
    input: z.object({
      ...listInput(sortsOf('mail')),
      status: z.enum(['', 'all', ...MAIL_STATUSES]).default(''),
    }),
    output: listOf(Mail),
  }),
  'outbox.get': call({
    method: 'GET',
    path: '/v3/portal/outbox/{id}',
    about: 'Returns one email with its text, without the links and passwords in it.',
    input: z.object({ id: Id }),
    output: one(MailText),
  }),
  'outbox.reveal': call({
    method: 'POST',
    path: '/v3/portal/outbox/{id}/reveal',
    secret: true,
    about:
      "Returns one email with its link or password, to pass on by hand where no email is sent; the history says who looked. Never for an email to an administrator's account.",
    credential: { limits: [] },
    input: z.object({ id: Id }),
    output: one(MailText),
    refreshes: ['history'],
  }),
  'outbox.retry': call({
    method: 'POST',
    path: '/v3/portal/outbox/{id}/retry',
    about: 'Resends a failed, cancelled or unsent email at once.',
    sends: 'email',
    input: z.object({ id: Id }),
    output: one(Mail).extend({ message: EffectSentence }),
  }),
  'outbox.withdraw': call({
    method: 'POST',
    path: '/v3/portal/outbox/{id}/withdraw',
    about: 'Cancels an email that hasn’t been sent yet.',
    undo: true,
    input: z.object({ id: Id }),
    output: one(Mail).extend({ message: EffectSentence }),
  }),
} as const
