import { z } from 'zod'
import { accountRequestFields } from './accountFields.ts'
import { call, Effected, EffectSentence, Flag, Id, IdIfAny, Lock, listOf, one, Stopped, wholeNumber } from './call.ts'
import { Role, UserStatus } from './enums.ts'
import { createShape, editShape, fieldSchema, plainSchema } from './fieldInput.ts'
import { field, pick } from './fieldKinds.ts'
import { phoneDigits, showsNothing } from './foldText.ts'
import { listInput, Named } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { MESSAGES } from './messages.ts'
import { PAGE } from './pages.ts'
import { Effect } from './teamEffect.ts'
import { inviteFields, userFields } from './userFields.ts'
import { whenObject } from './whenObject.ts'

/** Role ids in the API: v1 and v3 use different ones (decisions.md 6). */
export const ROLE_IDS = { v1: { admin: 1, client: 2 }, v3: { admin: 2, client: 3 } } as const

function readRole(
  spelling: keyof typeof ROLE_IDS,
  input: string | number,
  context: z.RefinementCtx,
  missing = 'is required',
): 'admin' | 'client' {
  const text = showsNothing(String(input)) ? '' : String(input).trim().toLowerCase()
  const ids = ROLE_IDS[spelling]
  if (text === 'admin' || text === 'administrator' || text === String(ids.admin)) return 'admin'
  if (text === 'client' || text === String(ids.client)) return 'client'
  const message = text ? `is not a role: ${ids.admin} (admin) or ${ids.client} (client)` : missing
  context.addIssue({ code: 'custom', message, params: { code: 'choice' } })
  return z.NEVER
}
/** Parses a role by id or name in one spelling; refuses anything else. */
const roleIn = (spelling: keyof typeof ROLE_IDS, missing = 'is required') =>
  z
    .union([z.string().max(20), z.number()], { error: missing })
    .transform((input, context) => readRole(spelling, input, context, missing))

/** A role filter; empty and `all` mean every role. */
const roleFilter = (spelling: keyof typeof ROLE_IDS) =>
  z
    .union([z.string().max(20), z.number()])
    .optional()
    .transform((input, context) =>
      input === undefined || input === '' || input === 'all' ? undefined : readRole(spelling, input, context),
    )

/** A user in both spellings (people-area 3). */
export const User = z.object({
  id: z.number(),
  first_name: z.string(),
  last_name: z.string(),
  name: z.string(),
  phone: z.string(),
  email: z.string(),
  /** A new email, until it is confirmed from there; `email` stays until then. */
  pending_email: z.string().nullable(),
  /** An administrator’s new email that a second administrator has to approve first. */
  pending_email_needs_approval: z.boolean(),
  role: Role,
  role_id: z.number(),
  /** invited: has not set a password yet. */
  status: UserStatus,
  /** Their first client; without one, the company they typed. */
  company_id: z.number().nullable(),
  company_name: z.string(),
  /** The company they typed. */
  company: z.string(),
  clients: z.array(Named),
  /** The teams they are on. */
  teams: z.array(Named),
  birth_date: z.string().nullable(),
  age: z.number().nullable(),
  last_seen_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
})

/** Proves that an administrator changes their own email; without it a second administrator has to approve. */
export const CurrentPassword = z.string().max(256).optional()
/** First and last name with a blank between them; its handler judges the parts. */
const fullName = field.name('Name', { max: userFields.first_name.max + 1 + userFields.last_name.max })
const company = plainSchema(accountRequestFields.company)
const edited = (spelling: keyof typeof ROLE_IDS) =>
  z.object({
    id: Id,
    /** The full name, split at its last blank. */
    name: plainSchema(fullName).optional(),
    ...editShape(userFields),
    /** The handler judges another number than the stored one, which may be no ten digits. */
    phone: z
      .union([z.string().max(40), z.number()], 'must be text')
      // Without digits it stays what it was, and is refused as a number rather than as a blank.
      .transform((input) => phoneDigits(String(input)) || String(input).trim())
      .optional(),
    current_password: CurrentPassword,
    role: roleIn(spelling).optional(),
    role_id: roleIn(spelling).optional(),
    /** The `left_at` returned by a change of role or client; restores the memberships that it ended. */
    rejoin: z.string().max(40).optional(),
    lock_version: Lock,
  })
const columns = sortsOf('user')
const invited = {
  ...createShape(pick(inviteFields, 'email', 'first_name', 'last_name')),
  client_id: IdIfAny,
  /** Teams of the client to join at once. */
  team_ids: fieldSchema(inviteFields.team_ids).optional(),
  /** Creates the account without a mail and shows the link once. */
  skip_invitation: Flag.default(false),
  /** Seconds before the mail is sent; deleting the user in that time cancels it. */
  delay_seconds: wholeNumber(z.number().int().min(0).max(30).default(0)),
}
type InvitedAs = { role_id?: unknown; client_id?: unknown }
/** An administrator’s invitation has no client, a client user’s has one, in v1 where it is sent (decisions.md 6). */
const invitation = <S extends z.ZodRawShape>(shape: S, spelling: keyof typeof ROLE_IDS) =>
  z
    .object(shape)
    .refine(({ role_id, client_id }: InvitedAs) => role_id !== 'admin' || !client_id, {
      path: ['client_id'],
      message: 'An administrator invitation can’t have a client.',
      when: whenObject,
    })
    .refine(({ role_id, client_id }: InvitedAs) => spelling === 'v1' || role_id !== 'client' || client_id, {
      path: ['client_id'],
      message: MESSAGES.inviteClient,
      when: whenObject,
    })
/** Older programs send more with an invitation. */
const INVITATION = { limits: ['role_id', 'client_id', 'team_ids'], extras: true } as const
const INVITED_AS = { role: 'role_id', company_id: 'client_id' } as const
const Invited = one(User).extend({ message: EffectSentence, link: z.string().optional() })
const ByRole = (spelling: keyof typeof ROLE_IDS) =>
  z.object({ ...listInput(columns), role: roleFilter(spelling), status: z.enum(['', 'invited', 'active']).default('') })
/** The inputs that have roles, by their ids in one spelling. */
export const userInputs = (spelling: keyof typeof ROLE_IDS) => ({
  list: ByRole(spelling),
  edit: edited(spelling),
  invite: invitation({ ...invited, role_id: roleIn(spelling, MESSAGES.inviteRole) }, spelling),
})
const inputs = userInputs('v3')
const Written = one(User).extend({ message: EffectSentence })
/** The clients the user leaves, each with the teams they leave too. */
const Left = z.array(Named.extend({ teams: z.array(Named) }))
const Edited = Written.extend({ left_at: z.string().optional(), left: Left.optional() })

export const userCalls = {
  'user.list': call({
    method: 'GET',
    path: '/v3/portal/users',
    about: 'Lists users by role, client and search over name, email and company, 10 a page.',
    input: inputs.list.extend({ client_id: Id.optional() }),
    output: listOf(User),
  }),
  'user.dropdown': call({
    method: 'GET',
    path: '/v3/portal/users/all/dropdown',
    about: 'Lists every user by name.',
    input: z.object({ role: roleFilter('v3') }),
    output: listOf(Named.extend({ email: z.string() })),
  }),
  'user.listOfClient': call({
    method: 'GET',
    path: '/v3/portal/users/client/{client_id}',
    about: 'Lists the users of a client, 100 a page.',
    input: z.object({ client_id: Id, ...listInput(columns, PAGE.clientUsers) }),
    output: listOf(User),
  }),
  'user.get': call({
    method: 'GET',
    path: '/v3/portal/users/{id}',
    about: 'Returns one user.',
    input: z.object({ id: Id }),
    output: one(User),
  }),
  'user.edit': call({
    method: 'PUT',
    path: '/v3/portal/users',
    about: 'Changes a user: only the fields that are sent.',
    wraps: 'user',
    reads: 'user.get',
    undo: true,
    input: inputs.edit,
    output: Edited,
    refreshes: ['client', 'team', 'history'],
  }),
  'user.approveEmail': call({
    method: 'POST',
    path: '/v3/portal/users/{id}/email/approve',
    about: 'Approves an administrator’s new email as a second administrator; its link is sent then.',
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['outbox', 'history'],
  }),
  'user.resendEmail': call({
    method: 'POST',
    path: '/v3/portal/users/{id}/email/resend',
    about: 'Sends the link that confirms a user’s new email again; earlier ones no longer work.',
    sends: 'email',
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['outbox', 'history'],
  }),
  'user.cancelEmail': call({
    method: 'DELETE',
    path: '/v3/portal/users/{id}/email',
    about: 'Cancels a user’s new email that isn’t confirmed yet.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['outbox', 'history'],
  }),
  'user.setTeams': call({
    method: 'POST',
    path: '/v3/portal/users/teams',
    about: 'Adds a client user to teams and removes them from others, in one write. Returns what each person can see afterwards.',
    undo: true,
    input: z.object({ user_id: Id, join_ids: z.array(Id).max(500).default([]), leave_ids: z.array(Id).max(500).default([]) }),
    output: Effected.extend({
      data: z.object({ user_id: z.number(), joined: z.array(Named), left: z.array(Named), clients: z.array(Named) }),
      effect: Effect,
    }),
    refreshes: ['client', 'team', 'project', 'palette', 'history'],
  }),
  'user.remove': call({
    method: 'DELETE',
    path: '/v3/portal/users',
    about: 'Deletes a user softly; never oneself, never the last administrator.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['client', 'team', 'history'],
  }),
  'user.invite': call({
    method: 'POST',
    path: '/v3/portal/auth/invitation',
    about: 'Invites by email: email, role_id (2 admin, 3 client), client_id for a client user.',
    wraps: 'user',
    undo: true,
    sends: 'email',
    credential: INVITATION,
    aliases: INVITED_AS,
    input: inputs.invite,
    output: Invited,
    secret: true,
    refreshes: ['client', 'outbox', 'history'],
  }),
  'user.inviteMany': call({
    method: 'POST',
    path: '/v3/portal/users/invite',
    about: 'Invites several people by email to one role, client and teams; returns the outcome of each address.',
    undo: true,
    sends: 'email',
    credential: INVITATION,
    aliases: INVITED_AS,
    input: invitation(
      {
        people: z
          .array(z.object({ email: invited.email, first_name: invited.first_name, last_name: invited.last_name }))
          .min(1, MESSAGES.inviteEmailBlank)
          .max(100, 'needs at most 100 addresses'),
        role_id: roleIn('v3', MESSAGES.inviteRole),
        client_id: invited.client_id,
        team_ids: invited.team_ids,
        delay_seconds: invited.delay_seconds,
      },
      'v3',
    ),
    output: z.object({
      data: z.array(z.object({ email: z.string(), user_id: z.number().nullable(), invited: z.boolean(), said: z.string() })),
      message: EffectSentence,
    }),
    refreshes: ['client', 'team', 'outbox', 'history'],
  }),
  'user.resendActivation': call({
    method: 'POST',
    path: '/v3/portal/users/resend_activation',
    about: 'Emails the invitation again with a new link.',
    sends: 'email',
    input: z.object(createShape(pick(inviteFields, 'email'))),
    output: Effected,
    refreshes: ['outbox', 'history'],
  }),
  'user.resetPassword': call({
    method: 'POST',
    path: '/v3/portal/users/{id}/resetpassword',
    about:
      'Emails a temporary password made by the server (a password in the body is ignored); it lasts 72 hours and must be changed at the next sign-in.',
    sends: 'email',
    input: z.object({ id: Id }),
    output: Stopped.extend({ message: EffectSentence }),
    refreshes: ['outbox', 'webhook', 'token', 'history'],
  }),
  'user.setCompany': call({
    method: 'POST',
    path: '/v1/users/company',
    about: "Sets the signed-in user's company.",
    wraps: 'user',
    reads: 'session.meFull',
    undo: true,
    input: z.object({ company: company.optional(), company_name: company.optional() }),
    output: Written,
    refreshes: ['account'],
  }),
} as const
