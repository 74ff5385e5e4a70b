import { z } from 'zod'
import { accountRequestFields, forgotFields, personFields } from './accountFields.ts'
import { call, Effected, EffectSentence, Flag, Id, needed, one, Stopped } from './call.ts'
import { createShape } from './fieldInput.ts'
import { MESSAGES, PASSWORD_RULE, strongPassword } from './messages.ts'
import { User } from './user.ts'
import { whenObject } from './whenObject.ts'

/** The signed-in user, with what the workspace needs to start. */
export const Me = User.extend({
  preferences: z.record(z.string(), z.unknown()),
  /** The temporary password must be changed before anything else. */
  must_change_password: z.boolean(),
  /** The admin acting as this client user, with the reason and the end; null otherwise. */
  acting: z.object({ admin_id: z.number(), admin_name: z.string(), reason: z.string(), expires_at: z.string() }).nullable(),
})

/** A password and its confirmation; the specification has no messages for the reset form. */
const passwords = {
  password: z
    .string({ error: MESSAGES.passwordBlank })
    .min(1, MESSAGES.passwordBlank)
    .refine((text) => text === '' || strongPassword(text), PASSWORD_RULE),
  password_confirmation: z.string({ error: MESSAGES.passwordMatch }).max(256),
}
const alike = (input: { password: string; password_confirmation: string }) => input.password === input.password_confirmation
const mismatch = { message: MESSAGES.passwordMatch, path: ['password_confirmation'], when: whenObject }
const NewPassword = z
  .object({
    ...passwords,
    /** The token of the reset mail; without one, signed-in users change their own password. */
    reset_password_token: z.string().trim().max(200).optional(),
    current_password: z.string().max(256).optional(),
  })
  .refine(alike, mismatch)
const Token = z
  .string({ error: 'The invitation is missing' })
  .trim()
  .length(64, 'This invitation is not complete: please open the link in the email again.')
const Reason = z.string({ error: MESSAGES.actAsReason }).trim().min(3, MESSAGES.actAsReason).max(500)
const ActAs = {
  input: z.object({ id: Id, reason: Reason }),
  output: one(Me).extend({ message: EffectSentence }),
} as const
const about = "Sets a new password by the token of a reset email, or by one's current password; ends the other sessions."

export const sessionCalls = {
  'session.signIn': call({
    method: 'POST',
    path: '/v3/portal/auth/sign_in',
    limit: 30,
    about: 'Signs in with email and password: returns the token headers, and the workspace also gets its cookie.',
    input: z.object({
      email: needed(MESSAGES.loginName, 254),
      password: z.string({ error: MESSAGES.loginPassword }).min(1, MESSAGES.loginPassword).max(256),
      remember_cookie: Flag.optional(),
    }),
    output: one(Me),
    refreshes: ['account'],
  }),
  'session.signOut': call({
    method: 'DELETE',
    path: '/v3/portal/auth/sign_out',
    bodiless: true,
    about: "Ends this session's token, whatever the body is. Without a session it returns 401.",
    input: z.object({}),
    output: z.object({ success: z.boolean(), message: EffectSentence }),
    refreshes: ['account'],
  }),
  'session.validate': call({
    method: 'GET',
    path: '/v3/portal/auth/validate_token',
    about: 'Returns the signed-in user, or 401.',
    input: z.object({}),
    output: one(Me).extend({ success: z.boolean() }),
  }),
  'session.meFull': call({
    method: 'GET',
    path: '/v1/users/me_full',
    about: 'Returns the signed-in user in full.',
    input: z.object({}),
    output: one(Me),
  }),
  'session.forgot': call({
    method: 'POST',
    path: '/v3/portal/auth/password',
    limit: 10,
    about: 'Emails a link to set a new password; the response is the same whether or not the account exists.',
    sends: 'email',
    input: z.object({
      ...createShape(forgotFields),
      redirect_url: z.string().trim().max(500).optional(),
    }),
    output: z.object({ success: z.boolean(), message: EffectSentence }),
    refreshes: ['outbox'],
  }),
  'session.setPassword': call({
    method: 'PUT',
    path: '/v3/portal/auth/password',
    limit: 10,
    about,
    input: NewPassword,
    output: Stopped,
    refreshes: ['account', 'webhook', 'token'],
  }),
  'session.invitation': call({
    method: 'GET',
    path: '/v3/portal/auth/invitation',
    limit: 30,
    about: 'Returns the invited person’s name, for the greeting on the registration page.',
    input: z.object({ invitation_token: Token }),
    output: one(z.object({ email: z.string(), first_name: z.string(), last_name: z.string(), phone: z.string() })),
  }),
  'session.register': call({
    method: 'PUT',
    path: '/v3/portal/auth/invitation',
    limit: 10,
    about: 'Accepts an invitation: name, phone, password and the 64-character token of its link.',
    wraps: 'user',
    input: z
      .object({
        ...passwords,
        ...createShape(personFields),
        invitation_token: Token,
      })
      .refine(alike, mismatch),
    output: Effected,
    refreshes: ['user', 'client'],
  }),
  'session.confirmEmail': call({
    method: 'POST',
    path: '/v3/portal/auth/confirm_email',
    limit: 10,
    about: 'Makes a new email the account’s by the token of the letter sent to it. The link works signed out, once.',
    input: z.object({
      token: z.string({ error: 'The link is not complete' }).trim().min(1, 'The link is not complete').max(200),
    }),
    output: Effected,
    refreshes: ['user', 'account'],
  }),
  'session.requestAccount': call({
    method: 'PUT',
    path: '/v3/portal/users/request_account',
    limit: 5,
    about: 'Asks for an account; the support address gets an email.',
    wraps: 'user',
    sends: 'email',
    input: z.object(createShape(accountRequestFields)),
    output: Effected,
    refreshes: ['outbox'],
  }),
  'session.actAs': call({
    method: 'POST',
    path: '/v3/portal/switch_user/{id}',
    credential: { limits: [] },
    ...ActAs,
    about: 'Acts as a client user for 30 minutes, with a reason; returns the new token headers.',
    refreshes: ['account', 'history'],
  }),
  'session.switchBack': call({
    method: 'POST',
    path: '/v3/portal/switch_back',
    about: 'Stops acting as a client user; the session is the administrator’s again.',
    input: z.object({}),
    output: Effected,
    refreshes: ['account', 'history'],
  }),
} as const
