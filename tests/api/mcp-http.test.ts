import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import pino from 'pino'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Input } from '../../contract/calls.ts'
import { RIGHT_IDS } from '../../contract/rights.ts'
import { readSettings } from '../../server/core/settings.ts'
import { buildApp } from '../../server/http/app.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
/** Two processes of one installation would share its database; here a second server over the same one. */
let urls: readonly string[]
const clients: Client[] = []
const listen = async ({ app: server }: Pick<Fieldwork, 'app'>) => {
  await server.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}
beforeAll(async () => {
  app = await fieldwork({ MCP: 'write', LIMITS: 'token_minute=100000' })
  const services = await createServices(app.services.settings, pino({ level: 'error' }))
  const second = await buildApp(services)
  closeAfterFile(async () => {
    await second.close()
    await closeServices(services)
  })
  urls = [await listen(app), await listen({ app: second })]
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

const tokenFor = async (terms: Partial<Input<'token.create'>> = {}, of = app) => {
  const { body } = await of.as('admin').call('token.create', { name: 'Assistant', scopes: ['*:write'], ...terms } as never)
  return body.data
}
/** What the tools answer, as far as the tests read it. */
interface Answer {
  error: string
  status: number
  code: string
  scope: string
  fields: Record<string, string>
  review: { lines: string[] }
  confirmation: string
  done: boolean
  undo: string
  jobs: { status: string }[]
  data: { id: number; note: string }[] & { note: string }
  hint: string
  changed: object[]
  theirs: { name: string; lock_version: number }
}
/** An assistant over real HTTP, with the package's own client; each call may go to another process. */
async function session(token: string, url = urls[0]!) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  clients.push(client)
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  const use = async (name: string, input: Record<string, unknown>, onprogress?: (at: unknown) => void) => {
    const answer = await client.callTool({ name, arguments: input }, onprogress ? { onprogress } : {})
    return { failed: answer.isError === true, value: answer.structuredContent as unknown as Answer }
  }
  return { client, use }
}
const approved = (client_id = app.client.id) => app.make.project({ client_id, status: 'approved', name: 'Autumn snacks' })
const statusOf = async (id: number) => (await app.as('admin').call('project.get', { id })).body.data.stored_status

/** A message as it is, without the package. */
const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const post = (body: unknown, headers: Record<string, string>, url = urls[0]!) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('an assistant over HTTP', () => {
  test('has the tools of the command line, in the same words, and is told whose token it uses', async () => {
    const { token } = await tokenFor()
    const { client } = await session(token)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['find_commands', 'describe_command', 'read', 'change'])
    expect(client.getInstructions()).toContain('the token “Assistant” of admin@fieldwork.test')
  })

  test('finds, describes and reads', async () => {
    const { use } = await session((await tokenFor()).token)
    const { name } = await app.make.client()
    expect((await use('find_commands', { words: 'client list' })).failed).toBe(false)
    expect((await use('describe_command', { command: 'client.list' })).failed).toBe(false)
    expect((await use('read', { command: 'client.list', input: { search: name } })).value).toMatchObject({
      count: 1,
      data: [{ name }],
    })
  })

  test('refuses an argument that a tool doesn’t have, and says which field is missing', async () => {
    const { client, use } = await session((await tokenFor()).token)
    const strange = await client
      .callTool({ name: 'find_commands', arguments: { query: 'pause' } })
      .catch((error: unknown) => error)
    expect(JSON.stringify(strange instanceof Error ? strange.message : strange)).toContain('query')
    expect(strange).not.toMatchObject({ structuredContent: { kinds: expect.anything() } })
    expect(await use('read', { command: 'runtime.summary' })).toMatchObject({
      failed: true,
      value: { fields: { surveyId: 'surveyId is required' } },
    })
  })

  test('reads the common names alone, and a spelling of the specification that it names', async () => {
    const { use } = await session((await tokenFor()).token)
    const { id } = await app.make.project({ client_id: app.client.id, status: 'submit_approval' })
    const read = async (input: object) =>
      (await use('read', { command: 'project.get', input: { id, ...input } })).value as unknown as {
        data: Record<string, unknown>
      }
    const { data } = await read({})
    expect(data).toMatchObject({ id, stored_status: 'submit_approval', cost_cents: 100_000, start_dt: expect.anything() })
    expect(Object.keys(data).filter((name) => /^(status|status_shown|start_dateP|end_dateP|transitions)$/.test(name))).toEqual([])
    expect((await read({ fields: 'status' })).data).toMatchObject({ status: 'Quoted' })
  })

  test('changes at once what can be undone, named in the history after its token', async () => {
    const { use } = await session((await tokenFor()).token)
    const { id } = await approved()
    const note = await use('change', { command: 'note.create', input: { project_id: id, note: 'Launch wave' } })
    expect(note.value).toMatchObject({
      done: true,
      undo: { command: 'undo.take', input: { id: expect.any(Number) } },
      data: { note: 'Launch wave' },
    })
    const undone = await use('change', {
      command: 'undo.take',
      input: (note.value as unknown as { undo: { input: object } }).undo.input,
    })
    expect(undone.value).toMatchObject({ done: true, message: 'Undone.' })
    const { data } = (await app.as('admin').call('project.history', { id })).body
    expect(data[0]!.who).toMatch(/^token “Assistant” of /)
  })

  test('gets a review of the rest, confirms it at another process, and only once', async () => {
    const { token } = await tokenFor()
    const [one, other] = [await session(token), await session(token, urls[1])]
    const { id } = await approved()
    const input = { command: 'project.goLive', input: { id } }
    const { value } = await one.use('change', input)
    expect(value.review.lines).toContain('It can’t be undone.')
    expect(await statusOf(id)).toBe('approved')
    const both = await Promise.all([one, other].map(({ use }) => use('change', { ...input, confirmation: value.confirmation })))
    expect(both.filter(({ failed }) => !failed)).toHaveLength(1)
    expect(both.find(({ failed }) => failed)!.value.error).toContain('unknown, used or too old')
    expect(await statusOf(id)).toBe('active')
    expect(JSON.stringify(await app.db.selectFrom('confirmations').selectAll().execute())).not.toContain(value.confirmation)
  })

  test('can’t confirm for another command or input, with another token, too late, or with an invented word', async () => {
    const [mine, theirs] = [await tokenFor(), await tokenFor({ name: 'Other' })]
    const { use } = await session(mine.token)
    const [one, other] = [await approved(), await approved()]
    const review = async () => (await use('change', { command: 'project.goLive', input: { id: one.id } })).value.confirmation
    const word = await review()
    const refusals = [
      await use('change', { command: 'project.goLive', input: { id: other.id }, confirmation: word }),
      await use('change', { command: 'project.complete', input: { id: one.id }, confirmation: word }),
      await (await session(theirs.token)).use('change', { command: 'project.goLive', input: { id: one.id }, confirmation: word }),
    ]
    for (const invented of ['yes', '', randomUUID(), `${word} `])
      refusals.push(await use('change', { command: 'project.goLive', input: { id: one.id }, confirmation: invented }))
    expect(refusals.map(({ failed }) => failed)).toEqual(refusals.map(() => true))
    await app.write((tx) => tx.updateTable('confirmations').set({ expires_at: '2020-01-01T00:00:00.000Z' }).execute())
    expect((await use('change', { command: 'project.goLive', input: { id: one.id }, confirmation: word })).failed).toBe(true)
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['approved', 'approved'])
    const next = await review()
    expect((await use('change', { command: 'project.goLive', input: { id: one.id }, confirmation: next })).value.done).toBe(true)
  })

  test('can’t confirm what somebody has changed since the review: it is told what, and reviews it again', async () => {
    const { token } = await tokenFor()
    const [one, other] = [await session(token), await session(token, urls[1])]
    const { id } = await approved()
    const input = { command: 'project.goLive', input: { id } }
    const { confirmation } = (await one.use('change', input)).value
    await app.as('admin').call('project.edit', { id, name: 'Winter snacks' })
    const refused = await other.use('change', { ...input, confirmation })
    expect(refused.failed).toBe(true)
    expect(refused.value).toMatchObject({
      ...{ status: 409, code: 'changed', hint: expect.stringContaining('this confirmation is used up') },
      error: 'This project has changed since it was reviewed, so nothing was done. Review it again.',
      changed: [{ noun: 'project', id, reviewed: 1, lock_version: 2 }],
      theirs: { name: 'Winter snacks', lock_version: 2 },
    })
    expect(await statusOf(id)).toBe('approved')
    expect((await one.use('change', { ...input, confirmation })).value.error).toContain('unknown, used or too old')
    const next = await one.use('change', input)
    expect(JSON.stringify(next.value.review)).toContain('Winter snacks')
    expect((await other.use('change', { ...input, confirmation: next.value.confirmation })).value.done).toBe(true)
    expect(await statusOf(id)).toBe('active')
  })

  test('confirms what hasn’t changed, whatever else has', async () => {
    const { use } = await session((await tokenFor()).token)
    const [one, other] = [await approved(), await approved()]
    const input = { command: 'project.goLive', input: { id: one.id } }
    const { confirmation } = (await use('change', input)).value
    await app.as('admin').call('project.edit', { id: other.id, name: 'Winter snacks' })
    await app.as('admin').call('note.create', { project_id: one.id, note: 'Launch wave' })
    expect((await use('change', { ...input, confirmation })).value.done).toBe(true)
  })

  test('can’t confirm an email to a person who was changed since, though its input names only the address', async () => {
    const { use } = await session((await tokenFor({ scopes: ['user:invite', 'user:read'] })).token)
    const user = await app.make.user({ status: 'invited', clients: [app.client.id] })
    const input = { command: 'user.resendActivation', input: { email: user.email } }
    const { confirmation } = (await use('change', input)).value
    await app.as('admin').call('user.edit', { id: user.id, first_name: 'Somebody', last_name: 'Else' })
    const refused = await use('change', { ...input, confirmation })
    expect(refused.value).toMatchObject({ code: 'changed', changed: [{ noun: 'user', id: user.id }] })
    const next = (await use('change', input)).value.confirmation
    expect((await use('change', { ...input, confirmation: next })).value.done).toBe(true)
  })

  test('can’t confirm an email to a partner who was changed since, whom the write leaves as they are', async () => {
    const { use } = await session((await tokenFor()).token)
    const { id: project_id } = await app.make.project({ client_id: app.client.id, status: 'pricing' })
    const partner = await app.make.partner({ name: 'Robin', email: 'robin@partner.test' })
    await app.make.assign(project_id, partner.id)
    const input = { command: 'project.mailPartnerNow', input: { project_id, partner_id: partner.id } }
    const { confirmation, error } = (await use('change', input)).value
    expect(confirmation, error).toBeTruthy()
    await app.as('admin').call('partner.edit', { id: partner.id, email: 'other@partner.test' })
    const refused = await use('change', { ...input, confirmation })
    expect(refused.value).toMatchObject({ code: 'changed', changed: [{ noun: 'partner', id: partner.id }] })
    const next = (await use('change', input)).value.confirmation
    expect((await use('change', { ...input, confirmation: next })).value.done).toBe(true)
  })

  test('confirms rights, email and payouts first, also where an undo would bring the record back', async () => {
    const [plain, full] = [await tokenFor(), await tokenFor({ scopes: ['*:write', ...RIGHT_IDS] })]
    const [weak, strong] = [await session(plain.token), await session(full.token)]
    const user = () => app.make.user({ clients: [app.client.id] })
    const { id: project_id } = await app.make.project({ client_id: app.client.id, status: 'pricing' })
    const partner = await app.make.partner({ email: 'first@partner.test' })
    const tried: [string, object][] = [
      ['user.inviteMany', { people: [{ email: 'attacker@evil.example' }], role_id: 'admin' }],
      ['user.edit', { id: (await user()).id, role: 'admin' }],
      ['user.edit', { id: (await user()).id, email: 'attacker2@evil.example' }],
      ['organization.edit', { support_mail: 'attacker@evil.example' }],
      ['user.remove', { id: (await app.make.user({ role: 'admin' })).id }],
      ['client.addUser', { client_id: app.client.id, user_id: (await app.make.user()).id }],
      ['partner.edit', { id: partner.id, email: 'attacker@evil.example' }],
    ]
    for (const [command, input] of tried) {
      const refused = await weak.use('change', { command, input })
      expect([refused.failed, refused.value.code], command).toEqual([true, 'scope'])
      const { value } = await strong.use('change', { command, input })
      expect([value.done, value.review?.lines], `${command} ${value.error}`).toEqual([
        false,
        expect.arrayContaining(['It changes who may do what.']),
      ])
      // The person reads what would change: the role of those invited, the address of the organization.
      if (command === 'user.inviteMany') expect(value.review.lines).toContain('Role ID: admin')
      if (command === 'organization.edit') expect(value.review.lines).toContain('Support mail: attacker@evil.example')
      if (command === 'user.edit' && 'role' in input) expect(value.review.lines).toContain('Role: client → admin')
      expect((await strong.use('change', { command, input, confirmation: value.confirmation })).value.done, command).toBe(true)
    }
    const outside: [string, object, string][] = [
      ['invitation.create', { id: project_id, partner_ids: [partner.id] }, 'It may send email, which can’t be taken back.'],
      ['organization.testMail', {}, 'It may send email, which can’t be taken back.'],
      [
        'entry.redeem',
        { id: (await app.make.entry({ project_id: (await approved()).id })).id },
        'It pays people, which can’t be taken back.',
      ],
    ]
    for (const [command, input, line] of outside) {
      const { value } = await weak.use('change', { command, input })
      expect([value.done, value.review?.lines], `${command} ${value.error}`).toEqual([false, expect.arrayContaining([line])])
    }
    expect(
      (await weak.use('change', { command: 'user.edit', input: { id: (await user()).id, phone: '6175550100' } })).value.done,
    ).toBe(true)
    expect((await weak.use('read', { command: 'organization.testMail', input: {} })).failed).toBe(true)
  })

  test('keeps the newest hundred reviews of a token', async () => {
    const { token, id: token_id } = await tokenFor()
    const { use } = await session(token)
    const { id } = await approved()
    const rows = Array.from({ length: 100 }, (_, at) => ({
      key_hash: `${token_id} ${at}`,
      token_id,
      digest: 'x',
      expires_at: new Date(Date.now() + 100_000 + at).toISOString(),
    }))
    await app.write((tx) => tx.insertInto('confirmations').values(rows).execute())
    await use('change', { command: 'project.goLive', input: { id } })
    const left = await app.db.selectFrom('confirmations').select('key_hash').where('token_id', '=', token_id).execute()
    expect(left).toHaveLength(100)
    expect(left.map(({ key_hash }) => key_hash)).not.toContain(`${token_id} 0`)
  })

  test('follows a job with its progress', async () => {
    const { use } = await session((await tokenFor()).token)
    const heard: unknown[] = []
    const input = { command: 'export.start', input: { source: 'clients', format: 'csv' } }
    let { value } = await use('change', input, (at) => heard.push(at))
    if (value.confirmation)
      ({ value } = await use('change', { ...input, confirmation: value.confirmation }, (at) => heard.push(at)))
    expect(value.jobs).toMatchObject([{ status: 'done' }])
    expect(heard.length).toBeGreaterThan(0)
  })

  test('reads only, with a token whose scopes read, and when the installation says so', async () => {
    const { token } = await tokenFor({ scopes: ['*:read'] })
    const { client, use } = await session(token)
    const names = async (of: Client) => (await of.listTools()).tools.map(({ name }) => name)
    expect(await names(client)).toEqual(['find_commands', 'describe_command', 'read'])
    const { id } = await approved()
    expect((await use('read', { command: 'project.goLive', input: { id } })).value.error).toContain('MCP=write')
    const reading = await fieldwork()
    const url = await listen(reading)
    expect(await names((await session((await tokenFor({}, reading)).token, url)).client)).not.toContain('change')
  })

  test('is told what is wrong, and why it is refused', async () => {
    const { use } = await session((await tokenFor({ scopes: ['project:read', 'project:write'] })).token)
    const field = await use('read', { command: 'project.list', input: { staus: 'active' } })
    expect(field.value.fields.staus).toContain('status')
    const scope = await use('change', { command: 'client.create', input: { name: 'Beyond' } })
    expect(scope.value).toMatchObject({ status: 403, code: 'scope', scope: 'client:write' })
    const secret = await use('change', { command: 'token.create', input: { name: 'x', scopes: ['*:write'] } })
    expect(secret.failed).toBe(true)
  })
})

describe('who may connect', () => {
  const hello = message('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  })

  test('only a valid token, until it is revoked; no cookie, password’s token or importer’s key', async () => {
    const { token, id } = await tokenFor()
    const key = (await app.as('admin').call('key.create', { name: 'Decipher' })).body.data.key
    const others = [{}, app.as('admin').headers, { authorization: `Bearer ${key}` }, { authorization: 'Bearer fwt_wrong' }]
    for (const headers of others) {
      const answer = await post(hello, headers as Record<string, string>)
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Fieldwork"'])
    }
    expect((await post(hello, { authorization: `Bearer ${token}` })).status).toBe(200)
    await app.as('admin').call('token.revoke', { id })
    expect((await post(hello, { authorization: `Bearer ${token}` })).status).toBe(401)
  })

  test('there is no session to take over: an id that somebody sends means nothing, and none is given', async () => {
    const authorization = `Bearer ${(await tokenFor()).token}`
    const answer = await post(hello, { authorization, 'mcp-session-id': 'chosen-by-an-attacker' })
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null])
    for (const method of ['GET', 'DELETE']) {
      const other = await fetch(`${urls[0]}/mcp`, { method, headers: { authorization, accept: 'text/event-stream' } })
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  test('no page of another site, and none whose name was pointed here (DNS rebinding)', async () => {
    const authorization = `Bearer ${(await tokenFor()).token}`
    for (const origin of ['https://evil.test', 'null', 'http://fieldwork.test.evil.test', 'http://fieldwork.test:81'])
      expect((await post(hello, { authorization, origin })).status, origin).toBe(403)
    expect((await post(hello, { authorization, origin: 'http://fieldwork.test' })).status).toBe(200)
    const local = await fieldwork({ PUBLIC_URL: '' })
    const url = await listen(local)
    const own = (await tokenFor({}, local)).token
    /** Asks with a Host of one's own, which fetch doesn't let. */
    const ask = (host: string, origin?: string) =>
      new Promise<number>((resolve, reject) => {
        const body = JSON.stringify(hello)
        const headers = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'content-length': Buffer.byteLength(body),
          authorization: `Bearer ${own}`,
          host,
          ...(origin ? { origin } : {}),
        }
        const asked = request(`${url}/mcp`, { method: 'POST', headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode!)
        })
        asked.once('error', reject)
        asked.end(body)
      })
    expect(await ask('evil.test', 'http://evil.test')).toBe(403)
    expect(await ask('evil.test')).toBe(403)
    expect(await ask('localhost:4000', 'http://localhost:4000')).toBe(200)
  })

  test('nobody where it is closed, which is said', async () => {
    const closed = await fieldwork({ MCP: 'off' })
    const answer = await post(hello, { authorization: `Bearer ${(await tokenFor({}, closed)).token}` }, await listen(closed))
    expect(answer.status).toBe(404)
    expect(((await answer.json()) as { message: string }).message).toContain('MCP=off')
    expect(() => readSettings({ MCP: 'maybe' })).toThrow('MCP must be off, read or write')
  })

  test('messages are small, single, JSON and not compressed; broken ones get a clear refusal', async () => {
    const authorization = `Bearer ${(await tokenFor()).token}`
    const status = async (body: unknown, headers: Record<string, string> = {}) =>
      (await post(body, { authorization, ...headers })).status
    expect(await status(message('tools/call', { name: 'read', arguments: { command: 'x'.repeat(1_100_000) } }))).toBe(413)
    expect(await status([hello, hello])).toBe(400)
    expect(await status('{"jsonrpc":')).toBe(400)
    expect(await status('null')).toBe(400)
    expect(await status('{}')).toBe(400)
    expect(await status(hello, { 'content-type': 'text/plain' })).toBe(415)
    expect(await status(hello, { 'content-encoding': 'gzip' })).toBe(415)
    const strange = await post(message('tools/call', { name: 'drop_table', arguments: {} }), { authorization })
    expect(strange.status).toBeLessThan(500)
    expect(await strange.text()).toContain('drop_table')
  })

  test('its calls count as the token’s, so that it has the same rate limit', async () => {
    const few = await fieldwork({ LIMITS: 'token_minute=6' })
    const url = await listen(few)
    const { token } = await tokenFor({}, few)
    const read = message('tools/call', { name: 'read', arguments: { command: 'client.list', input: {} } })
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(read, { authorization: `Bearer ${token}` }, url)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(1)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a server that stops answers the call that waits for its job, and says that the job goes on', async () => {
    const leaving = await fieldwork({ MCP: 'write' })
    const url = await listen(leaving)
    leaving.services.jobs.define('export', { ...leaving.services.jobs.kind('export')!, run: ({ signal }) => forever(signal) })
    const { use } = await session((await tokenFor({}, leaving)).token, url)
    const input = { command: 'export.start', input: { source: 'clients', format: 'csv' } }
    const waiting = use('change', input)
    await after(300)
    await leaving.app.close()
    expect(JSON.stringify((await waiting).value)).toContain('still running')
  })
})

/** A job that ends only when it is stopped. */
const forever = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }))
