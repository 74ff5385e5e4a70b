import { beforeAll, describe, expect, test } from 'vitest'
import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { aliasesOf } from '../../contract/filterNames.ts'
import { RIGHT_IDS } from '../../contract/rights.ts'
import { refusedToTokens } from '../../contract/tokenScope.ts'
import { type Maker, sendExample, WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { everything } from './kept.ts'
import { type Answer, type Fieldwork, fieldwork, type Person, withoutDeliveries } from './support.ts'
import { fresh, person } from './surveyed.ts'
import { WHOLE_TABLE, wrongIn } from './wrong.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork({ LIMITS: 'token_minute=100000,keys=100000' })
  withoutDeliveries(app)
})
const rowOf = (id: CallId) => calls[id] as Call
const admin = () => app.as('admin')
const example = (id: CallId) => (WRITE_EXAMPLES[id] as Maker)(app)
const ignoredOf = ({ body }: Answer) => (body as unknown as { ignored?: string[] }).ignored
const CREDENTIALS = WRITES.filter((id) => rowOf(id).credential)

async function tokenOf(owner: Person = admin()): Promise<Person> {
  const { body } = await owner.call('token.create', {
    name: 'Program',
    scopes: ['*:write', ...(owner === admin() ? RIGHT_IDS : [])],
  })
  return app.person({ authorization: `Bearer ${body.data.token}` })
}

/** Everything stored but when tokens were used. */
async function stored() {
  const { api_keys: _, tries: __, ...rest } = await everything(app)
  return rest
}
const keys = async () => (await app.db.selectFrom('api_keys').select('id').execute()).length

describe('a credential', () => {
  test('is every call that shows a secret once or makes a link', () => {
    const secret = WRITES.filter((id) => rowOf(id).secret)
    expect(secret.filter((id) => !rowOf(id).credential)).toEqual([])
    expect(
      WRITES.filter((id) => /\.link$|^session\.actAs/.test(id) && ruleOf(id).who !== 'partner' && !rowOf(id).credential),
    ).toEqual([])
    for (const id of CREDENTIALS) {
      const names = Object.keys((rowOf(id).input as unknown as { shape: object }).shape)
      expect(
        [...rowOf(id).credential!.limits, ...Object.values(rowOf(id).aliases ?? {})].filter((name) => !names.includes(name)),
        id,
      ).toEqual([])
    }
  })

  /** TABLE  limits as programs misspell them, with the field that they mean. */
  const MISSPELLED: readonly (readonly [CallId, string, unknown, string])[] = [
    ['token.create', 'client', [1], 'clients'],
    ['token.create', 'clientIds', [1], 'clients'],
    ['token.create', 'client_id', 1, 'clients'],
    ['token.create', 'Clients', [1], 'clients'],
    ['token.create', 'cleints', [1], 'clients'],
    ['token.create', 'clint_ids', [1], 'clients'],
    ['token.create', 'project', 1, 'projects'],
    ['token.create', 'expires', '2031-01-01', 'expires_on'],
    ['token.create', 'expiry', '2031-01-01', 'expires_on'],
    ['token.create', 'expires_in', 60, 'expires_on'],
    ['token.create', 'ttl', 60, 'expires_on'],
    ['token.create', 'limit', { clients: [1] }, 'clients'],
    ['key.create', 'survey', 1, 'surveys'],
    ['key.create', 'serviceIds', [1], 'services'],
    ['key.create', 'valid_until', '2031-01-01', 'expires_on'],
    ['key.create', 'read', false, 'reads'],
    ['webhook.create', 'client', 1, 'clients'],
    ['webhook.create', 'noun', ['project'], 'nouns'],
    ['webhook.edit', 'clientIds', [1], 'clients'],
    ['webhook.rotate', 'overlap', 0, 'overlap_hours'],
    ['invitation.link', 'renewed', false, 'renew'],
    ['user.invite', 'team_id', 1, 'team_ids'],
    ['user.invite', 'teams', [1], 'team_ids'],
    ['user.invite', 'clients', [1], 'client_id'],
    ['user.inviteOlder', 'clientId', 1, 'client_id'],
    ['user.inviteMany', 'roleId', 3, 'role_id'],
    ['user.inviteMany', 'teamIds', [1], 'team_ids'],
  ]
  test('refuses a misspelled limit, and names the right one', { timeout: WHOLE_TABLE }, async () => {
    const wrong = await wrongIn(MISSPELLED, async ([id, name, value, meant]) => {
      const made = await example(id)
      const before = await everything(app)
      const row = rowOf(id)
      const ways: Record<string, unknown>[] = [
        { [name]: value },
        ...(row.wraps ? [{ [row.wraps]: { ...made.input, [name]: value } }] : []),
      ]
      for (const more of ways) {
        const answer = await sendExample(id, made, more)
        expect([answer.status, answer.body.fields?.[name]], answer.text).toEqual([
          422,
          `${name} is not a field of this call. Did you mean ${meant}?`,
        ])
      }
      expect(await everything(app)).toEqual(before)
    })
    expect(wrong, wrong.join('\n')).toEqual([])
  })

  test('refuses it in the query string too, and what nobody knows at all', { timeout: WHOLE_TABLE }, async () => {
    for (const query of ['clientIds[]=1', 'expiry=2031-01-01', 'colour=blue']) {
      const answer = await admin().raw('POST', `/v3/portal/tokens?${query}`, { name: 'X', scopes: ['*:read'] })
      expect([answer.status, Object.keys(answer.body.fields)], query).toEqual([422, [query.split(/[=[]/)[0]]])
    }
    const whole = CREDENTIALS.filter((id) => !rowOf(id).credential!.extras)
    const wrong = await wrongIn(whole, async (id) => {
      const answer = await sendExample(id, await example(id), { colour_of_the_sky: 'blue' })
      expect([answer.status, answer.body.fields?.colour_of_the_sky]).toEqual([
        422,
        expect.stringMatching(/^colour_of_the_sky is not a field of this call\./),
      ])
    })
    expect(wrong, wrong.join('\n')).toEqual([])
  })

  test('is named by its misspelled field also where that leaves a required one out', async () => {
    const answer = await admin().raw('POST', '/v3/portal/tokens', { name: 'X', scope: ['*:read'] })
    expect([answer.status, answer.body.fields]).toEqual([
      422,
      { scope: 'scope is not a field of this call. Did you mean scopes?' },
    ])
  })

  test('refuses a limit that is empty: it would limit nothing', async () => {
    const before = await keys()
    const scopes = ['*:read']
    for (const field of ['clients', 'client_ids', 'projects', 'surveys', 'expires_on', 'expires_at', 'scopes'])
      for (const value of [null, '', ' ', [], [''], [null], {}]) {
        const answer = await admin().raw('POST', '/v3/portal/tokens', { name: 'X', scopes, [field]: value })
        expect([answer.status, Object.keys(answer.body.fields)], `${field} ${JSON.stringify(value)}`).toEqual([422, [field]])
      }
    for (const value of ['0', 0, false, [0], ['0'], '5']) {
      const answer = await admin().raw('POST', '/v3/portal/tokens', { name: 'X', scopes, clients: value })
      expect(answer.status, JSON.stringify(value)).toBe(422)
    }
    for (const query of ['clients=', 'clients[]=', 'expires_on=', 'expires_at=%20', 'projects[]=&projects[]=']) {
      const answer = await admin().raw('POST', `/v3/portal/tokens?${query}`, { name: 'X', scopes })
      expect([answer.status, answer.body.message], query).toEqual([422, expect.stringContaining('is empty.')])
    }
    for (const field of ['projects', 'surveys', 'services', 'expires_on']) {
      const answer = await admin().raw('POST', '/v3/portal/api_keys', { name: 'X', [field]: field === 'expires_on' ? null : [] })
      expect([answer.status, Object.keys(answer.body.fields)], field).toEqual([422, [field]])
    }
    const webhook = { name: 'X', url: 'https://hooks.test/x', nouns: ['project'], clients: [] }
    expect((await admin().raw('POST', '/v3/portal/webhooks', webhook)).body.fields).toHaveProperty('clients')
    expect(await keys()).toBe(before)
  })

  test('takes a limit by its other spelling, but not two of them that differ', async () => {
    const { id } = app.client
    const { id: project } = await app.make.project({ client_id: id })
    const made = await admin().raw('POST', '/v3/portal/tokens', {
      ...{ name: 'Both', scopes: ['project:read'], client_ids: [id], project_ids: [project], expires_at: '2031-07-16' },
    })
    expect(made.body, made.text).toMatchObject({
      data: { clients: [{ id }], projects: [{ id: project }], reach: '1 client and 1 project, until 2031-07-16' },
    })
    const moment = await admin().raw('POST', '/v3/portal/tokens', {
      name: 'Moment',
      scopes: ['*:read'],
      expires_at: '2031-07-16T10:00:00+02:00',
    })
    expect(moment.body).toMatchObject({
      data: { expires_at: '2031-07-16T08:00:00.000Z', reach: 'everything, until 2031-07-16T08:00:00.000Z' },
    })
    const two = await admin().raw('POST', '/v3/portal/tokens', {
      name: 'Two',
      scopes: ['*:read'],
      client_ids: [id],
      clients: [id + 1],
    })
    expect([two.status, two.body.message]).toEqual([422, 'client_ids and clients are one field and must match'])
    // A time without its zone is never read as the whole day.
    for (const expires_on of ['2031-07-16T10:00', '2020-01-01', '2020-01-01T00:00:00Z', 'tomorrow'])
      expect(
        (await admin().raw('POST', '/v3/portal/tokens', { name: 'X', scopes: ['*:read'], expires_on })).status,
        expires_on,
      ).toBe(422)
    const invited = await admin().raw('POST', '/auth/invitation', { user: { email: 'older@mail.test', role: 2, company_id: id } })
    expect(invited.body, invited.text).toMatchObject({ data: { role: 'client', clients: [{ id }] } })
  })

  test('without a limit says so in its answer, and a token can ask what it reaches', async () => {
    const token = (await admin().call('token.create', { name: 'All', scopes: ['*:write'] })).body.data
    const narrow = (await admin().call('token.create', { name: 'Some', scopes: ['project:read'] })).body.data
    const key = (await admin().call('key.create', { name: 'Importer' })).body.data
    const hook = (await admin().call('webhook.create', { name: 'W', url: 'https://hooks.test/x', nouns: ['project'] })).body.data
    expect([token.reach, narrow.reach, key.reach, hook.reach]).toEqual([
      'everything, for ever',
      'everything its scopes open, for ever',
      'every survey, for ever',
      'everything its owner sees, for ever',
    ])
    const limited = await admin().call('token.create', {
      ...{ name: 'Bot', scopes: ['project:read'], kind: 'service', clients: [app.client.id], expires_on: '2031-07-16' },
    })
    const program = app.person({ authorization: `Bearer ${limited.body.data.token}` })
    expect((await program.call('token.current')).body.data).toMatchObject({
      ...{ name: 'Bot', kind: 'service', scopes: ['project:read'], clients: [{ id: app.client.id, name: 'Acme Beverage' }] },
      ...{ projects: [], surveys: [], expires_at: limited.body.data.expires_at, reach: '1 client, until 2031-07-16' },
      user: { id: app.admin.id, role: 'admin' },
    })
  })
})

describe('an invitation', () => {
  test('takes what older programs send with it, but no limit at another level', async () => {
    const extras = { password: 'x', name: 'Nora Price', locale: 'en', redirect_url: 'https://x.test', phone: '6175550100' }
    const taken = await admin().raw('POST', '/v3/portal/auth/invitation', {
      user: { email: 'extras@mail.test', role_id: 3, client_id: app.client.id, ...extras },
    })
    expect([taken.status, ignoredOf(taken)?.sort()], taken.text).toEqual([200, Object.keys(extras).sort()])
    const within = await admin().call('user.inviteMany', {
      ...{ role_id: 'admin', people: [{ email: 'within@mail.test', role: 'client', team_ids: [1] }] },
    } as never)
    expect([within.status, Object.keys(within.body.fields)]).toEqual([422, ['people.0.role', 'people.0.team_ids']])
  })
})

describe('a token’s write', () => {
  test('refuses every name it doesn’t know, where a session’s lists it', { timeout: WHOLE_TABLE }, async () => {
    const programs = { admin: await tokenOf(), client: await tokenOf(app.as('client')) }
    const open = WRITES.filter((id) => refusedToTokens(id, rowOf(id)) === null && ruleOf(id).who !== 'public')
    const wrong = await wrongIn(open, async (id) => {
      const made = await example(id)
      const as = made.as === admin() ? programs.admin : made.as === app.as('client') ? programs.client : null
      if (!as) return
      const before = await stored()
      const answer = await sendExample(id, { ...made, as }, { colour_of_the_sky: 'blue' })
      expect([answer.status, answer.body.fields?.colour_of_the_sky], answer.text).toEqual([
        422,
        expect.stringMatching(/^colour_of_the_sky is not a field of this call\./),
      ])
      expect(await stored()).toEqual(before)
    })
    expect(wrong, wrong.join('\n')).toEqual([])
  })

  test('names the nearest field, in objects and lists too, and takes a record as it was read', async () => {
    const program = await tokenOf()
    const { id } = await app.make.project({ client_id: app.client.id })
    const near = await program.call('project.edit', { id, nmae: 'Other' } as never)
    expect([near.status, near.body.fields]).toEqual([422, { nmae: 'nmae is not a field of this call. Did you mean name?' }])
    const user = await program.call('user.inviteMany', {
      people: [{ email: 'deep@mail.test', firstName: 'A' }],
      role_id: 3,
      client_id: app.client.id,
    } as never)
    expect([user.status, Object.keys(user.body.fields)]).toEqual([422, ['people.0.firstName']])
    const record = (await program.call('project.get', { id })).body.data
    const back = await program.call('project.edit', { ...record, name: 'Renamed' } as never)
    expect([back.status, back.body.data?.name], back.text).toEqual([200, 'Renamed'])
    const read = await program.raw('GET', '/v3/portal/projects/all?colour=blue')
    expect([read.status, read.body.fields]).toEqual([
      422,
      { colour: expect.stringMatching(/^colour is not a field of this call\. It takes status, search, .*client_id/) },
    ])
  })
})

test('an intake key’s unknown names are listed, and with strict=1 refused', async () => {
  const { survey } = await fresh(app)
  const { key } = (await admin().call('key.create', { name: 'Importer', surveys: [survey.id] })).body.data
  const importer = app.person({ authorization: `Bearer ${key}` })
  const send = (more: object) => importer.call('runtime.ingest', { surveyId: survey.id, rows: [person()], ...more } as never)
  const listed = await send({ colour: 'blue' })
  expect([listed.status, ignoredOf(listed)]).toEqual([200, ['colour']])
  const refused = await send({ colour: 'blue', strict: 1 })
  expect([refused.status, refused.body.fields]).toEqual([
    422,
    { colour: expect.stringMatching(/^colour is not a field of this call. It takes surveyId, rows, responses/) },
  ])
  const query = await importer.raw('POST', `/v3/portal/surveys/runtime/${survey.id}/responses?strict=1&dri=1`, [person()])
  expect([query.status, query.body.fields]).toEqual([422, { dri: 'dri is not a field of this call. Did you mean dry?' }])
})

test('an item of content with more than an act has is counted by name, and with strict=1 refused; a form tries, too', async () => {
  const { id: project_id } = await app.make.project({ client_id: app.client.id })
  const { id } = await app.make.activity({ project_id })
  const { key } = (await admin().call('key.create', { name: 'Social feed' })).body.data
  const importer = app.person({ authorization: `Bearer ${key}` })
  const rows = [{ external_id: 'a1', comment: 'Good', likes: 3 }]
  const strict = await importer.call('content.import', { id, rows, strict: true })
  expect([strict.status, strict.body.message]).toEqual([422, '0 items added, 0 already known, 1 refused.'])
  const listed = await importer.call('content.import', { id, rows })
  expect(listed.body.data).toMatchObject({ added: 1, ignored: { likes: 1 } })
  const acts = async () => (await app.db.selectFrom('user_activities').select('id').execute()).length
  const before = await acts()
  const form = new FormData()
  form.append('dry', '1')
  form.append('colour', 'blue')
  form.append('file', new Blob(['comment,stars\nFine,5\n'], { type: 'text/csv' }), 'comments.csv')
  const request = new Request('http://fieldwork.test', { method: 'POST', body: form })
  const type = { 'content-type': request.headers.get('content-type')! }
  const tried = await importer.raw('POST', `/v3/portal/activities/${id}/content`, Buffer.from(await request.arrayBuffer()), type)
  expect(tried.body, tried.text).toMatchObject({ data: { added: 1, ignored: { stars: 1 }, dry: true }, ignored: ['colour'] })
  expect(await acts()).toBe(before)
})

test('a misspelled filter of an export is refused to a token, and listed in `ignored` for a session', async () => {
  const sent = { source: 'projects', filter: { cleint: app.client.id, status: 'active' } } as const
  const refused = await (await tokenOf()).call('export.start', sent)
  expect([refused.status, refused.body.fields]).toEqual([
    422,
    { 'filter.cleint': 'filter.cleint is not a field of this call. Did you mean client?' },
  ])
  expect(ignoredOf(await admin().call('export.start', sent))).toEqual(['filter.cleint'])
  expect(ignoredOf(await admin().call('export.start', { source: 'projects', filter: { client: app.client.id } }))).toBeUndefined()
  expect(
    ignoredOf(await admin().call('export.start', { source: 'projects', filter: { client_id: app.client.id } })),
  ).toBeUndefined()
  const two = await admin().call('export.start', { source: 'projects', filter: { client_id: 1, client: 2 } })
  expect([two.status, two.body.fields]).toEqual([
    422,
    { 'filter.client_id': 'filter.client_id and filter.client are one field: send one of them' },
  ])
})

interface Listed {
  data: { id: number }[]
}

describe('a token’s read', () => {
  const GETS = (Object.keys(calls) as CallId[]).filter((id) => rowOf(id).method === 'GET' && !rowOf(id).unsafe)

  test('refuses every name that it doesn’t know, where a session’s lists it', { timeout: WHOLE_TABLE }, async () => {
    const program = await tokenOf()
    const open = GETS.filter(
      (id) => refusedToTokens(id, rowOf(id)) === null && rowOf(id).as !== 'stream' && ruleOf(id).who !== 'public',
    )
    const wrong = await wrongIn(open, async (id) => {
      const path = rowOf(id).path.replace(/\{\w+\}/g, '1')
      const answer = await program.raw('GET', `${path}?colour_of_the_sky=blue`)
      expect([answer.status, answer.body.fields], answer.text).toEqual([
        422,
        { colour_of_the_sky: expect.stringMatching(/^colour_of_the_sky is not a field of this call\./) },
      ])
      const session = await admin().raw('GET', `${path}?colour_of_the_sky=blue`)
      expect(session.body.fields?.colour_of_the_sky).toBeUndefined()
    })
    expect(wrong, wrong.join('\n')).toEqual([])
  })

  test('takes one name for one thing in filters, and the older one', async () => {
    const program = await tokenOf()
    const other = await app.make.client({ name: 'Filtered' })
    const { id } = await app.make.project({ client_id: other.id })
    for (const name of ['client', 'client_id', 'client_id[]', 'client[]']) {
      const { body } = await program.raw('GET', `/v3/portal/projects?${name}=${other.id}`)
      if (!name.endsWith('[]'))
        expect(
          (body as unknown as Listed).data.map((row) => row.id),
          name,
        ).toEqual([id])
    }
    const near = await program.raw('GET', `/v3/portal/projects?clientId=${other.id}`)
    expect(near.body.fields).toEqual({ clientId: 'clientId is not a field of this call. Did you mean client_id?' })
    const two = await program.raw('GET', `/v3/portal/projects?client=${other.id}&client_id=1`)
    expect([two.status, two.body.message]).toEqual([422, 'client_id and client are one field and must match'])
    const session = await admin().raw('GET', `/v3/portal/projects?client_id=${other.id}`)
    expect([(session.body as unknown as Listed).data.length, session.headers['fieldwork-ignored']]).toEqual([1, undefined])
  })

  test('has one name in filters for each thing that programs know by its id', () => {
    for (const id of GETS) {
      const names = Object.keys((rowOf(id).input as unknown as { shape: object }).shape)
      const taken = new Set([...names, ...Object.keys(aliasesOf(rowOf(id)))])
      for (const thing of ['client', 'partner', 'service', 'project'])
        if (names.includes(thing) && !rowOf(id).path.includes(`{${thing}}`))
          expect(taken.has(`${thing}_id`), `${id} ${thing}`).toBe(true)
    }
  })
})

test('a dry run by another name is refused to everybody, and nothing is written', async () => {
  const before = await stored()
  for (const who of [admin(), await tokenOf()])
    for (const name of ['dry_run', 'dryRun', 'dryrun', 'is_dry_run'])
      for (const query of ['', `?${name}=1`]) {
        const body = { name: 'Never made', ...(query ? {} : { [name]: true }) }
        const answer = await who.raw('POST', `/v3/portal/clients${query}`, body)
        expect([answer.status, answer.body.fields]).toEqual([
          422,
          { [name]: `${name} is not a field of this call. Did you mean dry?` },
        ])
      }
  expect((await stored()).clients).toEqual(before.clients)
})
