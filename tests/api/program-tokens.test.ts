import { beforeAll, describe, expect, test, vi } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { isSignedBy, receiver } from './receiver.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork({ WEBHOOK_INSIDE: '127.0.0.1', LIMITS: 'token_minute=100000,keys=100000' })
})
const admin = () => app.as('admin')

async function tokenOf(scopes: readonly string[], more: object = {}): Promise<Person & { id: number }> {
  const { body, text } = await admin().call('token.create', { name: 'Program', scopes: [...scopes], ...more } as never)
  expect(body.data?.token, text).toBeDefined()
  return Object.assign(app.person({ authorization: `Bearer ${body.data.token}` }), { id: body.data.id })
}
const undoOf = ({ headers }: { headers: object }) => Number((headers as Record<string, string>)['x-undo'])

test('a token that may only read makes no call that writes, also none that does so by GET', async () => {
  const reader = await tokenOf(['*:read'])
  for (const id of WRITES.filter((id) => calls[id].method === 'GET')) {
    const { input } = await WRITE_EXAMPLES[id]!(app)
    const { status } = await reader.call(id, input as never)
    expect([id, status]).toEqual([id, 403])
  }
})

describe('undo by token', () => {
  test('takes back the token’s own write, and redoes it', async () => {
    const program = await tokenOf(['client:write'])
    const { id } = await app.make.client({ name: 'Before' })
    const renamed = await program.call('client.edit', { id, name: 'After' })
    const nameOf = async () => (await admin().call('client.get', { id })).body.data.name
    const undone = await program.call('undo.take', { id: undoOf(renamed) })
    expect([undone.status, await nameOf()], undone.text).toEqual([200, 'Before'])
    await program.call('undo.redo', { id: undoOf(renamed) })
    expect(await nameOf()).toBe('After')
    // The person may undo what their token did.
    expect((await admin().call('undo.take', { id: undoOf(renamed) })).status).toBe(200)
  })

  test('reaches nobody else’s write, and none that its scopes don’t open', async () => {
    const program = await tokenOf(['client:write'])
    const other = await tokenOf(['client:write'])
    const { id } = await app.make.client({ name: 'Mine' })
    const byPerson = await admin().call('client.edit', { id, name: 'By a person' })
    const byOther = await other.call('client.edit', { id, name: 'By another token' })
    for (const answer of [byPerson, byOther]) expect((await program.call('undo.take', { id: undoOf(answer) })).status).toBe(404)
    const own = await program.call('client.edit', { id, name: 'Own' })
    await app.db.updateTable('api_keys').set({ grants: '["team:read"]' }).where('id', '=', program.id).execute()
    const closed = await program.call('undo.take', { id: undoOf(own) })
    expect([closed.status, closed.body.code]).toEqual([403, 'scope'])
  })

  test('of a limited token stays within its limit', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, name: 'Within' })
    const program = await tokenOf(['project:write'], { clients: [app.client.id] })
    const renamed = await program.call('project.edit', { id, name: 'Renamed' })
    expect((await program.call('undo.take', { id: undoOf(renamed) })).status).toBe(200)
    expect((await admin().call('project.get', { id })).body.data.name).toBe('Within')
  })
})

describe('an export by token', () => {
  test('needs the scope that reads its source, and shows the token its own jobs alone', async () => {
    const program = await tokenOf(['client:read'])
    const refused = await program.call('export.start', { source: 'projects' })
    expect([refused.status, refused.body.code, (refused.body as unknown as { scope: string }).scope]).toEqual([
      403,
      'scope',
      'project:read',
    ])
    const theirs = (await admin().call('export.start', { source: 'clients' })).body.data
    const { data } = (await program.call('export.start', { source: 'clients' })).body
    await vi.waitFor(async () => expect((await program.call('job.get', { id: data.id })).body.data.status).toBe('done'), {
      timeout: 15_000,
    })
    const job = (await program.call('job.get', { id: data.id })).body.data
    expect((await program.raw('GET', job.download!)).text).toContain('Acme Beverage')
    expect((await program.call('job.link', { id: data.id })).status).toBe(200)
    expect((await program.call('job.get', { id: theirs.id })).status).toBe(404)
    expect((await program.call('job.list', {})).body.data.map(({ id }) => id)).toEqual([data.id])
    const wide = await tokenOf(['*:read'])
    expect((await wide.call('job.get', { id: theirs.id })).status).toBe(200)
    const limited = await tokenOf(['*:write'], { clients: [app.client.id] })
    expect((await limited.call('export.start', { source: 'clients' })).body.code).toBe('limited')
    expect((await limited.call('job.list', {})).body.code).toBe('limited')
  })
})

describe('webhooks by token', () => {
  test('a subscriber registers, receives, verifies and unsubscribes', async () => {
    const heard = await receiver()
    const program = await tokenOf(['client:read', 'webhook:manage'])
    const made = await program.call('webhook.create', { name: 'Zap', url: heard.url, nouns: ['client'] })
    expect(made.status, made.text).toBe(200)
    const { id, signing_secret } = made.body.data
    const { id: client } = await app.make.client({ name: 'Zapped' })
    await admin().call('client.edit', { id: client, name: 'Zapped twice' })
    const [message] = await heard.heard(({ body }) => body.data.id === client && body.data.name === 'Zapped twice')
    expect(isSignedBy(signing_secret, message!)).toBe(true)
    const deliveries = (await program.call('delivery.list', { webhook_id: id })).body.data
    expect(deliveries.length).toBeGreaterThan(0)
    expect((await program.call('webhook.test', { id })).status).toBe(200)
    await heard.heard(({ body }) => body.type === 'webhook.test')
    expect((await program.call('webhook.remove', { id })).status).toBe(200)
    expect((await program.call('webhook.list')).body.data).toEqual([])
  })

  test('need a scope of their own, and the scopes that read what they follow', async () => {
    const url = 'https://hooks.test/x'
    const wide = await tokenOf(['*:write'])
    const refused = await wide.call('webhook.create', { name: 'No', url, nouns: ['client'] })
    expect([refused.status, (refused.body as unknown as { scope: string }).scope]).toEqual([403, 'webhook:manage'])
    const narrow = await tokenOf(['webhook:manage', 'client:read'])
    const beyond = await narrow.call('webhook.create', { name: 'No', url, nouns: ['client', 'project'] })
    expect([beyond.status, (beyond.body as unknown as { scope: string }).scope]).toEqual([403, 'project:read'])
    const made = (await narrow.call('webhook.create', { name: 'Yes', url, nouns: ['client'] })).body.data
    expect((await narrow.call('webhook.edit', { id: made.id, nouns: ['user'] })).status).toBe(403)
    // Those of others stay closed.
    const persons = (await admin().call('webhook.create', { name: 'Person', url, nouns: ['project'] })).body.data
    expect((await narrow.call('webhook.get', { id: persons.id })).status).toBe(404)
    expect((await narrow.call('webhook.rotate', { id: persons.id })).status).toBe(404)
    const limited = await tokenOf(['*:write', 'webhook:manage'], { clients: [app.client.id] })
    expect((await limited.call('webhook.create', { name: 'No', url, nouns: ['client'] })).body.code).toBe('limited')
  })

  test('end with the token that made them', async () => {
    const heard = await receiver()
    const program = await tokenOf(['client:read', 'webhook:manage'])
    const { id } = (await program.call('webhook.create', { name: 'Ends', url: heard.url, nouns: ['client'] })).body.data
    await admin().call('token.revoke', { id: program.id })
    await app.make.client({ name: 'After the end' })
    const client = await app.make.client()
    await admin().call('client.edit', { id: client.id, name: 'After the end, too' })
    await vi.waitFor(
      async () =>
        expect((await admin().call('webhook.get', { id })).body.data).toMatchObject({
          status: 'disabled',
          reason: 'The token that made it was revoked or has expired.',
        }),
      { timeout: 15_000 },
    )
    expect(heard.arrived).toEqual([])
  })
})
