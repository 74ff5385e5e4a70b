import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createClient, FieldworkError, verifyWebhook, WebhookError } from '../../client/client.ts'
import { typeOf } from '../../scripts/build-packages.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { freePort } from '../support/ports.ts'
import { receiver } from './receiver.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh } from './surveyed.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** The guides with lines for the client. */
const GUIDES = ['typed-clients', 'first-batch', 'automate-launch', 'reading-lists', 'hear-of-changes']
/** TABLE  guides of numbered lines without it, with the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  'command-line': 'its lines are those of fieldwork',
  'first-session': 'links are made by people, and the survey signs its calls without a token',
  'sign-in': 'the client is for tokens, and these are sessions of people',
}
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
async function between(answers: (number | 'lost' | 'in_doubt')[]) {
  const passed: { method: string; key: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { host: _, ...headers } = request.headers
    const reply = answers.shift()
    passed.push({ method: request.method!, key: headers['idempotency-key'] as string | undefined })
    if (typeof reply === 'number') return void response.writeHead(reply, { 'retry-after': '0' }).end('{"message":"Busy"}')
    if (reply === 'in_doubt')
      return void response.writeHead(503, { 'retry-after': '0' }).end('{"message":"It may be saved","code":"in_doubt"}')
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
    const unsure = await between(['in_doubt', 'lost'])
    const fieldwork = await client({ url: unsure.url })
    const { survey } = await fresh(app)
    for (const wanted of [{ status: 503, code: 'in_doubt' }, { status: 0 }]) {
      const lines = fieldwork.call('runtime.ingest', { surveyId: survey.id } as never, { lines: '{"respondent_id":"a"}' })
      await expect(lines).rejects.toMatchObject(wanted)
    }
    expect(unsure.passed).toHaveLength(2)
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
  expect(typeOf({ type: 'object', properties: { cost: { type: 'number' }, cost_cents: { type: 'number' } } })).toBe(
    '{ /** @deprecated Use cost_cents. */ "cost"?: number; "cost_cents"?: number }',
  )
})

describe('the package', () => {
  let folder: string
  const run = (command: string, args: string[], env: Record<string, string> = {}, cwd = folder) => {
    const path = `${dirname(process.execPath)}:${process.env.PATH}`
    return promisify(execFile)(command, args, { cwd, env: { ...process.env, PATH: path, ...env } }).catch(
      (error: { stdout: string; stderr: string }) => ({ ...error, stdout: `failed: ${error.stdout}${error.stderr}` }),
    )
  }
  const programOf = (page: string) =>
    /```ts\n([^`]*?from '@fieldwork\/client'[\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs', `${page}.md`), 'utf8'))![1]!
  const write = (name: string, program: string) => writeFileSync(join(folder, `${name}.ts`), program)
  const options = '--noEmit --strict --module nodenext --target es2024 --lib es2024,dom,dom.iterable --types node --ignoreConfig'
  const compile = async (...names: string[]) => {
    const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options.split(' '), ...names.map((name) => `${name}.ts`)]
    return (await run(process.execPath, args)).stdout
  }
  const done = async (page: string, env: Record<string, string>) =>
    (await run(process.execPath, [`${page}.ts`], { PORTAL: url, ...env })).stdout.trim().split('\n')

  beforeAll(async () => {
    folder = mkdtempSync(join(inject('scratch'), 'client-'))
    await run('npm', ['pack', '--pack-destination', folder], {}, join(ROOT, 'client'))
    const [packed] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
    const installed = join(folder, 'node_modules/@fieldwork/client')
    mkdirSync(installed, { recursive: true })
    await run('tar', ['-xzf', packed!, '--strip-components=1', '-C', installed])
    symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const page of GUIDES) write(page, programOf(page))
  }, 120_000)

  test('compiles with the lines of every guide, and refuses a wrong name', async () => {
    expect(await compile(...GUIDES)).toBe('')
    const guide = programOf('typed-clients')
    write('wrong', guide.replace("status: 'active'", "statos: 'active'").replace('project.name', 'project.nome'))
    const wrong = await compile('wrong')
    expect([wrong.includes("'statos' does not exist"), wrong.includes("'nome' does not exist")]).toEqual([true, true])
  }, 120_000)

  test('every guide for programs has its lines, or is one of those without', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
    const curled = pages.filter((name) => readFileSync(join(ROOT, 'docs', name), 'utf8').includes('```sh\n# 1. '))
    const missing = curled.map((name) => name.replace('.md', '')).filter((name) => !GUIDES.includes(name))
    expect(missing.sort()).toEqual(Object.keys(WITHOUT))
  })

  test('runs the lines of “Typed clients”', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, status: 'active', name: 'Of the guide' })
    const lines = await done('typed-clients', { TOKEN: await tokenFor('*:write') })
    expect(lines).toEqual(expect.arrayContaining([`${id} Of the guide`, '422 invalid required']))
  })

  test('runs the lines of “Your first batch”', async () => {
    const { survey } = await fresh(app)
    const { key } = (await app.as('admin').call('key.create', { name: 'Batch', surveys: [survey.id] })).body.data
    const lines = await done('first-batch', { KEY: key, SURVEY: String(survey.id) })
    const refused = JSON.parse(lines.pop()!) as { errors: { field: string; code: string }[] }
    expect(lines).toEqual([expect.stringMatching(`^${survey.id} active `), '21', '2 0 0', '0 2 0', 'completes null'])
    expect(refused.errors).toMatchObject([
      { field: 'outcome', code: 'choice' },
      { field: 'age', code: 'choice' },
    ])
    const { data } = (await app.as('admin').call('runtime.summary', { surveyId: survey.id })).body
    expect(data).toMatchObject({ stored_status: 'active', completes: 1, terminates: 0, overquota: 1 })
  })

  test('runs the lines of “Automate a launch” before and after the approval', async () => {
    const made = { name: 'Launch bot', kind: 'service', scopes: ['project:write'] }
    const { token } = (await app.as('admin').call('token.create', made as never)).body.data
    const env = { TOKEN: token, CLIENT: String(app.client.id), PARTNER: String((await app.make.partner()).id) }
    const before = await done('automate-launch', env)
    expect(before.slice(-2)).toEqual(['submit_approval 240000', expect.stringMatching(/^token “Launch bot” of \S/)])
    const [project] = await app.db.selectFrom('projects').select('id').where('name', '=', 'Winter snacks').execute()
    const approval = { project_id: project!.id, status: 'QuoteApproved' } as const
    expect((await app.as('client').call('project.approve', approval)).status).toBe(200)
    expect((await done('automate-launch', env)).at(-2)).toBe('active 240000')
  })

  test('runs the lines of “Read lists”', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, status: 'paused', name: 'Listed', generation: 'campaign' })
    const lines = await done('reading-lists', { TOKEN: await tokenFor('project:read') })
    expect(lines.find((line) => line.startsWith(`${id} `))).toMatch(/^\d+ Listed campaign paused (null|\d{4}-\d\d-\d\d) /)
    expect(lines.at(-1)).toMatch(/^\d+ \d+$/)
  })

  test('runs the lines of “Hear of changes”', async () => {
    const port = await freePort()
    const token = await tokenFor('webhook:manage', 'project:read')
    const env = { PORTAL: url, TOKEN: token, ADDRESS: `http://127.0.0.1:${port}/`, PORT: String(port) }
    const program = spawn(process.execPath, ['hear-of-changes.ts'], { cwd: folder, env: { PATH: process.env.PATH, ...env } })
    closeAfterFile(async () => void program.kill('SIGKILL'))
    let output = ''
    for (const stream of [program.stdout, program.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const forged = () => fetch(env.ADDRESS, { method: 'POST', body: '{}' }).then(({ status }) => status)
    await vi.waitFor(async () => expect(await forged(), output).toBe(401), { timeout: 15_000 })
    const { id } = await app.make.project({ client_id: app.client.id, status: 'active' })
    await app.as('admin').call('project.setStatus', { id, status: 'paused' })
    await vi.waitFor(() => expect(output).toContain(`project.status_changed ${id} paused\n`), { timeout: 15_000 })
    const ended = new Promise((done) => program.once('exit', done))
    program.kill('SIGTERM')
    await ended
    expect((await createClient({ url, token }).call('webhook.list')).count).toBe(0)
  })
})
