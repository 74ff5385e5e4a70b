import { z } from 'zod'
import { Allowed, call, Effected, EffectSentence, Id, LastDay, listOf, one } from './call.ts'
import { tokenFields } from './credentialFields.ts'
import { columnWord, Role } from './enums.ts'
import { createShape } from './fieldInput.ts'
import { listInput, Named } from './listInput.ts'
import { sortsOf, valuesOf } from './lists.ts'

/** A token or importer's key in lists, without its secret. */
const Token = z.object({
  id: z.number(),
  name: z.string(),
  kind: columnWord('token', 'kind'),
  status: columnWord('token', 'status'),
  owner: z.string(),
  owner_id: z.number(),
  /** `noun:read`, `noun:write` or `noun.verb`; `*` stands for every noun. */
  scopes: z.array(z.string()),
  /** The records it is limited to; if all are empty, it isn't limited. */
  clients: z.array(Named),
  projects: z.array(Named),
  surveys: z.array(Named),
  services: z.array(Named),
  all_services: z.boolean(),
  last_used_at: z.string().nullable(),
  last_address: z.string(),
  expires_at: z.string().nullable(),
  /** What it reaches and until when, in a sentence. */
  reach: z.string(),
  created_at: z.string(),
  ...Allowed,
})
const SCOPES = 100
const Ids = (description: string) => z.array(Id).max(200).default([]).meta({ description })

export const tokenCalls = {
  'token.list': call({
    method: 'GET',
    path: '/v3/portal/tokens',
    about: 'Lists your tokens; for administrators everyone’s, and the keys of importers.',
    input: z.object({ ...listInput(sortsOf('token')), status: z.enum(['', 'all', ...valuesOf('token', 'status')]).default('') }),
    output: listOf(Token),
  }),
  'token.current': call({
    method: 'GET',
    path: '/v3/portal/tokens/current',
    about: 'Returns the token that authenticates this call, with its limits, its end and its owner. Every token may call it.',
    input: z.object({}),
    output: one(
      z.object({
        ...Token.pick({ id: true, name: true, kind: true, scopes: true, expires_at: true, reach: true }).shape,
        ...Token.pick({ clients: true, projects: true, surveys: true }).shape,
        user: z.object({ id: z.number(), email: z.string(), role: Role }),
      }),
    ),
  }),
  'token.create': call({
    method: 'POST',
    path: '/v3/portal/tokens',
    about: 'Creates a token and returns it, only once.',
    secret: true,
    undo: true,
    credential: { limits: ['clients', 'projects', 'surveys', 'expires_on', 'scopes'] },
    aliases: { client_ids: 'clients', project_ids: 'projects', survey_ids: 'surveys', expires_at: 'expires_on' },
    input: z.object({
      ...createShape(tokenFields),
      kind: z.enum(['personal', 'service']).default('personal').meta({
        description:
          'personal: ends with your password. service: a program’s, for administrators; it stays when you change yours.',
      }),
      scopes: z.array(z.string().trim().max(60)).min(1, 'Choose what the token opens').max(SCOPES).meta({
        description:
          'noun:read, noun:write (which reads too), noun.verb for one call; * for every noun. Rights have their own: user:role, user:email …',
      }),
      clients: Ids('Opens only what belongs to these clients.'),
      projects: Ids('Opens only these projects and their children.'),
      surveys: Ids('Sends results of these surveys only; for administrators.'),
      expires_on: LastDay.optional().meta({
        description: 'The last day it is valid, or the moment it ends; left out, it never expires.',
        example: '2026-12-31',
      }),
    }),
    output: one(Token.extend({ token: z.string() })).extend({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'token.revoke': call({
    method: 'DELETE',
    path: '/v3/portal/tokens',
    about: 'Revokes a token at once: your own, or as an administrator any.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['history', 'key'],
  }),
} as const
