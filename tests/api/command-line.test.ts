import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { run as runCommand, type Terminal } from '../../cli/run.ts'
import { verbNamed } from '../../verbs/verbs.ts'
import { commandLine, LAUNCHER } from '../support/commandLine.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh } from './surveyed.ts'

let app: Fieldwork
let url: string
let cwd: string
beforeAll(async () => {
  app = await fieldwork({ LIMITS: 'token_minute=100000' })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  cwd = mkdtempSync(join(inject('scratch'), 'command-line-'))
})

const tokenFor = async (...scopes: string[]): Promise<string> => {
  const answer = await app.as('admin').call('token.create', { name: 'Command line', scopes })
  return answer.body.data.token
}
/** Runs with a token of these scopes; `*:write` covers all. */
async function run(args: readonly string[], { scopes = ['*:write'], piped = '', env = {} as Record<string, string> } = {}) {
  const token = await tokenFor(...scopes)
  return commandLine(args, { FIELDWORK_URL: url, FIELDWORK_TOKEN: token, ...env }, cwd, piped)
}
/** A project that its client has approved. */
const approved = () => app.make.project({ client_id: app.client.id, status: 'approved', name: 'Autumn snacks' })
const statusOf = async (id: number) => (await app.as('admin').call('project.get', { id })).body.data.stored_status

describe('reads', () => {
  test('a list prints a table by default, the server’s response with --json, and a row per line with --jsonl', async () => {
    const client = await app.make.client({ name: 'Evil \u001b[31m co' })
    const people = await run(['client', 'list', '--search', 'Evil'])
    expect(people.code, people.err).toBe(0)
    expect(people.out).toMatch(/^ID +Client +Users/)
    // Terminal control characters are removed.
    expect(people.out).not.toContain('\u001b')
    const json = await run(['client', 'list', '--search=Evil', '--json'])
    expect(JSON.parse(json.out)).toMatchObject({ count: 1, page: 1, data: [{ id: client.id, name: client.name }] })
    const lines = await run(['client', 'list', '--all', '--per-page', '1', '--jsonl'])
    const ids = lines.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id)
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('a record is read by its ID', async () => {
    const { id } = await approved()
    const { out, code } = await run(['project', 'get', String(id)])
    expect(code).toBe(0)
    expect(out).toMatch(/Name +Autumn snacks/)
  })

  test('an unknown option or invalid value is reported before anything is sent', async () => {
    const wrong = await run(['project', 'list', '--staus', 'active'])
    expect([wrong.code, wrong.err]).toEqual([2, 'There is no option --staus. Did you mean --status?\n'])
    const order = await run(['client', 'list', '--order', 'upwards'])
    expect([order.code, order.err]).toEqual([2, '--order must be one of asc, desc, not “upwards”.\n'])
    const id = await run(['project', 'get'])
    expect([id.code, id.err]).toEqual([2, '<id> is missing: fieldwork project get <id>\n'])
  })
})

describe('writes', () => {
  test('a field error from the server is shown with its option', async () => {
    const { code, err } = await run([
      'project',
      'create',
      '--name',
      'X',
      '--client-id',
      String(app.client.id),
      '--goal',
      '-1',
      '--start-dt',
      '2026-01-01',
    ])
    expect(code).toBe(1)
    expect(err).toBe('--goal: must be a positive number\n')
  })

  test('going live is reviewed with --dry, refused without --yes, and done with it', async () => {
    const { id } = await approved()
    const dry = await run(['project', 'go-live', String(id), '--dry'])
    expect([dry.code, dry.out]).toEqual([0, ''])
    expect(dry.err).toContain('Autumn snacks')
    expect(dry.err).toContain('It can’t be undone.')
    expect(dry.err).toMatch(/status: Approved → Live|Stored status: approved → active/)
    const silent = await run(['project', 'go-live', String(id)])
    expect([silent.code, silent.err]).toEqual([2, expect.stringContaining('Add --yes')])
    expect(await statusOf(id)).toBe('approved')
    const done = await run(['project', 'go-live', String(id), '--yes'])
    expect(done.code, done.err).toBe(0)
    expect(done.out).toMatch(/^Project is Live\n/)
    expect(await statusOf(id)).toBe('active')
  })

  test('what somebody changes while its review waits for an answer isn’t done, nor overwritten', async () => {
    const FIELDWORK_TOKEN = await tokenFor('*:write')
    /** Runs a command at a terminal where somebody answers yes, after doing something else. */
    const answered = (noun: string, word: string, argv: string[], meanwhile: () => Promise<unknown>) => {
      const terminal: Terminal = {
        ...{ env: { FIELDWORK_URL: url, FIELDWORK_TOKEN }, out() {}, err() {}, line() {}, asks: true, width: 80 },
        signal: new AbortController().signal,
        async ask() {
          await meanwhile()
          return 'y'
        },
      }
      return runCommand(verbNamed(noun, word)!, argv, terminal)
    }
    const { id } = await approved()
    const rename = () => app.as('admin').call('project.edit', { id, name: 'Winter snacks' })
    const refusal = expect.objectContaining({ status: 409, body: expect.objectContaining({ code: 'changed' }) })
    await expect(answered('project', 'go-live', [String(id)], rename)).rejects.toEqual(refusal)
    expect(await statusOf(id)).toBe('approved')
    const edit = (name: string, meanwhile: () => Promise<unknown>) =>
      answered('project', 'edit', [String(id), '--name', name], meanwhile)
    const again = () => app.as('admin').call('project.edit', { id, name: 'Spring snacks' })
    await expect(edit('Summer snacks', again)).rejects.toEqual(refusal)
    const nameOf = async () => (await app.as('admin').call('project.get', { id })).body.data.name
    expect(await nameOf()).toBe('Spring snacks')
    const elsewhere = async () => app.as('admin').call('project.edit', { id: (await approved()).id, name: 'Elsewhere' })
    expect(await edit('Summer snacks', elsewhere)).toBe(0)
    expect(await nameOf()).toBe('Summer snacks')
  })

  test('a refusal says why, in the words of the workspace', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, status: 'requirements' })
    for (const how of ['--yes', '--dry']) {
      const { code, err } = await run(['project', 'go-live', String(id), how])
      expect(code).toBe(1)
      expect(err).toBe("A project that is pending can't become active now.\n")
    }
    const json = await run(['project', 'go-live', String(id), '--yes', '--json'])
    expect(JSON.parse(json.err)).toMatchObject({ code: 'not_now' })
  })

  test('an undoable write runs at once and says it can be undone; one key runs it once', async () => {
    const { id } = await approved()
    const args = [
      'note',
      'create',
      '--project-id',
      String(id),
      '--note',
      'By a program',
      '--idempotency-key',
      'note-of-today',
      '--json',
    ]
    const token = await tokenFor('note:write', 'project:read')
    const env = { FIELDWORK_URL: url, FIELDWORK_TOKEN: token }
    const [first, second] = [await commandLine(args, env, cwd), await commandLine(args, env, cwd)]
    expect(first.code, first.err).toBe(0)
    const undo = /It can be undone for a day: fieldwork (undo take \d+)/.exec(first.err)![1]!
    expect((await commandLine(undo.split(' '), env, cwd)).code).toBe(0)
    expect(second.out).toBe(first.out)
  })

  test('input is read from a file, and typed options are added to it', async () => {
    const input = JSON.stringify({ name: 'From a file', email: 'robin@partner.test' })
    const { code, out, err } = await run(['partner', 'create', '--input', '-', '--name', 'Typed', '--json'], { piped: input })
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ data: { name: 'Typed', email: 'robin@partner.test' } })
  })

  test('a file is uploaded', async () => {
    const { id } = await approved()
    const path = join(cwd, 'brief.txt')
    writeFileSync(path, 'What we need')
    const sent = await run(['file', 'upload-document', '--project-id', String(id), '--file', path, '--json'])
    expect(sent.code, sent.err).toBe(0)
    expect(JSON.parse(sent.out)).toMatchObject({ data: [{ project_id: id, original_name: 'brief.txt' }] })
    const gone = await run(['file', 'upload-document', '--project-id', String(id), '--file', join(cwd, 'none.txt')])
    expect([gone.code, gone.err]).toEqual([2, expect.stringContaining('none.txt can’t be read')])
  })
})

describe('jobs', () => {
  test('an export is awaited and downloaded, and never overwrites a file', async () => {
    const first = await run(['export', 'start', '--source', 'clients'])
    expect(first.code, first.err).toBe(0)
    const [name] = /saved as (.+\.csv)\.\n$/.exec(first.err)!.slice(1)
    expect(readFileSync(join(cwd, name!), 'utf8')).toContain('Acme Beverage')
    await run(['export', 'start', '--source', 'clients'])
    expect(readdirSync(cwd).filter((one) => one.endsWith('.csv'))).toHaveLength(2)
    const piped = await run(['export', 'start', '--source', 'clients', '--output', '-'])
    expect(piped.out).toContain('Acme Beverage')
    const later = await run(['export', 'start', '--source', 'clients', '--no-wait', '--json'])
    expect(JSON.parse(later.out)).toMatchObject({ data: { kind: 'export' } })
  })
})

describe('a batch', () => {
  const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')

  test('comes from standard input a respondent a line; refused rows are listed, and the exit code is 1', async () => {
    const { survey } = await fresh(app)
    const ingest = ['runtime', 'ingest', String(survey.id), '--input', '-', '--yes']
    const taken = await run(ingest, {
      piped: lines({ respondent_id: 'a', outcome: 'completes' }, { respondent_id: 'b', outcome: 'partials' }),
    })
    expect([taken.code, taken.err], taken.err).toEqual([0, expect.not.stringContaining('refused.')])
    const one = await run(ingest, { piped: lines({ respondent_id: 'c', outcome: 'completes' }) })
    expect(one.code, one.err).toBe(0)
    for (const form of [[], ['--json']]) {
      const id = `d${form.length}`
      const some = await run([...ingest, ...form], {
        piped: lines({ respondent_id: id, outcome: 'completes' }, { respondent_id: 'e', outcome: 'maybe' }),
      })
      expect(some.code).toBe(1)
      expect(some.err).toContain('Row 2 (e): outcome must be one of')
      expect(some.err).toContain('1 row was refused.')
    }
    const list = await run(ingest, { piped: JSON.stringify([{ respondent_id: 'f', outcome: 'completes' }]) })
    expect(list.code, list.err).toBe(0)
    const { data } = (await app.as('admin').call('runtime.summary', { surveyId: survey.id })).body
    expect(data).toMatchObject({ completes: 5 })
  })
})

test('--output never writes over a file, and then nothing is started', async () => {
  writeFileSync(join(cwd, 'precious.csv'), 'precious')
  const before = (await app.as('admin').call('job.list', {})).body.count
  const refused = await run(['export', 'start', '--source', 'clients', '--output', 'precious.csv'])
  expect([refused.code, refused.err.trim()]).toEqual([2, 'precious.csv exists already. Choose another name with --output.'])
  expect(readFileSync(join(cwd, 'precious.csv'), 'utf8')).toBe('precious')
  expect((await app.as('admin').call('job.list', {})).body.count).toBe(before)
  const device = await run(['export', 'start', '--source', 'clients', '--output', '/dev/null'])
  expect(device.code, device.err).toBe(0)
})

describe('authentication', () => {
  test('a wrong token exits with 3, a missing scope is named, and an unreachable server exits with 4', async () => {
    const wrong = await run(['client', 'list'], { env: { FIELDWORK_TOKEN: 'fwt_wrong-token' } })
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('fieldwork login')])
    expect(wrong.err).not.toContain('fwt_wrong')
    const scope = await run(['client', 'list'], { scopes: ['project:read'] })
    expect([scope.code, scope.err]).toEqual([1, expect.stringContaining('The token needs the scope client:read.')])
    const none = await commandLine(['client', 'list'], {}, cwd)
    expect([none.code, none.err]).toEqual([3, expect.stringContaining('FIELDWORK_URL')])
    const plain = await run(['client', 'list'], { env: { FIELDWORK_URL: 'http://fieldwork.example.com' } })
    expect([plain.code, plain.err]).toEqual([2, expect.stringContaining('isn’t encrypted')])
  })

  test('a stored login is readable only by its owner, and its token is sent to no other server', async () => {
    const token = await tokenFor('client:read')
    const env = { XDG_CONFIG_HOME: join(cwd, 'config') }
    const signed = await commandLine(['login', url], env, cwd, `${token}\n`)
    expect(signed.code, signed.err).toBe(0)
    expect(signed.err + signed.out).not.toContain(token)
    const file = join(cwd, 'config/fieldwork/credentials.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await commandLine(['client', 'list'], env, cwd)).code).toBe(0)
    const other = await commandLine(['client', 'list'], { ...env, FIELDWORK_URL: url.replace('127.0.0.1', 'localhost') }, cwd)
    expect(other.code).toBe(3)
    const typed = await commandLine(['login', url, `--token=${token}`], env, cwd)
    expect([typed.code, typed.err]).toEqual([2, expect.not.stringContaining(token)])
    await commandLine(['logout'], env, cwd)
    expect((await commandLine(['client', 'list'], env, cwd)).code).toBe(3)
  })
})

test('the lines of “The command line” work as written', async () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/command-line.md'), 'utf8')
  const steps = /```sh\n(.*?)```/s
    .exec(page)![1]!
    .split(/^# \d+\..*\n/m)
    .slice(1)
  expect(steps).toHaveLength(10)
  const { id } = await approved()
  const bin = join(cwd, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'fieldwork'), `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`)
  chmodSync(join(bin, 'fieldwork'), 0o755)
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: cwd,
    FIELDWORK_URL: url,
    FIELDWORK_TOKEN: await tokenFor('*:write'),
    PROJECT: String(id),
  }
  const outputs: { stdout: string; stderr: string }[] = []
  for (const [at, step] of steps.entries())
    outputs.push(
      await promisify(execFile)('sh', ['-ec', step], { cwd, env }).catch((error: Error) => {
        throw new Error(`line ${at + 1} failed: ${error.message}`)
      }),
    )
  expect(outputs[0]!.stdout).toMatch(/Name +Command line/)
  expect(outputs[1]!.stdout).toContain('Autumn snacks')
  expect(outputs[2]!.stdout.split('\n').map((line) => line && (JSON.parse(line) as { id: number }).id)).toContain(id)
  expect(outputs[5]!.stderr).toContain('It can’t be undone.')
  expect(outputs[6]!.stdout).toContain('Project is Live')
  expect(outputs[7]!.stderr).toMatch(/live|active/i)
  expect(readFileSync(join(cwd, 'clients.csv'), 'utf8')).toContain('Acme Beverage')
  expect(JSON.parse(outputs[9]!.stdout)).toMatchObject({
    data: [{ who: expect.stringMatching(/^token “Command line” of /) }, {}],
  })
}, 90_000)
