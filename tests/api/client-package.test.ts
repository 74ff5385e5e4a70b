import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { createClient, FieldworkError, verifyWebhook, WebhookError } from '../../client/client.ts'
import { typeOf } from '../../scripts/build-packages.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { receiver } from './receiver.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh } from './surveyed.ts'

const ROOT = resolve(import.meta.dirname, '../..')
let app: Fieldwork
let url: string
beforeAll(async () => {
  app = await fieldwork({ WEBHOOK_INSIDE: '127.0.0.0/8' })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
})
const tokenFor = async (...scopes: string[]) =>
  (await app.as('admin').call('token.create', { name: 'Client', scopes })).body.data.token
const client = async (more: object = {}) => createClient({ url, token: await tokenFor('*:write'), ...more })

/** A server in between that answers requests itself while it is asked to. */
async function between(answers: (number | 'lost')[]) {
  const passed: { method: string; key: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { host: _, ...headers } = request.headers
    const reply = answers.shift()
    passed.push({ method: request.method!, key: headers['idempotency-key'] as string | undefined })
    if (typeof reply === 'number') return void response.writeHead(reply, { 'retry-after': '0' }).end('{"message":"Busy"}')
    const given = await fetch(`${url}${request.url}`, {
      method: request.method!,
      headers: headers as Record<string, string>,
      body: body.length ? body : null,
    })
    const text = await given.text()
    // The server has done it, and its response never arrives.
    if (reply === 'lost') return void request.socket.destroy()
    response.writeHead(given.status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closeAfterFile(async () => void server.close())
  return { passed, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('the client', () => {
  test('reads every page of a list, of both generations', async () => {
    const name = `Paged ${crypto.randomUUID()}`
    const made = []
    for (const generation of ['project', 'campaign', 'project'] as const)
      made.push((await app.make.project({ client_id: app.client.id, name, generation })).id)
    const rows = []
    for await (const row of (await client()).each('project.list', { search: name, per_page: 2 } as never)) rows.push(row.id)
    expect(rows.sort((a, b) => a - b)).toEqual(made)
  })

  test('repeats a busy read and write, and a write whose response was lost, which is done once', async () => {
    const proxy = await between([503, 429, 'lost', 502])
    const fieldwork = await client({ url: proxy.url })
    const { data } = await fieldwork.call('client.create', { name: 'Once and only' } as never)
    const rows = await fieldwork.call('client.list', { search: 'Once and only' } as never)
    expect([rows.count, rows.data[0]!.id]).toEqual([1, data.id])
    const keys = proxy.passed.filter(({ method }) => method === 'POST').map(({ key }) => key)
    expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([5, 1, 'string'])
  })

  test('gives up after its tries, and doesn’t repeat a file that may have arrived', async () => {
    const busy = await between([503, 503])
    const tired = client({ url: busy.url, tries: 2 }).then((one) => one.call('client.list'))
    await expect(tired).rejects.toMatchObject({ status: 503 })
    const lost = await between(['lost'])
    const { id } = await app.make.project({ client_id: app.client.id })
    const content = new Blob(['Words'])
    const sent = (await client({ url: lost.url })).call(
      'file.upload',
      { project_id: id, asset_type: 'Creative Assets' } as never,
      { files: [{ name: 'logo.txt', content }] },
    )
    await expect(sent).rejects.toMatchObject({ status: 0 })
    expect(lost.passed).toHaveLength(1)
  })

  test('sends files and lines', async () => {
    const fieldwork = await client()
    const { id } = await app.make.project({ client_id: app.client.id })
    const files = [{ name: 'logo.txt', content: new Blob(['Words']) }]
    const uploaded = await fieldwork.call('file.upload', { project_id: id, asset_type: 'Creative Assets' } as never, { files })
    expect(uploaded.data).toMatchObject([{ original_name: 'logo.txt', size: 5 }])
    const { survey } = await fresh(app)
    const rows = ['a', 'b'].map((respondent_id) => JSON.stringify({ respondent_id, outcome: 'completes' }))
    const report = await fieldwork.call('runtime.ingest', { surveyId: survey.id } as never, { lines: rows.join('\n') })
    expect(report.data).toMatchObject({ added: 2, refused: 0 })
  })

  test('tries a write that is dry, and says a refusal by its codes', async () => {
    const fieldwork = await client()
    const made = await app.make.client({ name: 'Stays' })
    await fieldwork.call('client.edit', { id: made.id, name: 'Goes' }, { dry: true })
    expect((await fieldwork.call('client.get', { id: made.id })).data.name).toBe('Stays')
    const refused = await fieldwork.call('client.create', { name: '' } as never).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(FieldworkError)
    expect(refused).toMatchObject({ status: 422, code: 'invalid', fieldCodes: { name: 'required' } })
    await expect(fieldwork.call('client.get', {} as never)).rejects.toThrow('client.get needs id.')
    expect(() => createClient({ url: 'http://example.com', token: 'x' })).toThrow('https')
  })

  test('stops when it is asked to', async () => {
    const proxy = await between([503, 503, 503])
    const stop = new AbortController()
    const waiting = (await client({ url: proxy.url })).call('client.list', {}, { signal: stop.signal })
    stop.abort(new Error('Enough'))
    await expect(waiting).rejects.toThrow('Enough')
  })
})

test('a subscriber registers, receives, verifies and unsubscribes by its token alone', async () => {
  const own = await receiver()
  const token = await tokenFor('webhook:manage', 'project:read')
  const subscriber = createClient({ url, token })
  const { data: hook } = await subscriber.call('webhook.create', { name: 'Zap', url: own.url, nouns: ['project'] } as never)
  const { id } = await app.make.project({ client_id: app.client.id, name: 'Before', status: 'active' })
  await app.as('admin').call('project.edit', { id, name: 'After' })
  await app.as('admin').call('project.setStatus', { id, status: 'Paused' })
  const heard = await own.heard(({ body }) => body.data.id === id, 2)
  const messages = await Promise.all(heard.map(({ headers, text }) => verifyWebhook(hook.signing_secret, headers, text)))
  expect(messages.sort((a, b) => a.sequence! - b.sequence!)).toMatchObject([
    { type: 'project.updated', data: { id, name: 'After' }, previous: { name: 'Before' } },
    { type: 'project.status_changed', data: { id, stored_status: 'paused' }, previous: { stored_status: 'active' } },
  ])
  const [{ headers, text }] = heard as [(typeof heard)[number]]
  for (const [secret, sent, body, now] of [
    [`whsec_${btoa('another secret')}`, headers, text, Date.now()],
    [hook.signing_secret, headers, `${text} `, Date.now()],
    [hook.signing_secret, headers, text, Date.now() + 301_000],
    [hook.signing_secret, { ...headers, 'webhook-signature': 'v1,AAAA v2,x' }, text, Date.now()],
    [hook.signing_secret, {}, text, Date.now()],
  ] as const)
    await expect(verifyWebhook(secret, sent, body, now)).rejects.toBeInstanceOf(WebhookError)
  await subscriber.call('webhook.remove', { id: hook.id })
  await app.as('admin').call('project.edit', { id, name: 'Unheard' })
  expect((await subscriber.call('webhook.list')).count).toBe(0)
  expect(own.arrived.some(({ body }) => body.data.name === 'Unheard')).toBe(false)
})

test('types are those of the schemas', () => {
  expect(typeOf({ anyOf: [{ type: 'integer' }, { type: 'null' }] })).toBe('number | null')
  expect(typeOf({ type: 'array', items: { enum: ['a', 'b'] } })).toBe('("a" | "b")[]')
  expect(typeOf({ type: 'object', properties: { id: { type: 'number' }, at: {} }, required: ['id'] })).toBe(
    '{ "id": number; "at"?: unknown }',
  )
  expect(typeOf({ type: 'object', additionalProperties: { type: 'string' } })).toBe('Record<string, string>')
})

test('the package compiles with the guide’s lines, refuses a wrong name, and runs them', async () => {
  const folder = mkdtempSync(join(inject('scratch'), 'client-'))
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const run = (command: string, args: string[], env: Record<string, string> = {}, cwd = folder) =>
    promisify(execFile)(command, args, { cwd, env: { ...process.env, PATH: path, ...env } }).catch(
      (error: { stdout: string; stderr: string }) => ({ ...error, stdout: `failed: ${error.stdout}${error.stderr}` }),
    )
  await run('npm', ['pack', '--pack-destination', folder], {}, join(ROOT, 'client'))
  const [packed] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const installed = join(folder, 'node_modules/@fieldwork/client')
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', packed!, '--strip-components=1', '-C', installed])
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  const [, program] = /## @fieldwork\/client[\s\S]+?```ts\n([\s\S]*?)```/.exec(
    readFileSync(join(ROOT, 'docs/typed-clients.md'), 'utf8'),
  )!
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'guide.ts'), program!)
  writeFileSync(
    join(folder, 'wrong.ts'),
    program!.replace("status: 'active'", "statos: 'active'").replace('project.name', 'project.nome'),
  )
  const options = '--noEmit --strict --module nodenext --target es2024 --lib es2024,dom,dom.iterable --types node --ignoreConfig'
  const tsc = (file: string) =>
    run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options.split(' '), file])
  expect((await tsc('guide.ts')).stdout).toBe('')
  const wrong = (await tsc('wrong.ts')).stdout
  expect([wrong.includes("'statos' does not exist"), wrong.includes("'nome' does not exist")]).toEqual([true, true])
  const { id } = await app.make.project({ client_id: app.client.id, status: 'active', name: 'Of the guide' })
  const done = await run(process.execPath, ['guide.ts'], { PORTAL: url, TOKEN: await tokenFor('*:write') })
  expect(done.stdout).toContain(`${id} Of the guide\n`)
  expect(done.stdout).toContain('422 invalid required\n')
}, 120_000)
