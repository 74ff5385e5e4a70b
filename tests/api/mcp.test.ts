import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { limited } from '../../verbs/assistant.ts'
import { LAUNCHER } from '../support/commandLine.ts'
import { COMPILED } from '../support/server.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let url: string
let cwd: string
const clients: Client[] = []
beforeAll(async () => {
  app = await fieldwork({ LIMITS: 'token_minute=100000' })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  cwd = mkdtempSync(join(inject('scratch'), 'mcp-'))
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

const envFor = async (scopes: readonly string[]): Promise<Record<string, string>> => {
  const { body } = await app.as('admin').call('token.create', { name: 'Assistant', scopes: [...scopes] })
  const { PATH = '' } = process.env
  return { PATH, HOME: cwd, ...COMPILED, FIELDWORK_URL: url, FIELDWORK_TOKEN: body.data.token }
}
/** What the tools answer, as far as the tests read it. */
interface Answer {
  error: string
  status: number
  scope: string
  fields: Record<string, string>
  commands: { command: string; about: string; changes: boolean }[]
  input_schema: { properties: Record<string, object> }
  review: { lines: string[] }
  confirmation: string
  done: boolean
  jobs: { status: string }[]
  data: { id: number }[]
  cut: string
  code: string
}
/** An assistant's session: the package's own client, with the program as its child. */
async function session(args: readonly string[] = [], scopes: readonly string[] = ['*:write']) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  clients.push(client)
  const env = await envFor(scopes)
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [LAUNCHER, 'mcp', ...args], env, cwd, stderr: 'pipe' }),
  )
  const use = async (name: string, given: Record<string, unknown>, onprogress?: (at: unknown) => void) => {
    const answer = await client.callTool({ name, arguments: given }, onprogress ? { onprogress } : {})
    return { failed: answer.isError === true, value: answer.structuredContent as unknown as Answer }
  }
  return { client, use }
}
const approved = () => app.make.project({ client_id: app.client.id, status: 'approved', name: 'Autumn snacks' })
const statusOf = async (id: number) => (await app.as('admin').call('project.get', { id })).body.data.stored_status

describe('an assistant that only reads', () => {
  test('gets three tools marked as read-only, and is told whose token it uses', async () => {
    const { client } = await session()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['find_commands', 'describe_command', 'read'])
    for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBe(true)
    expect(client.getInstructions()).toContain('the token “Assistant” of')
  })

  test('finds a command, learns its input from its own schema, and runs it', async () => {
    const { use } = await session()
    const found = await use('find_commands', { words: 'client list' })
    expect(found.value.commands).toContainEqual({ command: 'client.list', about: expect.any(String), changes: false })
    const { value } = await use('describe_command', { command: 'client.list' })
    expect(value.input_schema.properties.per_page).toMatchObject({ type: 'integer' })
    expect(value.scope).toBe('client:read')
    const { name } = await app.make.client()
    const read = await use('read', { command: 'client.list', input: { search: name } })
    expect(read.value).toMatchObject({ count: 1, data: [{ name }] })
  })

  test('can’t change anything: it has no write tool, and read refuses writes', async () => {
    const { client, use } = await session()
    const { id } = await approved()
    const read = await use('read', { command: 'project.goLive', input: { id } })
    expect(read.failed).toBe(true)
    expect(read.value.error).toContain('“fieldwork mcp --write”')
    await expect(client.callTool({ name: 'change', arguments: { command: 'project.goLive', input: { id } } })).rejects.toThrow()
    expect(await statusOf(id)).toBe('approved')
  })
})

describe('an assistant that writes', () => {
  test('runs what can be undone at once', async () => {
    const { use } = await session(['--write'])
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
  })

  test('gets a review of what can’t be undone, and runs it once when confirmed', async () => {
    const { use } = await session(['--write'])
    const { id } = await approved()
    const asked = { command: 'project.goLive', input: { id } }
    const { value } = await use('change', asked)
    expect(value).toMatchObject({ done: false, review: { final: true, tried: true } })
    expect(value.review.lines).toContain('It can’t be undone.')
    expect(await statusOf(id)).toBe('approved')
    const done = await use('change', { ...asked, confirmation: value.confirmation })
    expect(done.value.done).toBe(true)
    expect(await statusOf(id)).toBe('active')
    const again = await use('change', { ...asked, confirmation: value.confirmation })
    expect(again.failed).toBe(true)
    expect(again.value.error).toContain('unknown, used or too old')
  })

  test('can’t confirm what somebody has changed since the review: it is told what, and reviews it again', async () => {
    const { use } = await session(['--write'])
    const { id } = await approved()
    const asked = { command: 'project.goLive', input: { id } }
    const { confirmation } = (await use('change', asked)).value
    await app.as('admin').call('project.edit', { id, name: 'Winter snacks' })
    const refused = await use('change', { ...asked, confirmation })
    expect(refused.failed).toBe(true)
    expect(refused.value).toMatchObject({
      ...{ status: 409, code: 'changed', hint: expect.stringContaining('this confirmation is used up') },
      changed: [{ noun: 'project', id, reviewed: 1, lock_version: 2 }],
      theirs: { name: 'Winter snacks' },
    })
    expect(await statusOf(id)).toBe('approved')
    expect((await use('change', { ...asked, confirmation })).value.error).toContain('unknown, used or too old')
    const next = (await use('change', asked)).value.confirmation
    // Another record’s change is none of its business.
    await app.as('admin').call('project.edit', { id: (await approved()).id, name: 'Spring snacks' })
    expect((await use('change', { ...asked, confirmation: next })).value.done).toBe(true)
    expect(await statusOf(id)).toBe('active')
  })

  test('can’t confirm with an invented code, or with the review of something else', async () => {
    const { use } = await session(['--write'])
    const [one, other] = [await approved(), await approved()]
    const review = await use('change', { command: 'project.goLive', input: { id: one.id } })
    for (const confirmation of [review.value.confirmation, 'yes', '', '00000000-0000-4000-8000-000000000000']) {
      const forged = await use('change', { command: 'project.goLive', input: { id: other.id }, confirmation })
      expect(forged.failed, confirmation).toBe(true)
    }
    expect([await statusOf(one.id), await statusOf(other.id)]).toEqual(['approved', 'approved'])
  })

  test('is told why a command is refused: field, scope or record rule', async () => {
    const { use } = await session(['--write'], ['project:read', 'project:write'])
    const { id } = await approved()
    const field = await use('read', { command: 'project.list', input: { staus: 'active', per_page: 'many' } })
    expect(field.value.fields).toMatchObject({ staus: expect.stringContaining('status'), per_page: expect.any(String) })
    const scope = await use('change', { command: 'client.create', input: { name: 'Beyond' } })
    expect(scope.value).toMatchObject({ status: 403, code: 'scope', scope: 'client:write' })
    const first = await use('change', { command: 'project.goLive', input: { id } })
    await use('change', { command: 'project.goLive', input: { id }, confirmation: first.value.confirmation })
    const late = await use('change', { command: 'project.goLive', input: { id } })
    expect(late.failed).toBe(true)
    expect(late.value.status).toBe(409)
    const secret = await use('change', { command: 'token.create', input: { name: 'x', scopes: ['*:write'] } })
    expect(secret.failed).toBe(true)
    const strange = await use('read', { command: '__proto__' })
    expect(strange.value.error).toContain('There is no command')
  })

  test('follows a job’s progress, and gets its end', async () => {
    const { use } = await session(['--write'])
    const heard: unknown[] = []
    const asked = { command: 'export.start', input: { source: 'clients', format: 'csv' } }
    let { value } = await use('change', asked, (at) => heard.push(at))
    if (value.confirmation)
      ({ value } = await use('change', { ...asked, confirmation: value.confirmation }, (at) => heard.push(at)))
    expect(value.jobs).toMatchObject([{ status: 'done' }])
    expect(heard.length).toBeGreaterThan(0)
  })
})

test('a response that is too long loses rows from its end, and says so', () => {
  const rows = Array.from({ length: 50 }, (_, id) => ({ id, name: 'x'.repeat(50) }))
  const cut = limited({ count: 50, data: rows }, 1500) as Answer
  expect(cut.data.length).toBeGreaterThan(5)
  expect(cut.data).toEqual(rows.slice(0, cut.data.length))
  expect(cut.cut).toContain('of 50 rows')
  expect(JSON.stringify(cut).length).toBeLessThanOrEqual(1500)
  expect(JSON.stringify(limited({ data: { text: 'y'.repeat(9000) } }, 1500)).length).toBeLessThanOrEqual(1500)
})

describe('malformed input', () => {
  /** What the program answers to lines, and its exit code once they end. */
  async function say(lines: readonly string[]) {
    const env = await envFor(['*:read'])
    const child = spawn(process.execPath, [LAUNCHER, 'mcp', '--write'], { cwd, env })
    let out = ''
    child.stdout.on('data', (text) => (out += String(text)))
    child.stdin.on('error', () => {})
    for (const line of lines) child.stdin.write(`${line}\n`)
    const isAnswered = () => out.includes('"id":7')
    for (let waited = 0; waited < 100 && !isAnswered() && child.exitCode === null; waited++) await after(50)
    child.stdin.end()
    const code = await new Promise((done) => (child.exitCode === null ? child.once('close', done) : done(child.exitCode)))
    return { out, code }
  }
  const hello = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  })
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })

  test('broken lines are skipped, and the next message gets a response', async () => {
    const { out, code } = await say([hello, '{"jsonrpc":', 'null', '[]', '\u0000\u0001', '{"id":{}}', ping])
    expect(out).toContain('"id":7')
    expect(code).toBe(0)
    for (const line of out.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  })

  test('a message of many megabytes ends the session, and isn’t buffered', async () => {
    const { out } = await say([
      hello,
      JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'tools/call', params: 'x'.repeat(3_000_000) }),
    ])
    expect(out).not.toContain('"id":8')
  })
})
