import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { changesRights, RIGHT_IDS, RIGHTS, type Right, type RightId, rightsOfFields, rightTo } from '../../contract/rights.ts'
import { refusedToTokens } from '../../contract/tokenScope.ts'
import { namesOf } from '../../server/core/input.ts'
import { RIGHT_OF, withRights } from '../../server/core/rightsWatch.ts'
import { insertMany, type Tx } from '../../server/db/connect.ts'
import { verbFor } from '../../verbs/verbs.ts'
import { type Maker, quoted, sendExample, WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork, type Person, withoutDeliveries } from './support.ts'
import { type Row, tablesOf } from './tables.ts'
import { WHOLE_TABLE, wrongIn } from './wrong.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork({ LIMITS: 'token_minute=100000,keys=100000' })
  withoutDeliveries(app)
})

const rowOf = (id: CallId) => calls[id] as Call
let serial = 0
const fresh = (word: string) => `${word}${++serial}@rights.test`
const user = () => app.make.user({ clients: [app.client.id] })
const project = (given: object = {}) => app.make.project({ client_id: app.client.id, ...given })
const admin = () => app.as('admin')
const other = () => app.make.client()

/** A token of the administrator. */
async function tokenOf(scopes: readonly string[], owner: Person = admin()): Promise<Person> {
  const { body, text } = await owner.call('token.create', { name: 'Program', scopes: [...scopes] })
  expect(body.data?.token, text).toBeDefined()
  return app.person({ authorization: `Bearer ${body.data.token}` })
}

type Make = () => Promise<Record<string, unknown>>
/** TABLE  an input for each field that needs a right: it changes what the field says. */
const FIELD_INPUTS: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  'user.edit': {
    role: async () => ({ id: (await user()).id, role: 'admin' }),
    role_id: async () => ({ id: (await app.make.user({ role: 'admin' })).id, role_id: 3 }),
    email: async () => ({ id: (await user()).id, email: fresh('new') }),
    company_id: async () => ({ id: (await user()).id, company_id: (await other()).id }),
    rejoin: () => rejoining(),
  },
  'user.editOlder': {
    role: async () => ({ id: (await user()).id, role: 'admin' }),
    role_id: async () => ({ id: (await user()).id, role_id: 1 }),
    email: async () => ({ id: (await user()).id, email: fresh('new') }),
    company_id: async () => ({ id: (await user()).id, company_id: '' }),
    rejoin: () => rejoining(),
  },
  'user.inviteMany': { role_id: async () => ({ people: [{ email: fresh('root') }], role_id: 'admin' }) },
  'team.create': {
    user_ids: async () => ({ client_id: app.client.id, name: fresh('Team'), user_ids: [(await user()).id] }),
    project_ids: async () => ({ client_id: app.client.id, name: fresh('Team'), project_ids: [(await project()).id] }),
  },
  'team.createOlder': {
    user_ids: async () => ({ company_id: app.client.id, name: fresh('Team'), user_ids: [(await user()).id] }),
    project_ids: async () => ({ company_id: app.client.id, name: fresh('Team'), project_ids: [(await project()).id] }),
  },
  'project.edit': {
    client_id: async () => ({ id: (await project()).id, client_id: (await other()).id }),
    parent_id: async () => ({ id: (await project()).id, parent_id: (await project()).id }),
  },
  'campaign.edit': { client_id: () => movedCampaign(), parent_id: () => adoptedCampaign() },
  'campaign.editProject': { client_id: () => movedCampaign(), parent_id: () => adoptedCampaign() },
  'service.create': {
    user_ids: async () => ({
      ...{ brand_id: (await app.make.brand()).id, category: 1, service_name: fresh('Service'), start_date: app.make.today() },
      user_ids: [app.member.id],
    }),
  },
  'partner.edit': { email: async () => ({ id: (await app.make.partner()).id, email: fresh('partner') }) },
}
const movedCampaign = async () => ({ id: (await project({ generation: 'campaign' })).id, client_id: (await other()).id })
const adoptedCampaign = async () => ({
  id: (await project({ generation: 'campaign' })).id,
  parent_id: (await project({ generation: 'campaign' })).id,
})
/** A former administrator who gets their client back. */
async function rejoining() {
  const { id } = await user()
  const { left_at } = (await admin().call('user.edit', { id, role: 'admin' })).body
  return { id, role: 'client', rejoin: left_at }
}

/** What reached people outside. */
type Sent = 'email' | 'payout' | 'notification'
interface Effect {
  rights: Set<RightId | 'never'>
  sent: Set<Sent>
}
const keyOf = (row: Row) => ('id' in row ? String(row.id) : JSON.stringify(row))

/** What a work did, from the rows of all tables before and after it. */
async function effectOf(work: () => Promise<unknown>): Promise<Effect> {
  const before = await tablesOf(app, /^$/)
  await work()
  const after = await tablesOf(app, /^$/)
  const effect: Effect = { rights: new Set(), sent: new Set() }
  const right = (name: string, row?: Row) => {
    if (name === 'users+' && row?.role === 'admin') effect.rights.add('user:role')
    if (Object.hasOwn(RIGHT_OF, name)) effect.rights.add(RIGHT_OF[name as keyof typeof RIGHT_OF])
  }
  for (const [table, rows] of after) {
    if (before.get(table) === rows) continue
    const was = new Map((before.get(table) ?? []).map((row) => [keyOf(row), row]))
    for (const row of rows) {
      const earlier = was.get(keyOf(row))
      was.delete(keyOf(row))
      const columns = Object.keys(row).filter((column) => JSON.stringify(row[column]) !== JSON.stringify(earlier?.[column]))
      if (!earlier) right(`${table}+`, row)
      else for (const column of columns) for (const name of [`${table}.${column}`, `${table}.`]) right(name)
      if (table === 'mails' && row.status !== 'withdrawn' && (!earlier || columns.includes('not_before')))
        effect.sent.add('email')
      if (table === 'jobs' && !earlier && row.kind === 'payout') effect.sent.add('payout')
      if (table === 'jobs' && !earlier && row.kind === 'notification') effect.sent.add('notification')
    }
    for (const _ of was) right(`${table}-`)
  }
  return effect
}

/** The rights that an input needs, by the table. */
const declared = (id: CallId, input: Readonly<Record<string, unknown>>): Set<string> =>
  new Set([
    ...[rightTo(id) ?? []].flat(),
    ...Object.entries(rightsOfFields(id)).flatMap(([field, right]) => (input[field] === undefined ? [] : [right])),
  ])

/** Rights without what follows from another one: a role's change ends memberships, an invitation makes them. */
const withoutFollowing = (rights: ReadonlySet<string>): string[] =>
  [...rights].filter(
    (right) => right !== 'user:access' || !['user:role', 'user:invite', 'user:remove'].some((first) => rights.has(first)),
  )

/** TABLE  writes whose usual example doesn't do what their right is about. */
const TELLING: Partial<Record<CallId, () => Promise<Record<string, unknown>>>> = {
  'partner.merge': async () => {
    const [from, into] = [await app.make.partner(), await app.make.partner()]
    await app.make.proffer({ project_id: (await project()).id, partner_id: from.id })
    return { id: from.id, into_id: into.id }
  },
}
const example = async (id: CallId) => {
  const input = await TELLING[id]?.()
  return input ? { input, as: admin() } : (WRITE_EXAMPLES[id] as Maker)(app)
}
const FIELDS = Object.entries(FIELD_INPUTS).flatMap(([id, fields]) =>
  Object.entries(fields).map(([field, make]) => [id as CallId, field, make] as const),
)
/** Writes that a token with the right scope makes, for the administrator or the client user of the examples. */
const OPEN = WRITES.filter((id) => refusedToTokens(id, rowOf(id)) === null && ruleOf(id).who !== 'public')

describe('what was seen of each write', () => {
  test('is what the table of rights and `sends` say: no call is forgotten', { timeout: WHOLE_TABLE }, async () => {
    const wrong = await wrongIn(WRITES, async (id) => {
      const made = await example(id)
      const { rights, sent } = await effectOf(async () => {
        const answer = await sendExample(id, made)
        expect(answer.status, answer.text).toBe(200)
      })
      const { sends, sendsIf } = rowOf(id)
      // What no token opens needs no scope and no confirmation.
      if (!OPEN.includes(id)) return
      if (sent.size) expect(sends, `sends: it did send ${[...sent]}`).toBe([...sent][0])
      if (sendsIf) expect([...sent]).toEqual([])
      const needed = declared(id, made.input)
      for (const right of withoutFollowing(rights)) expect([...needed], 'contract/rights.ts').toContain(right)
      const whole = rightTo(id)
      // Tests and replays of webhooks send what is queued by the server itself.
      if (whole && !isPersons(whole)) expect([...rights], 'contract/rights.ts').toContain(whole)
    })
    expect(wrong, wrong.join('\n')).toEqual([])
  })

  test('is what the table says of each field that needs a right', { timeout: WHOLE_TABLE }, async () => {
    const inTable = (Object.keys(calls) as CallId[]).flatMap((id) =>
      Object.keys(rightsOfFields(id)).map((field) => `${id} ${field}`),
    )
    expect(FIELDS.map(([id, field]) => `${id} ${field}`).sort()).toEqual(inTable.sort())
    const wrong = await wrongIn(FIELDS, async ([id, field, make]) => {
      const input = await make()
      const { rights } = await effectOf(async () => {
        const answer = await admin().call(id, input)
        expect(answer.status, answer.text).toBe(200)
      })
      expect([...rights]).toContain(rightsOfFields(id)[field])
      for (const right of withoutFollowing(rights)) expect([...declared(id, input)]).toContain(right)
    })
    expect(wrong, wrong.join('\n')).toEqual([])
  })

  test('sends on a decision that an edit makes', async () => {
    const decided = await quoted(app)
    const second = await app.signIn(await app.make.user({ role: 'admin' }))
    const { sent } = await effectOf(async () => {
      const answer = await second.call('project.edit', { id: decided, status: 'QuoteApproved', reason: 'By phone' })
      expect(answer.status, answer.text).toBe(200)
    })
    expect([...sent]).toEqual(['email'])
  })
})

const isPersons = (right: RightId): boolean => (RIGHTS[right] as Right).persons === true

describe('a token', () => {
  test('with every write scope does what it did, but changes no rights', { timeout: WHOLE_TABLE }, async () => {
    const everything = { admin: await tokenOf(['*:write']), client: await tokenOf(['*:write'], app.as('client')) }
    const wrong = await wrongIn(OPEN, async (id) => {
      const made = await example(id)
      const who = made.as === admin() ? 'admin' : made.as === app.as('client') ? 'client' : null
      // A token undoes its own writes alone (program-tokens.test.ts).
      if (!who || id.startsWith('undo.')) return
      const right = rightTo(id)
      const noun = id.split('.')[0]!
      const program =
        who === 'client'
          ? everything.client
          : right
            ? await tokenOf(['*:write', ...(isPersons(right) ? [] : [`${noun}:write`])])
            : everything.admin
      let answer = await sendExample(id, { ...made, as: program })
      if (!right) return expect(answer.status, answer.text).toBe(200)
      expect([answer.status, answer.body.code, (answer.body as unknown as { scope: string }).scope]).toEqual([
        403,
        'scope',
        right,
      ])
      // What such a right opens is the token's own (program-tokens.test.ts).
      if (isPersons(right)) return
      // The right's own scope, or the call's, suffices.
      answer = await sendExample(id, { ...made, as: await tokenOf([serial++ % 2 ? right : id]) })
      expect(answer.status, answer.text).toBe(200)
    })
    expect(wrong, wrong.join('\n')).toEqual([])
  })

  test('changes no field that needs a right, tried or done, in whatever spelling, until it has the right', {
    timeout: WHOLE_TABLE,
  }, async () => {
    const program = await tokenOf(['*:write', 'user:invite', 'user:write', 'team:write', 'project:write'])
    const wrong = await wrongIn(FIELDS, async ([id, field, make]) => {
      const right = rightsOfFields(id)[field]!
      const input = await make()
      for (const dry of [{ dry: 1 }, {}, rowOf(id).wraps ? { wrapped: true } : {}]) {
        const sent =
          'wrapped' in dry ? { [rowOf(id).wraps!]: input, ...(input.id ? { id: input.id } : {}) } : { ...input, ...dry }
        const { rights } = await effectOf(async () => {
          const answer = await program.call(id, sent)
          expect([answer.status, answer.body.code], answer.text).toEqual([403, 'scope'])
        })
        expect([...rights]).toEqual([])
      }
      const holder = await tokenOf([
        '*:write',
        right,
        ...(field === 'rejoin' ? ['user:role'] : []),
        ...(id === 'user.inviteMany' ? ['user:invite'] : []),
      ])
      const answer = await holder.call(id, input)
      expect(answer.status, answer.text).toBe(200)
    })
    expect(wrong, wrong.join('\n')).toEqual([])
  })

  test('may send rights back as they are', async () => {
    const program = await tokenOf(['user:write'])
    const { id } = await user()
    const record = (await admin().call('user.get', { id })).body.data
    const answer = await program.call('user.edit', { ...record, phone: '6175550199' })
    expect([answer.status, answer.body.data?.phone], answer.text).toEqual([200, '6175550199'])
  })

  test('has each right only by its name', async () => {
    const wild = await admin().call('token.create', { name: 'Wild', scopes: ['user:*'] })
    expect(wild.body.fields.scopes).toBe('scopes: there is no scope “user:*”')
    const all = await tokenOf(RIGHT_IDS)
    expect((await all.call('token.current')).body.data.scopes).toEqual(RIGHT_IDS)
    // A right isn't a scope for anything else of its noun.
    expect((await all.call('user.list')).status).toBe(403)
    expect((await all.call('user.edit', { id: (await user()).id, phone: '6175550100' })).status).toBe(403)
  })
})

/** TABLE  fields that name people or what they belong to without changing the rights of anybody there is. */
const NO_RIGHT: Readonly<Record<string, string>> = {
  'client.editLocationGroup client_id': 'names whose list of places is renamed',
  'team.create client_id': 'whose a new team is, which nobody is on yet',
  'team.createOlder company_id': 'whose a new team is, which nobody is on yet',
  'team.edit client_id': 'a team stays with its client',
  'team.edit company_id': 'a team stays with its client',
  'team.editOlder client_id': 'a team stays with its client',
  'team.editOlder company_id': 'a team stays with its client',
  'partner.create email': 'a new partner has no links yet',
  'partner.createOlder email': 'a new partner has no links yet',
  'project.create client_id': 'whose a new project is',
  'project.create parent_id': 'whose a new project is',
  'request.create client_id': 'whose a new project is',
  'request.create parent_id': 'whose a new project is',
  'campaign.create client_id': 'whose a new project is',
  'campaign.create parent_id': 'whose a new project is',
  'campaign.create user_id': 'who asks for a new project',
  'report.createTemplate client_id': 'whose a template of columns is',
  'group.create client_id': 'whose a list of places is, which only administrators see',
  'group.edit client_id': 'whose a list of places is, which only administrators see',
  'group.copy client_id': 'whose a list of places is, which only administrators see',
  'import.process client_id': 'whose a list of places is, which only administrators see',
  'content.import email': 'who took part',
  'award.create emails': 'who took part',
  'filter.save user_id': 'whose a filter is: the caller’s own',
  'project.setOwner owner_id': 'who looks after a project, which opens nothing',
  'desk.handOver owner_id': 'who looks after a line of the desk, which opens nothing',
  'user.edit company': 'a text',
  'user.editOlder company': 'a text',
}
test('every field that names people or what they belong to needs a right, or says why not', () => {
  const NAMES = /^(role|role_id|email|emails|company|company_id|client_ids?|team_ids?|user_ids?|parent_id|owner_id|requested_by)$/
  const undecided = OPEN.filter((id) => rightTo(id) === null).flatMap((id) =>
    namesOf(rowOf(id).input)
      .filter((name) => NAMES.test(name) && !Object.hasOwn(rightsOfFields(id), name))
      .map((name) => `${id} ${name}`),
  )
  expect(undecided.filter((one) => !Object.hasOwn(NO_RIGHT, one))).toEqual([])
  expect(Object.keys(NO_RIGHT).filter((one) => !undecided.includes(one))).toEqual([])
})

test('a copy of a project is seen by those who saw it, without a right', async () => {
  const { id } = await project()
  await app.make.team({ client_id: app.client.id, projects: [id] })
  const program = await tokenOf(['project:write'])
  expect((await program.call('project.clone', { id })).status).toBe(200)
  const removed = await program.call('project.removeTeam', { project_id: id })
  expect([removed.status, removed.body.code]).toEqual([403, 'scope'])
})

test('statements that no query builder made are watched too', async () => {
  const { id: team_id } = await app.make.team({ client_id: app.client.id })
  const token = (scopes: string[]) => ({ id: 1, name: 'Program', scopes, limit: null })
  const rows = [{ team_id, user_id: app.member.id, added_by: null, added_at: null }]
  const works = (scopes: string[]): ((tx: Tx) => Promise<unknown>)[] => [
    (tx) => insertMany(withRights(tx, 'team.edit', token(scopes)), 'team_users', rows, 'skip'),
    (tx) => sql`update users set role = 'admin' where id = 0`.execute(withRights(tx, 'team.edit', token(scopes))),
    (tx) => sql`delete from user_clients where user_id = 0`.execute(withRights(tx, 'team.edit', token(scopes))),
    (tx) => sql`insert into "api_keys" (id) select id from api_keys where id = 0`.execute(withRights(tx, 'x', token(scopes))),
  ]
  for (const work of works(['*:write', 'user:write', 'team:write']))
    await expect(app.write(work)).rejects.toMatchObject({ status: 403 })
  for (const work of works([...RIGHT_IDS]).slice(0, 1)) await app.write(work)
  // What no right opens stays closed.
  await expect(app.write(works([...RIGHT_IDS])[3]!)).rejects.toMatchObject({ status: 403 })
})

test('a client user’s token has no rights, which it would get with another role', async () => {
  const made = await app.as('client').call('token.create', { name: 'Mine', scopes: ['*:write', 'user:role'] })
  expect([made.status, made.body.fields.scopes]).toEqual([422, 'scopes: only an administrator’s token has the right user:role'])
})

/** TABLE  columns of accounts that say nothing about what somebody may do. */
const PLAIN =
  /^(id|first_name|last_name|phone|company|birth_date|preferences|created_at|updated_at|lock_version|pending_email_\w+|\w+_expires_at)$/
test('every column of an account is a right, or known not to be one', async () => {
  const [row] = await app.db.selectFrom('users').selectAll().limit(1).execute()
  const undecided = Object.keys(row!).filter((column) => !PLAIN.test(column) && !Object.hasOwn(RIGHT_OF, `users.${column}`))
  expect(undecided).toEqual([])
})

test('an assistant confirms whatever changes rights or reaches people outside', () => {
  const asks = (id: CallId, input: Record<string, unknown>) => verbFor(id).final || verbFor(id).lasting(input) !== null
  expect(FIELDS.filter(([id, field]) => !asks(id, { [field]: null })).map(([id]) => id)).toEqual([])
  expect(WRITES.filter((id) => (rightTo(id) || (rowOf(id).sends && !rowOf(id).sendsIf)) && !asks(id, {}))).toEqual([])
  expect(asks('project.edit', { status: 'Approved' })).toBe(true)
  expect([asks('project.edit', { name: 'A' }), asks('note.create', {}), changesRights('user.edit', { phone: '1' })]).toEqual([
    false,
    false,
    false,
  ])
})
